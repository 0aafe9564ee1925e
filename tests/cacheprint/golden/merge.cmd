cacheprint --merge level2.out level2.out
