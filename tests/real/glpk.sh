# glpk: its solver on its examples, by the simplex method, by interior points, and in integers: C with much floating
# point, and longjmp out of its reader of models.
package=glpk
ran="its examples that take less than two seconds, by three methods"
flags=(-O2 "-O3 -march=native")
clang=

slow="hashi huge jssp life_goe magic numbrix pentomino planarity tas tiling trick tsp"
few="assign cflsq diet egypt food gap stigler transp"

build() {
	./configure --disable-shared && make -s -j2
}

# solved ARGUMENT...: the solution, and what was printed but for times, memory, and lines that come every so many
# seconds.
solved() {
	echo "$*" && rm -f solution && examples/glpsol "$@" -o solution >glpsol.log
	echo "status $?" && grep -vE 'Time used|Memory used|secs|^Solution time|^[+*# ]+[0-9]+:' glpsol.log
	cat solution
}

exercise() {
	local file name
	if [ "$size" = medium ]; then
		for name in $few; do solved -m "examples/$name.mod"; done
		solved --nopresol --mps examples/murtagh.mps && solved --interior -m examples/transp.mod
		return
	fi
	for file in examples/*.mod; do
		name=$(basename "$file" .mod)
		case " $slow " in *" $name "*) ;; *) solved -m "$file" ;; esac
	done
	for file in examples/*.lp; do solved --lp "$file" && solved --lp "$file" --exact; done
	for file in examples/{plan,murtagh}.mps; do solved --mps "$file" --interior && solved --mps "$file" --dual; done
	for name in dea dist powplant train; do solved -m "examples/$name.mod" --nopresol --dual --steep; done
	for name in bpp fctp food2 gap; do solved -m "examples/$name.mod" --cuts --fpump; done
	solved --minisat -m examples/queens.mod && solved --mincost examples/sample.min &&
		solved --maxflow examples/sample.max && solved --cnf examples/sample.cnf --minisat
}

tally() {
	runs "$1"
}

