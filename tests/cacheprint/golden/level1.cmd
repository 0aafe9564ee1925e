cacheprint -f level1.out -I src traverse.c
