cacheprint -f odd.out --csv --show=Ir,Dr,r%,x --event=r%=Dr/Ir --event=x=Ir/Dr
