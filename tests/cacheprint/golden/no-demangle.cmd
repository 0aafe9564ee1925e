cacheprint -f cxx.out --no-demangle
