cacheprint -f two.out --sort=Ir:x
