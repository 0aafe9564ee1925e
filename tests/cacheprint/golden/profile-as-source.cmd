cacheprint -f level1.out level1.out
