cacheprint -f level2.out traverse.c --map=/home/me/=.
