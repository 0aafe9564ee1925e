cacheprint -f odd.out
