cacheprint --diff v1.out v2.out traverse.c --mod-filename=s,/v[12]/,/, -I v2 --show=Ir,D1mw
