cacheprint -f level1.out -f level1.out
