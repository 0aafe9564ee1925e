cacheprint -f two.out -I include util.c
