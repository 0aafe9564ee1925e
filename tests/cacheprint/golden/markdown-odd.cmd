cacheprint -f odd.out --markdown
