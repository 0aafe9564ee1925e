cacheprint -f two.out --mod-filename=s/a/
