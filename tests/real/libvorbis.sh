# libvorbis: sound of ours, coded by its example in four ways, decoded by two more, sought in by a third; its test of
# all numbers of channels. With -ffast-math, as its configure has it; libogg is built with it.
package=libvorbis
ran="encoder_example in 4 ways, three examples that decode, its test"
flags=(-O2 "-O3 -march=native")
clang=

# Two channels of tones that come and go, with noise in one, in $data/sound, as in a .wav. Ways of coding come from
# the environment.
prepare() {
	perl -e '
		my $x = 1;
		print "RIFF", "\0" x 32, "data", "\0" x 4;
		for my $i (0 .. 130000) {
			my $word = int($i / 9000);
			my $fade = 1 - $i % 9000 / 9000;
			$x = ($x * 1103515245 + 12345) & 0x7fffffff;
			my $value = sin($i * 0.01 * (1 + $word % 7)) + sin($i * 0.0713 * (1 + $word % 3)) / 2;
			print pack "s<s<", 15000 * $fade * $value, 9000 * $value + ($x >> 19) * $fade;
		}' >"$data/sound" || return
	sed -i -e 's/srand(time(NULL))/srand(1)/' -e '/ret=vorbis_encode_init_vbr(&vi,2,44100,0.1);/c\
		ret = getenv("RATE") ? vorbis_encode_init(&vi, 2, 44100, -1, atol(getenv("RATE")), -1)\
				     : vorbis_encode_init_vbr(&vi, 2, 44100, atof(getenv("QUALITY")));' \
		examples/encoder_example.c &&
		sed -i 's/q+=.1;/q+=getenv("FEW")?1.:.3;/; 1i #include <stdlib.h>' test/test.c &&
		"$here/fetch" libogg "$sources" && mkdir ogg &&
		tar -xf "$sources/libogg_"*.orig.tar.* -C ogg --strip-components=1 && cd ogg && ./configure
}

build() {
	local options="-ffast-math -Iinclude -Ilib -Iogg/include" name
	printf '%s\n' lib/*.c ogg/src/*.c | grep -vE 'lib/(tone|psytune|barkmel)\.c' >files &&
		xargs <files -P 2 -I FILE $CC $CFLAGS $options -c FILE -o FILE.o && ar rcs all.a $(sed 's/$/.o/' files) &&
		for name in encoder decoder vorbisfile seeking; do
			$CC $CFLAGS $options -o $name "examples/${name}_example.c" all.a -lm || return
		done && $CC $CFLAGS $options -o test_all test/*.c all.a -lm
}

exercise() {
	local bytes=520000 way
	if [ "$size" = medium ]; then bytes=10000; fi
	head -c $bytes "$data/sound" >sound
	for way in QUALITY=0.1 QUALITY=-0.1 QUALITY=0.9 RATE=128000; do
		echo $way && env $way ./encoder <sound >coded.ogg && cksum coded.ogg && ./decoder <coded.ogg >decoded &&
			cksum decoded && ./vorbisfile <coded.ogg | cksum || return
		if [ "$size" = medium ]; then break; fi
	done
	if [ "$size" = large ]; then ./seeking <coded.ogg 2>sought && cksum sought && FEW=1 ./test_all; fi
}

tally() {
	echo "$(grep -cE '^[0-9]+ [0-9]+' "$1") sums, $(grep -c ': ok' "$1") tests pass"
}

oracle() {
	head -c 20000 "$data/sound" >"$work/small" &&
		QUALITY=0.3 "$work/native/encoder" <"$work/small" >"$work/small.ogg" 2>"$work/encoder.err" &&
		QUALITY=0.3 equal --stdin="$work/small" encoder && equal --stdin="$work/small.ogg" decoder
}
