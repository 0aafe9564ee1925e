cacheprint -f two.out --json nosuch.c >/dev/null
