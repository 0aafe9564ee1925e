cacheprint -f level1.out src/newer.c
