cacheprint -f level1.out -f level2.out
