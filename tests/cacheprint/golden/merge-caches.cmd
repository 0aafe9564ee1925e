cacheprint --merge level2.out v1.out
