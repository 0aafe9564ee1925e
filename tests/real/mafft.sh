# mafft: alignments of sequences made at random, of proteins and of genes: dynamic programming over large matrices,
# Fourier transforms, trees; C, in threads, too.
package=mafft
ran="eight kinds of alignments of 30 sequences made at random"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	make -s -C core CC="$CC" CFLAGS="$CFLAGS -w"
}

# sequences LETTERS NUMBER LENGTH: each is one of those before it, in which letters have changed and some are gone.
sequences() {
	awk -v letters="$1" -v n="$2" -v long="$3" 'BEGIN {
		srand(7)
		for (i = 0; i < n; i++) {
			from = int(rand() * i)
			made[i] = ""
			for (k = 1; k <= long; k++) {
				letter = substr(made[from], k, 1)
				if (letter == "" || rand() < 0.06)
					letter = substr(letters, 1 + int(rand() * length(letters)), 1)
				if (rand() > 0.01)
					made[i] = made[i] letter
			}
			printf ">%d\n%s\n", i, made[i]
		}
	}'
}

# aligned FILE OPTION...
aligned() {
	echo "$*" && MAFFT_BINARIES=$PWD/binaries bash core/mafft --quiet "${@:2}" "$1" >alignment
	echo "status $?" && cksum <alignment
}

exercise() {
	local n=6 length=60
	[ "$size" = medium ] || n=30 length=400
	sequences ACDEFGHIKLMNPQRSTVWY $n $length >proteins && sequences ACGT $n $((length * 2)) >genes
	aligned proteins --auto && aligned genes --auto && aligned proteins --localpair --maxiterate 10
	aligned proteins --globalpair --maxiterate 5 && aligned genes --genafpair --maxiterate 2
	aligned genes --retree 2 --fft && aligned proteins --parttree && aligned genes --thread 2 --threadit 0 --retree 2
}

tally() {
	runs "$1"
}
