cacheprint -f level1.out --sort=Ir:inf
