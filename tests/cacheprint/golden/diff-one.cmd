cacheprint --diff v1.out
