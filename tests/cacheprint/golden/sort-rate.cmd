cacheprint -f level2.out --sort=D1m%,Ir -I . traverse.c | grep ' ==== '
