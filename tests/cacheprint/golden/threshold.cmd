cacheprint -f level2.out --threshold=60
