mkdir -p short && printf 'one\n' >short/p.c && printf 'two\nthree\n' >p.c && touch -d 2024-01-01 p.c short/p.c
printf 'cmd: x\nevents: Ir\nfl=p.c\nfn=f\n1 5\n2 3\nsummary: 8\n' >p1.out
printf 'cmd: x\nevents: Ir\nfl=p.c\nfn=f\n1 5\n2 3\n3 4\nsummary: 12\n' >p2.out
cacheprint --diff p1.out p2.out p.c --before=short 2>/dev/null | sed -n '/^---/,$p'
cacheprint --diff p2.out p1.out p.c --before=short 2>/dev/null | sed -n '/^---/,$p'
