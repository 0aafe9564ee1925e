# speex: speech of ours in its three bands, at several qualities, coded and decoded, with SSE; and in fixed point.
package=speex
ran="testenc, testenc_wb and testenc_uwb in nine ways, and in fixed point"
flags=(-O2 "-O3 -march=native")
clang=

# Sums of tones that glide, with some noise, in turn loud and quiet, in $data/sound, 16 bits. Quality and so on come
# from the environment.
prepare() {
	perl -e '
		my ($x, $phase) = (1, 0);
		for my $i (0 .. 160000) {
			my $word = int($i / 2400);
			$phase += (90 + $word * 37 % 120 + $i % 2400 / 60) / 8000 * 6.2831853;
			$x = ($x * 1103515245 + 12345) & 0x7fffffff;
			my $value = sin($phase) + sin($phase * (3 + $word % 5)) / 2 + sin($phase * 11) / 4;
			print pack "s<", 6000 * ($word % 4) / 3 * $value + ($x >> 20) % (200 + $word % 3 * 700);
		}' >"$data/sound" || return
	sed -i -E '/tmp=[0-9]+;/ { N
		s/tmp=([0-9]+);(.*SPEEX_SET_(QUALITY|COMPLEXITY|VBR|ENH),)/tmp=getenv("\3") ? atoi(getenv("\3")) : \1;\2/ }' \
		libspeex/testenc*.c && sed -i 's/-O3 -msse/-msse/' configure
}

# of DIRECTORY OPTION PROGRAM...
of() {
	local name
	mkdir "$1" && cd "$1" && ../configure --disable-shared "$2" && make -s -j2 -C libspeex libspeex.la || return
	for name in "${@:3}"; do
		$CC $CFLAGS -DHAVE_CONFIG_H -I. -Iinclude/speex -I../include -I../libspeex -o "$name" "../libspeex/$name.c" \
			libspeex/.libs/libspeex.a -lm || return
	done
}

build() {
	(of float --enable-sse testenc testenc_wb testenc_uwb) && (of fixed --enable-fixed-point testenc testenc_wb)
}

# coded PROGRAM NAME=VALUE...: sums of what is coded, and of what comes out. It returns 1.
coded() {
	echo "$*" && env "${@:2}" "./$1" sound decoded bits 2>said
	echo "status $?" && cat said
	grep '==cacheprof==' said >&2
	cksum decoded bits
}

exercise() {
	local bytes=320000 band
	if [ "$size" = medium ]; then bytes=3000; fi
	head -c $bytes "$data/sound" >sound
	for band in testenc testenc_wb; do
		coded float/$band QUALITY=3 COMPLEXITY=2 && coded float/$band QUALITY=8 ENH=0 &&
			coded float/$band QUALITY=10 COMPLEXITY=5 && coded float/$band QUALITY=5 VBR=1
		coded fixed/$band QUALITY=6
	done
	coded float/testenc_uwb QUALITY=6
}

tally() {
	grep -cE '^[0-9]+ [0-9]+ ' "$1" | sed 's/$/ sums/'
}

oracle() {
	head -c 3000 "$data/sound" >"$work/small"
	equal float/testenc "$work/small" "$work/out" "$work/bits" &&
		equal float/testenc_uwb "$work/small" "$work/out" "$work/bits" &&
		equal fixed/testenc_wb "$work/small" "$work/out" "$work/bits"
}
