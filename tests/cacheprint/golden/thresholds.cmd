cacheprint -f level2.out --sort=Dr:30,I1mr:60%
