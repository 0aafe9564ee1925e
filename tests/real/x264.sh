# x264: videos of text, which stands still or moves, with threads, in 8 and 10 bits, in two passes. Without its
# assembly, which is nasm's. Its stacks are aligned to 64 bytes (-mpreferred-stack-boundary=6).
package=x264
ran="10 MB of frames in six ways, 40 frames that move in seven"
flags=(-O2 "-O3 -march=native")
clang=

# Its own -O3 stands before ours.
build() {
	./configure --disable-asm --disable-opencl --extra-cflags="$CFLAGS" && make -s -j2 x264
}

# coded FILE OPTION...: the sum of a stream. On standard error are frames per second.
coded() {
	echo "${@:2}" && ./x264 --quiet --no-progress --demuxer raw --input-res "$resolution" --fps 25 "${@:2}" \
		-o coded.264 "$1" && cksum <coded.264
}

# moving WIDTH HEIGHT FRAMES: by two to the side and three down each time
moving() {
	local i
	for ((i = 0; i < $3; i++)); do
		tail -c +$((1 + i * ($1 * 3 + 2))) "$data/$size" | head -c $(($1 * $2 * 3 / 2))
	done
}

# With several threads the self-check makes two system calls for each instruction, so it sees two frames.
exercise() {
	local resolution=176x144 file=$data/$size
	if [ "$size" = large ]; then
		moving 176 144 40 >moving
	else
		resolution=64x48 file=first
		moving 64 48 2 >moving && head -c 10000 "$data/$size" >first
	fi
	coded "$file" --preset ultrafast --qp 30 && coded "$file" --preset veryfast --crf 30 --threads 3 &&
		coded "$file" --preset ultrafast --output-depth 10 --qp 40 &&
		coded "$file" --preset superfast --bitrate 500 --interlaced --frames 40 &&
		coded "$file" --preset medium --crf 35 --frames 5 --threads 2 --sliced-threads &&
		coded "$file" --preset slower --crf 35 --frames 2 --threads 1 || return
	coded moving --preset medium --threads 1 && coded moving --preset veryslow --frames 8 --threads 2 &&
		coded moving --preset faster --tune grain --output-depth 10 --threads 1 &&
		coded moving --preset fast --qp 0 --threads 3 --tff &&
		coded moving --me tesa --trellis 2 --frames 5 --threads 1 &&
		coded moving --pass 1 --bitrate 300 --stats passes --threads 2 &&
		coded moving --pass 2 --bitrate 300 --stats passes --threads 2
}

oracle() {
	equal x264 --quiet --no-progress --demuxer raw --input-res 64x48 --threads 1 --frames 10 -o "$work/small.264" \
		"$data/small"
}
