# CPython: the interpreter, its extension modules, which it loads, and tests of its own: threads, fork, exec,
# signals, C calls from Python and Python calls from C. Modules that are ours in the system's interpreter.
package=python3.11
ran="a part of its tests, its modules in the system's interpreter"
flags=(-O2)
clang=
self_check=
patch=

# test_decimal and test_pickle, which only count for minutes, are left out.
tests="test_threading test_thread test_fork1 test_os test_posix test_subprocess test_signal test_faulthandler
	test_ctypes test_capi test_json test_re test_struct test_sqlite3 test_mmap test_zlib
	test_math test_float test_gc test_exceptions test_generators"

# Its configure says -fwrapv only where CC begins with gcc. --self-check sees executables only, and here is more.
build() {
	CFLAGS="$CFLAGS -fwrapv" ./configure -q --without-ensurepip && make -s -j2 python sharedmods
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

exercise() {
	./python -m test -j2 --timeout 900 --junit-xml=results.xml $tests >test.log 2>&1
	results results.xml
	if [ -x /usr/bin/python3.11 ]; then guest; fi
}

tally() {
	passed "$1"
}
