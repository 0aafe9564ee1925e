cacheprint -f level2.out traverse.c
