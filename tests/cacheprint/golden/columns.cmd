cacheprint -f level2.out --show=Ir,CEst,D1m%,cost --sort=cost,Dw --event=cost=Ir+3.5*D1mw -I src traverse.c --percent
