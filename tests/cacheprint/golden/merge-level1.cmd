cacheprint --merge -f level1.out
