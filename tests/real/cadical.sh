# cadical: a SAT solver: its own formulas and harder ones, with proofs that are the same, byte for byte; traces of
# calls and random ones, each in a child with limits of time and space; its tests of the interfaces.
package=cadical
ran="its formulas and others, its traces, random calls, its tests of interfaces"
flags=(-O3 "-O3 -march=native") # its configure adds -O3
clang=

# random_formula SEED VARIABLES CLAUSES
random_formula() {
	awk -v x="$1" -v n="$2" -v m="$3" 'BEGIN { print "p cnf", n, m
		for (i = 0; i < m; i++) { for (j = 0; j < 3; j++) { x = (x * 16807) % 2147483647
			v = 1 + int(x / 7) % n; printf "%d ", x % 2 ? v : -v }; print 0 } }'
}

# Nothing is sorted by addresses: how long that takes depends on them.
prepare() {
	sed -i 's/return (size_t) ptr;/return 0 * (size_t) ptr;/' src/radix.hpp &&
		random_formula 1 100 430 >small.cnf && random_formula 2 200 852 >medium.cnf &&
		random_formula 5 300 1278 >large.cnf
}

build() {
	local test
	CXX="$CXX" CXXFLAGS="$CFLAGS -DNDEBUG" ./configure && make -j2 || return 1
	for test in unit morenmore example learn traverse; do
		$CXX $CFLAGS -Isrc -Ibuild test/api/$test.cpp -Lbuild -lcadical -o build/$test || return 1
	done
}

# solved FILE...: its status, its solution, the checksum of its proof.
solved() {
	local file
	for file; do
		echo "$file" && build/cadical -q --no-binary "$file" proof
		echo "status $?" && cksum <proof
	done
}

# called ARGUMENT...: what mobical did.
called() {
	build/mobical --time 1000 --no-terminal "$@" >mobical.log 2>&1
	echo "status $?" && grep -E '^m (input|seed|generated|solved)' mobical.log
	grep '==cacheprof==' mobical.log >&2
}

exercise() {
	local file seed test
	if [ "$size" = medium ]; then
		solved test/cnf/{add4,prime4,prime49,sat*,ph*,unit*}.cnf small.cnf
		set -- test/trace/reg000*.trace
	else
		solved test/cnf/*.cnf small.cnf medium.cnf large.cnf
		set -- test/trace/*.trace
	fi
	for file; do called "$file"; done
	for seed in 1 2 3; do called $seed; done
	for test in unit morenmore example learn traverse; do
		echo "$test" && "build/$test" >test.log
		echo "status $?" && sed 's/0x[0-9a-f]*/ADDRESS/' test.log
	done
}

oracle() {
	equal build/cadical -q "$work/source/test/cnf/add64.cnf" && equal build/cadical -q "$work/source/small.cnf"
}
