for tenths in 1 3 7; do
	printf 'cmd: x\nevents: Ir\nfl=x.c\nfn=at\n1 %d\nfn=below\n2 %d\nfn=rest\n3 %d\nsummary: 10000\n' \
		$((tenths * 10)) $((tenths * 10 - 1)) $((10001 - tenths * 20)) >at.out
	cacheprint -f at.out --threshold=0.$tenths | sed -n '/FUNCTION/,$p'
done
