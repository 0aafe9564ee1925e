cacheprint -f two.out --csv
