# libjpeg-turbo: a picture of ours and its own, coded and decoded in all ways, with progressive and arithmetic coding,
# and its tests of TurboJPEG. Without its SIMD, which is nasm's.
package=libjpeg-turbo
ran="cjpeg in 13 ways, djpeg in 13, jpegtran in 11, tjunittest in 4"
flags=(-O2 "-O3 -march=native")
needs=cmake
clang=

# A picture of waves of several lengths, and of edges. The test of sizes of buffers, which takes 20 seconds, makes
# less.
prepare() {
	perl -e '
		my ($width, $height) = (560, 400);
		print "P6\n$width $height\n255\n";
		for my $y (0 .. $height - 1) {
			for my $x (0 .. $width - 1) {
				my $wave = ($x * $x + 3 * $y * $y >> 7) & 511;
				$wave = 511 - $wave if $wave > 255;
				my $edge = ($x ^ $y) & 64 ? 40 : 0;
				print pack "C3", $wave, ($wave >> 1) + $edge, ($x * $y + $edge >> 4) & 255;
			}
		}' >"$data/picture.ppm" && cp testimages/testorig.ppm "$data/small.ppm" &&
		sed -i 's/for (w = 1; w < 48; w++)/for (w = 1; w < 8; w++)/; s/ 2048 : 48/ 512 : 48/' tjunittest.c
}

build() {
	cmake -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$CFLAGS" -DWITH_SIMD=0 -DENABLE_SHARED=0 . &&
		make -s -j2 cjpeg-static djpeg-static jpegtran-static tjunittest-static
}

# to FILE TOOL OPTION...: what the tool makes, and its sum
to() {
	echo "${*:2}" && "./$2-static" "${@:3}" >"$1" && cksum <"$1"
}

# of PICTURE: coded, decoded and transformed
of() {
	to base.jpg cjpeg "$1" && to fine.jpg cjpeg -quality 95 -sample 1x1 -optimize "$1" &&
		to progressive.jpg cjpeg -progressive "$1" && to fast.jpg cjpeg -dct fast -sample 2x1 "$1" &&
		to float.jpg cjpeg -dct float -smooth 20 "$1" && to gray.jpg cjpeg -grayscale -restart 1 "$1" &&
		to rgb.jpg cjpeg -rgb -quality 60 "$1" && to arithmetic.jpg cjpeg -arithmetic "$1" &&
		to both.jpg cjpeg -arithmetic -progressive -quality 50,70 "$1" &&
		to odd.jpg cjpeg -sample 1x2,1x1,1x1 "$1" && to tall.jpg cjpeg -sample 4x1 -restart 40B "$1" &&
		to script.jpg cjpeg -scans testimages/test.scan "$1" &&
		to bad.jpg cjpeg -quality 3 -baseline "$1" || return
	to picture.ppm djpeg base.jpg && to picture.bmp djpeg -bmp fine.jpg && to scaled.ppm djpeg -scale 3/8 fast.jpg &&
		to part.ppm djpeg -crop 100x70+33+21 progressive.jpg && to skipped.ppm djpeg -skip 20,90 base.jpg &&
		to plain.ppm djpeg -nosmooth -dct fast base.jpg && to picture.gif djpeg -gif -colors 60 base.jpg &&
		to one.gif djpeg -gif -onepass -dither ordered -colors 20 fine.jpg &&
		to 565.bmp djpeg -rgb565 -bmp odd.jpg && to float.ppm djpeg -dct float arithmetic.jpg &&
		to large.tga djpeg -targa -scale 13/8 tall.jpg && to gray.ppm djpeg -grayscale both.jpg &&
		to mapped.bmp djpeg -os2 -map one.gif script.jpg || return
	to moved.jpg jpegtran -rotate 90 -trim base.jpg && to moved.jpg jpegtran -rotate 180 -copy none fine.jpg &&
		to moved.jpg jpegtran -flip horizontal fast.jpg && to moved.jpg jpegtran -transpose odd.jpg &&
		to moved.jpg jpegtran -transverse -progressive base.jpg && to moved.jpg jpegtran -grayscale fast.jpg &&
		to part.jpg jpegtran -crop 90x60+16+32 -optimize base.jpg && to moved.jpg jpegtran -arithmetic tall.jpg &&
		to moved.jpg jpegtran -wipe 32x32+16+16 script.jpg &&
		to moved.jpg jpegtran -drop +48+32 part.jpg progressive.jpg && to moved.jpg jpegtran -flip vertical both.jpg &&
		to again.jpg cjpeg -targa large.tga && to again.jpg cjpeg one.gif
}

# unit OPTION...: its lines say which picture of which form passed.
unit() {
	echo "tjunittest $*" && ./tjunittest-static "$@" | sed 's/ *[0-9.]* ms *$//'
	return "${PIPESTATUS[0]}"
}

exercise() {
	if [ "$size" = large ]; then
		of "$data/picture.ppm" && of testimages/nightshot_iso_100.bmp && unit && unit -alloc && unit -yuv &&
			unit -bmp
	else
		of "$data/small.ppm" && unit -bmp
	fi
}

tally() {
	echo "$(grep -cE '^[0-9]+ [0-9]+$' "$1") sums, $(grep -c 'Passed' "$1") pictures pass"
}

oracle() {
	equal cjpeg-static -outfile "$work/small.jpg" "$data/small.ppm" &&
		equal djpeg-static -outfile "$work/small.out" "$work/small.jpg" &&
		equal djpeg-static -gif -outfile "$work/small.out" "$work/small.jpg" &&
		equal cjpeg-static -arithmetic -dct float -outfile "$work/small.jpg" "$data/small.ppm" &&
		equal jpegtran-static -progressive -rotate 90 -outfile "$work/small.out" "$work/small.jpg" &&
		equal djpeg-static -scale 5/8 -outfile "$work/small.out" "$work/small.out"
}
