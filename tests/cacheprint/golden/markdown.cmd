cacheprint --markdown -f two.out -I include a/util.c
