cacheprint -f odd.out --json
