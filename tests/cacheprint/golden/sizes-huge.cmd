most=9223372036854775807
for dr in "$most" -1; do
	{
		echo "desc: refs 1 B: $dr 0 0 0 0 0"
		echo "desc: refs 2 B: 0 0 0 $most 0 0"
		for size in "4 B" "8 B" "16 B" "32 B" "64 B" other; do echo "desc: refs $size: 0 0 0 0 0 0"; done
		printf 'cmd: ./huge\nevents: Dr D1mr DLmr Dw D1mw DLmw\nfl=huge.c\nfn=main\n'
		printf '%s %s 0 0 %s 0 0\n' 1 "$dr" "$most" summary: "$dr" "$most"
	} >huge.out
	touch -d 2024-01-02 huge.out
	cacheprint -f huge.out | sed -n '/^  EVENT/,/^1 source/p'
done
