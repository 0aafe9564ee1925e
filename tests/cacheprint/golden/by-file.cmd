cacheprint -f two.out --group=file
