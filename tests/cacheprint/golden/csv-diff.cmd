cacheprint --diff v1.out v2.out --csv --show=Ir,D1m%
