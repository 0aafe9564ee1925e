# opus: its own tests, by a fixed seed, and a codec over 10 MB. Intrinsics for several processors, chosen at run time.
# Not in fixed point, which crashes natively where there is SSE4.1.
package=opus
ran="most of its tests, opus_demo on 10 MB"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared --disable-doc && make -s -j2 && make -s check TESTS=
}

# coded OPTION...: a round trip; sums of what is between, and of what comes out.
coded() {
	./opus_demo -e "$@" "$data/$size" coded 2>/dev/null && ./opus_demo -d 48000 2 coded decoded 2>/dev/null &&
		cksum <coded && cksum <decoded
}

# The test of the encoder takes longest, and does what opus_demo does.
exercise() {
	local tests

	tests=$(printf 'celt/tests/test_unit_%s ' dft laplace mathops mdct rotation types)tests/test_opus_padding
	if [ "$size" = large ]; then
		tests+=" celt/tests/test_unit_cwrs32 celt/tests/test_unit_entropy silk/tests/test_unit_LPC_inv_pred_gain"
		tests+=" tests/test_opus_api tests/test_opus_decode tests/test_opus_projection"
	fi
	SEED=7 checked_by make check TESTS="$tests"
	coded audio 48000 2 96000 -cvbr && coded audio 48000 2 24000 -complexity 5 &&
		coded voip 16000 1 16000 -inbandfec -loss 10 && coded restricted-lowdelay 48000 2 64000 -framesize 5
}

tally() {
	passed "$1"
}
