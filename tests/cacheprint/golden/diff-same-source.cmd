cacheprint --diff v1.out v1-later.out traverse.c --map=/home/me=. --context=1
