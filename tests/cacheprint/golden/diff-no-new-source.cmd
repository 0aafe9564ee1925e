cacheprint --diff v1.out v2.out traverse.c --mod-filename=s,/v[12]/,/, --before=v1 --show=Ir,D1m | sed -n '/^---/,$p'
exit "${PIPESTATUS[0]}"
