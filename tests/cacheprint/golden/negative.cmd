printf 'cmd: x\nevents: Ir Dr\nfl=x.c\nfn=f\n1 -5 2\nfn=g\n2 1 2\nfn=h\n3 0 -9\nsummary: -4 -5\n' >n1.out
printf 'cmd: x\nevents: Ir Dr\nfl=x.c\nfn=f\n1 5 2\nfn=g\n2 0 2\nfn=h\n3 0 9\nsummary: 5 13\n' >n2.out
cacheprint -f n1.out --percent x.c 2>/dev/null | sed -n '/FUNCTION/,$p'
cacheprint --diff n1.out n2.out --gate 'Ir<=+1' --threshold=0 | sed -n '2,$p'
