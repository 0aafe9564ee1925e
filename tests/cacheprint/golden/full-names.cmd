cacheprint -f cxx.out --full-names
