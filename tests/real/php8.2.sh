# php8.2: its interpreter: one function of many thousand instructions whose labels are jumped to, registers that are
# variables of the whole unit, its own stacks for fibers.
package=php8.2
ran="a script of ours, its 18 small benchmarks, parts of its tests"
flags=(-O2 "-O3 -march=native")
clang=
script=$here/php/script.php

build() {
	./configure --disable-all --disable-cgi --disable-phpdbg --enable-tokenizer --enable-ctype && make -s -j2 cli
}

# its_tests DIRECTORY...: what its test suite says of each.
its_tests() {
	NO_INTERACTION=1 SKIP_SLOW_TESTS=1 TEST_PHP_EXECUTABLE=$PWD/sapi/cli/php \
		sapi/cli/php -n run-tests.php -q -n --no-color --set-timeout 600 "$@" >tests.log 2>&1
	tr '\r' '\n' <tests.log | sed -nE 's/^(PASS|FAIL|XFAIL|SKIP|BORK|WARN) (.*\[[^]]*\]).*/\1: \2/p'
}

exercise() {
	if [ "$size" = medium ]; then
		sapi/cli/php -n "$script" 3 && its_tests Zend/tests/{fibers,generators/errors,match}
		return
	fi
	sapi/cli/php -n "$script" 300 && sapi/cli/php -n Zend/bench.php | awk '/^[a-z]/ { print $1 }' &&
		its_tests Zend/tests/{fibers,generators,gc_0*,closures,traits,try,match,weakrefs} ext/standard/tests/math
}

tally() {
	awk '/^PASS:/ { p++ } /^(FAIL|BORK|WARN):/ { f++ } /^(SKIP|XFAIL):/ { s++ } !/:/ { l++ }
		END { printf "%d lines, %d pass, %d fail, %d skipped\n", l, p, f, s }' "$1"
}

# Not compared, for under Valgrind it does something else: what chooses code by the processor, or an encoding by where
# memory lies; what copies the environment; what goes on until mmap's address is a multiple of 2 MiB; what tells Valgrind
# of a fiber's stack; what PHP replaces by another function for it. And libc's strspn and the like, which have lines in
# the headers of intrinsics that PHP has, too.
elsewhere="php_addslashes|php_stripslashes|php_base64_|crc32_x86_|emit_x86_instruction|ensure_buf|generate_far_jump_code"
elsewhere="$elsewhere|sljit_generate_code|(save|cleanup)_ps_args|zend_mm_(mmap|munmap|chunk_alloc)"
elsewhere="$elsewhere|zend_fiber_(stack_allocate|destroy_context)|zend_string_equal_val|__str"

oracle() {
	equal "--only=^(?!$elsewhere)" sapi/cli/php -n -d variables_order=G "$script" 2
}
