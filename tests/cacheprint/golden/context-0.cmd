cacheprint -f level2.out traverse.c --strip=2 --context=0
