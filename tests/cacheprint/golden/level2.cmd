cacheprint -f level2.out -I . traverse.c
