# CPython: the interpreter, its extension modules, which it loads, and tests of its own: threads, fork, exec,
# signals, C calls from Python and Python calls from C. Modules that are ours in the system's interpreter.
# The self-check, a thousand times as slow, sees few of them.
package=python3.11
ran="a part of its tests, its modules in the system's interpreter"
flags=(-O2)
clang=
patch=

# test_decimal and test_pickle, which only count for minutes, are left out.
tests="test_threading test_thread test_fork1 test_os test_posix test_subprocess test_signal test_faulthandler
	test_ctypes test_capi test_json test_re test_struct test_sqlite3 test_mmap test_zlib
	test_math test_float test_gc test_exceptions test_generators"

# What the self-check runs: tests that import nothing but unittest, and modules written in C.
few="test.test_augassign test.test_class test.test_dictcomps test.test_exception_variations test.test_iterlen
	test.test_super test.test_unary"
modules="array|_bisect|_csv|_decimal|_heapq|_json|_pickle|_random|_sqlite3|_struct|cmath|math|unicodedata|zlib"

# Its configure says -fwrapv only where CC begins with gcc.
build() {
	CFLAGS="$CFLAGS -fwrapv" ./configure -q --without-ensurepip && case $CC in
	*--self-check*) build_alone ;;
	*) make -s -j2 python sharedmods ;;
	esac
}

# build_alone: for the self-check the modules are in the interpreter; and where the build runs the interpreter, it
# runs the native one.
build_alone() {
	local python="$work/native/python -E"
	{ echo '*static*' && grep -E "^($modules) " Modules/Setup.stdlib; } >Modules/Setup.local
	make -s PYTHON_FOR_FREEZE="$python" PYTHON_FOR_BUILD="$python" python &&
		$python -m compileall -q Lib/{,collections,encodings,importlib,re,unittest}/*.py \
			$(printf 'Lib/%s.py ' ${few//./\/})
}

# results XML: a line for each test, in an order of its own.
results() {
	sed 's/<testcase/\n&/g' "$1" | sed -nE 's/^<testcase name="([^"]*)".*<(failure|error).*/FAIL: \1/p; t
		s/^<testcase name="([^"]*)".*<skipped.*/SKIP: \1/p; t
		s/^<testcase name="([^"]*)".*/PASS: \1/p' | sort
}

# guest: what a system's interpreter of the same version makes of the modules.
guest() {
	/usr/bin/python3.11 -I - "$PWD"/build/lib.*/ <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import _decimal, _json, _sqlite3, _bz2, _lzma, _ctypes, mmap, threading

def work():
    d = _decimal.Decimal(2)
    for i in range(200):
        d = d.sqrt() + i
    s = _json.encode_basestring_ascii("\u00e9" * 100)
    return d, s[:20], _lzma.LZMACompressor().compress(b"x" * 1000), _bz2.BZ2Compressor(1).flush()[:4]

print([m.__file__.startswith(sys.argv[1]) for m in (_decimal, _json, _sqlite3, _bz2, _lzma, _ctypes, mmap)])
threads = [threading.Thread(target=lambda: print(work())) for i in range(4)]
for t in threads:
    t.start()
    t.join()
c = _sqlite3.connect(":memory:")
print(c.execute("select sum(length(hex(zeroblob(1000))))").fetchall())
END
}

at_work() {
	./python -I -S - <<'END'
import array, cmath, math, unicodedata, zlib
import _bisect, _csv, _decimal, _heapq, _json, _pickle, _random, _sqlite3, _struct

d = _decimal.Decimal(2)
for i in range(20):
    d = d.sqrt() + i
numbers = array.array("d", (math.sin(i) for i in range(50)))
_heapq.heapify(heap := list(numbers))
r = _random.Random(7)
c = _sqlite3.connect(":memory:")
print(d, heap[0], _bisect.bisect_left(sorted(heap), 0.5), cmath.exp(1j), r.random(), r.getrandbits(70))
print(_json.encode_basestring_ascii("\u00e9" * 20), unicodedata.name("\u00e9"), zlib.crc32(b"x" * 1000))
print(len(zlib.compress(numbers.tobytes())), _pickle.loads(_pickle.dumps({1: [2.5, "three"]})))
print(_struct.pack("<hqd", 1, 2, 3.5), list(_csv.reader(["a,'b',\"c,d\""])), pow(3, 2000, 10**50))
print(c.execute("select sum(length(hex(zeroblob(100))))").fetchall())
END
}

exercise_few() {
	local status
	at_work && ./python -S -m unittest -v $few 2>test.log
	status=$?
	sed -nE 's/^(.*) \.\.\. ok$/PASS: \1/p' test.log
	grep '==cacheprof==' test.log >&2
	return $status
}

exercise() {
	if [ "$size" = medium ]; then
		exercise_few
		return
	fi
	# What a script runs in the background ignores SIGINT, which some tests send.
	env --default-signal=INT ./python -m test -j2 --timeout 900 --junit-xml=results.xml $tests >test.log 2>&1
	results results.xml
	if [ -x /usr/bin/python3.11 ]; then guest; fi
}

tally() {
	passed "$1"
}
