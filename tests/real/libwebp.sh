# libwebp: pictures of up to 10 MB, with loss and without, with alpha, and back, with threads; an animation. Intrinsics
# for several processors, chosen at run time.
package=libwebp
ran="cwebp and dwebp of pictures in ten ways, img2webp, webpmux"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared --enable-libwebpmux --disable-{png,jpeg,tiff,gif,gl,sdl,wic} && make -s -j2
}

# coded PICTURE OPTION...: sums of what is coded, and of what comes out.
coded() {
	echo "$*" && examples/cwebp -quiet "${@:2}" "$1" -o coded.webp &&
		examples/dwebp -quiet coded.webp -pam -o decoded.pam && cksum <coded.webp && cksum <decoded.pam
}

# decoded OPTION...: of what was coded last
decoded() {
	examples/dwebp -quiet coded.webp "$@" -o - | cksum
}

# picture NAME WIDTH HEIGHT [FROM]
picture() {
	{ printf 'P6\n%d %d\n255\n' "$2" "$3" &&
		tail -c "+${4:-1}" "$data/$size" | head -c $(($2 * $3 * 3)); } >"$1.ppm"
}

# with_alpha NAME WIDTH HEIGHT
with_alpha() {
	{ printf 'P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n' "$2" "$3" &&
		head -c $(($2 * $3 * 4)) "$data/$size"; } >"$1.pam"
}

exercise() {
	local width=1800 part=250

	[ "$size" = large ] || width=120 part=64
	picture all "$width" "$width" && picture part "$part" "$part" && picture other "$part" "$part" 100 &&
		with_alpha clear "$part" 90 || return
	coded all.ppm -q 75 -m 2 && coded all.ppm -q 20 -m 4 -mt && coded part.ppm -q 90 -m 6 -sharp_yuv &&
		decoded -mt -yuv && decoded -nofancy -ppm && decoded -crop 3 5 40 30 -bmp &&
		coded part.ppm -lossless -z 4 && coded part.ppm -lossless -z 6 -mt && decoded -flip -tiff &&
		coded part.ppm -near_lossless 40 -q 50 && coded other.ppm -size 3000 -pass 4 -segments 2 -sns 80 &&
		coded clear.pam -alpha_q 10 -alpha_filter best && decoded -scale 70 0 -pam &&
		coded clear.pam -lossless -exact &&
		coded clear.pam -q 60 -resize 33 44 -f 50 -sharpness 3 -preset photo || return
	examples/img2webp -loop 2 -lossy -q 40 part.ppm -d 40 -lossless other.ppm -mixed part.ppm -o moved.webp \
		>img2webp.log || return
	cksum <moved.webp && examples/webpmux -set exif all.ppm moved.webp -o with.webp &&
		examples/webpinfo with.webp | grep -v '^File: '
}

tally() {
	echo "$(grep -cE '^[0-9]+ [0-9]+$' "$1") sums"
}

oracle() {
	equal examples/cwebp -quiet -s 176 144 "$data/small" -o "$work/small.webp" &&
		equal examples/dwebp -quiet "$work/small.webp" -o "$work/small.ppm" &&
		equal examples/cwebp -quiet -lossless -z 3 -s 100 100 "$data/small" -o "$work/small.webp" &&
		equal examples/dwebp -quiet "$work/small.webp" -o "$work/small.ppm"
}
