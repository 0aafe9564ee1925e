printf 'cmd: ./a\nevents: Ir\nfl=src/\033[31mred.c\nfn=main\n1 10\nsummary: 10\n' >control.out
printf 'cmd: ./a\nevents: Ir\nfl=src/\033[31mred.c\nfn=main\n1 11\nsummary: 11\n' >control2.out
cacheprint -f control.out --auto | tail -n 8
cacheprint --diff control.out control2.out --auto | grep Changes
printf 'x\n' >"src/$(printf '\033')[31mred.c"
touch -d 2024-01-01 src/*red.c control*.out
cacheprint -f control.out "src/$(printf '\033')[31mred.c" | grep -a red
rm src/*red.c
