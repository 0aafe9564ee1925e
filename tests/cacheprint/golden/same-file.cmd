mkdir -p real && ln -sfn real link && echo "int f(void);" >real/same.c && touch -d 2024-01-01 real/same.c
printf 'cmd: x\nevents: Ir\nfl=link/same.c\nfn=f\n1 5\nsummary: 5\n' >same.out
cacheprint -f same.out real/same.c
