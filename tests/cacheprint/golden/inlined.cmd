cacheprint -f inlined.out inlined.c
