cacheprint -f corrupt.out traverse.c
