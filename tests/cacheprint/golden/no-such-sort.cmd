cacheprint -f two.out --sort=Ir:1,D1m:2
