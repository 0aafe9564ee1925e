touch -d 2024-01-03 v2/traverse.c
cacheprint --diff v1.out v2.out traverse.c --mod-filename=s,/v[12]/,/, --before=v1 -I v2 --show=Ir | sed -n '/^---/,$p'
touch -d 2024-01-01 v2/traverse.c
