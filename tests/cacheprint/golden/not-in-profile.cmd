cacheprint -f level1.out nosuch.c
