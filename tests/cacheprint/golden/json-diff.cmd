cacheprint --diff v1.out v2.out --json --mod-filename=s/v1/v2/
