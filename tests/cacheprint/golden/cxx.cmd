cacheprint -f cxx.out cxx.cc
