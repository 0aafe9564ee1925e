cacheprint -f two.out --group=function --threshold=20
