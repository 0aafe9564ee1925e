cacheprint --diff v1.out v2.out v1/traverse.c v2/traverse.c --show=Ir,D1m -I v1 -I v2
