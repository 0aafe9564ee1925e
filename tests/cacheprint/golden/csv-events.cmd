printf 'cmd: x\nevents: a,b c"d\nfl=x.c\nfn=f\n1 2 3\nsummary: 2 3\n' >names.out
cacheprint --csv -f names.out
cacheprint --diff --csv names.out names.out
