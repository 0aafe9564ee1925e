cacheprint -f level2.out --sort=Ir:20,D1m | sed -n '/FUNCTION/,$p'
