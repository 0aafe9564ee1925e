cacheprint -f two.out --json
