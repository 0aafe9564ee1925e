cacheprint -f past.out src/traverse.c --context=2
