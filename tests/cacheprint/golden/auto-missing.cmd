cacheprint -f two.out --auto
