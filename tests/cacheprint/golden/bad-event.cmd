cacheprint -f two.out --event=x=Ir/
