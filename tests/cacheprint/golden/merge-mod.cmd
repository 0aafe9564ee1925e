cacheprint --merge two.out two.out --mod-filename=s,/build/.,/src,
