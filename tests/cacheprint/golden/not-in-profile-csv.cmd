cacheprint -f two.out --csv util.c nosuch.c >/dev/null
