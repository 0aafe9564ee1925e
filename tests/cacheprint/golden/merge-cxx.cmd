cacheprint --merge cxx.out
