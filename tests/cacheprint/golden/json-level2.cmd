cacheprint -f level2.out --json
