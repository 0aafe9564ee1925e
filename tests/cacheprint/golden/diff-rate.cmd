cacheprint --diff v1.out v2.out --sort=D1m%
