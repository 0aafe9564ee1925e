cacheprint -f - < past.out
