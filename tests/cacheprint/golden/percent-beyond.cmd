cacheprint -f two.out --sort=Ir:101
