# leveldb: its own tests and its benchmark: C++, threads, mmap. googletest is built with it.
# DBTest.HiddenValuesAreRemoved is left out: it fails natively, too, when its compacting thread comes at the
# wrong time.
package=leveldb
ran="most of its tests, db_bench"
flags=(-O2 "-O3 -march=native")
needs=cmake
clang=

few="dbformat_test log_test version_edit_test write_batch_test memenv_test filter_block_test arena_test
	bloom_test cache_test coding_test crc32c_test"
tests="$few c_test fault_injection_test env_test env_posix_test autocompact_test corruption_test db_test
	recovery_test skiplist_test version_set_test table_test"

# db_test's one benchmark, which needs a library more, is left out.
prepare() {
	"$here/fetch" googletest "$sources" &&
		tar -xf "$sources/googletest_"*.orig.tar.* -C third_party/googletest --strip-components=1 &&
		printf 'add_library(benchmark INTERFACE)\n' >third_party/benchmark/CMakeLists.txt &&
		sed -i '/benchmark\/benchmark.h/d; /^static void BM_/,/^}/d; /^BENCHMARK(/d; /RunSpecifiedBenchmarks/d' \
			db/db_test.cc
}

build() {
	case $CC in *--self-check*) tests=$few ;; esac
	cmake -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CFLAGS" \
		-DHAVE_SNAPPY=0 -DHAVE_TCMALLOC=0 . && make -j2 leveldb db_bench $tests
}

# says TEST: a line for each of its tests, without its time.
says() {
	GTEST_FILTER="-*.HiddenValuesAreRemoved" "./$1" 2>&1 | sed -nE '/==cacheprof==/w says.err
		s/^\[       OK \] ([^ ]*).*/PASS: \1/p; s/^\[  FAILED  \] ([^ ]*) \(.*/FAIL: \1/p
		s/^PASS$/PASS: c_test/p'
	cat says.err >&2
}

bench() {
	local status
	./db_bench --db="$PWD/bench.db" --num="$1" --threads=2 \
		--benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq,readreverse,compact,readhot,stats \
		>bench.log 2>bench.err
	status=$?
	grep -oE '^[a-z0-9]+ +:' bench.log
	grep '==cacheprof==' bench.err >&2
	return $status
}

exercise() {
	local name
	if [ "$size" = large ]; then set -- $tests; else set -- $few; fi
	for name; do says "$name"; done
	if [ "$size" = large ]; then bench 50000; else bench 500; fi
}

tally() {
	passed "$1"
}
