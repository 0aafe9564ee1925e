# The source is containers.cc.
needs=g++
