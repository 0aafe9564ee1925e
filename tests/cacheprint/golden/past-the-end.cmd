cacheprint -f past.out traverse.c
