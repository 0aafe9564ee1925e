cacheprint -f sizes.out
