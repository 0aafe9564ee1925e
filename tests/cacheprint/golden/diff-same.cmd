cacheprint --diff v1.out v1.out
