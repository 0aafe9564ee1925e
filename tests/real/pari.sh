# pari: its calculator, gp, and tests of its own: a stack of its own in which it unwinds by longjmp, inline assembly,
# threads with thread-local stacks; an executable made of -fPIC code that exports its thread-local variables.
package=pari
ran="a part of its test-all, with one thread and with three"
flags=(-O2 "-O3 -march=native")
clang=

few="agm apply bit charpoly compat contfrac err list map minmax self trans2 vararg"
tests="$few iterator algebras arith aurifeuille bnr combinat digits elliptic extract factormod ff fflog galois gamma
	hyperell intnum ispower lfun linear mathnf modpr modsym nf nfields number partition pol polmod print qf qfisom
	quad rnf round4 ser set sumnum thue trans zetamult"

# A file more, of which little is computed in threads: the self-check is slow.
prepare() {
	cat >src/test/in/threads <<-END
		parapply(x->factor(2^x-1),[50..60])
		parapply(x->iferr(1/x,E,errname(E)),[0,1,2])
		f(x)=if(x==0,error("zero"),x);
		export(f);
		parapply(f,[1,0])
		pareval([()->matdet(mathilbert(30)),()->bernreal(100)])
		parsum(i=1,1000,moebius(i))
		parselect(isprime,[2^100..2^100+100],1)
	END
}

build() {
	./Configure --builddir=made --mt=pthread --graphic=none --without-readline --without-gmp &&
		make -C made -j2 gp-sta
}

# says THREADS TEST...: what gp prints, without its times.
says() {
	local threads=$1 name
	shift
	for name; do
		echo "$name" && made/gp-sta -q -f --test -D nbthreads="$threads" <"src/test/in/$name" 2>gp.err
		echo "status $?" && ! grep '==cacheprof==' gp.err >&2
	done
}

exercise() {
	if [ "$size" = medium ]; then
		says 1 $few && says 3 threads
	else
		says 1 $tests && says 3 threads parallel
	fi
}

tally() {
	awk '/^status 0$/ { p++ } /^status [^0]/ { f++ } END { printf "%d files run, %d with an error", p, f }' "$1"
}

oracle() {
	equal made/gp-sta -q -f --help
}
