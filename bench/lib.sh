# What the parts of bench/run share: programs, the ways to build and run them, and where measurements go.
# Sourced by bench/run, which has set $top, $bench, $work, $rounds, $percent and $measurements.

# The programs of tests/real are built as there; they look for their scripts in $here.
real=$top/tests/real
here=$real

# The ways to run a program, in turn; run adds that without AVX-512 where there is AVX-512.
ways=(native level2 level1 branches)
# Of each: how it is built, options of the run, what stands before the command.
# Cachegrind gets the caches that the runtime has; otherwise it takes the host's.
declare -A built_as=([native]=native [level1]=level1 [level2]=level2 [branches]=branches
	[no-avx512]=level2 [cachegrind]=native)
declare -A wrapper=([native]="" [level1]="cacheprof --level1 " [level2]="cacheprof "
	[branches]="cacheprof --branch-sim=yes ")
declare -A run_options=([no-avx512]=":simd=avx2")
cachegrind="valgrind --quiet --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null"
cachegrind+=" --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64"
declare -A in_front=([cachegrind]=$cachegrind)

say() {
	printf 'bench: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit 1
}

# record KIND SUBJECT FLAGS WAY X VALUE: one measurement, which bench/report reads. Repetitions of one
# measurement are in the order in which they were made. A field that says nothing is -.
record() {
	local IFS=$'\t'
	printf '%s\n' "$*" >>"$measurements"
}

# skip SUBJECT REASON: what is not measured, and why; the report lists it.
skip() {
	say "$1 is skipped: $2"
	record skipped "$1" - - - "$2"
}

# text BYTES: prints the name of a file with so much text, the same every time.
text() {
	local file=$work/text.$1
	if [ ! -e "$file" ]; then
		"$real/data" "$1" >"$file.new" || die "no text: tests/real/data failed"
		mv "$file.new" "$file"
	fi
	echo "$file"
}

# measured COMMAND...: runs it with standard input from $stdin; its output is in $work/out, and what it
# took in the variables cpu, elapsed (seconds) and memory (KiB).
measured() {
	"$work/measure" "$work/took" "$@" <"$stdin" >"$work/out" 2>"$work/err" || return
	read -r cpu elapsed memory <"$work/took"
}

# load PROGRAM: sets package (empty: the source is in bench/programs), needs, stdin, command, and the
# functions prepare and build, which are called in a copy of the source with $CC, $CXX, $FC and $CFLAGS.
load() {
	name=$1 package='' needs=true stdin=/dev/null command=(./program "$percent")
	prepare() { :; }
	build() { build_own; }
	# shellcheck source=/dev/null
	if [ -e "$bench/programs/$name.sh" ]; then . "$bench/programs/$name.sh"; fi
}

# build_own: a program of one file.
build_own() {
	local source
	source=$(ls "$bench/programs/$name".c*)
	# shellcheck disable=SC2086 # compilers and flags are words
	case $source in
	*.cc) $CXX $CFLAGS -o program "$source" ;;
	*) $CC $CFLAGS -o program "$source" ;;
	esac
}

# source_of: the loaded program's source into $work/source/NAME, prepared; says why not.
source_of() {
	local source=$work/source/$name
	if [ -d "$source" ]; then return; fi
	if ! command -v "$needs" >/dev/null; then
		skip "$name" "needs $needs"
		return 1
	fi
	mkdir -p "$source.new"
	if [ "$package" ]; then
		if ! "$real/fetch" "$package" "$sources" 2>"$work/log"; then
			skip "$name" "no network, and no source package in $sources"
			return 1
		fi
		tar -xf "$sources/${package}_"*.orig.tar.* -C "$source.new" --strip-components=1
		(cd "$source.new" && prepare) >"$work/log" 2>&1 ||
			die "$name cannot be prepared: $(tail -n 5 "$work/log")"
	fi
	mv "$source.new" "$source"
}

# built FLAGS HOW: the loaded program, so built, is in $work/trees/HOW.
built() {
	local tree=$work/trees/$2
	rm -rf "$tree"
	mkdir -p "$work/trees"
	cp -r "$work/source/$name" "$tree"
	(
		cd "$tree"
		export CC="${wrapper[$2]}gcc" CXX="${wrapper[$2]}g++" FC="${wrapper[$2]}gfortran" CFLAGS="$1 -w"
		build
	) >"$work/log" 2>&1 || die "$name $1 cannot be built for $2: $(tail -n 5 "$work/log")"
}

# ran WAY: runs the loaded program and leaves what it took, as measured does.
ran() {
	cd "$work/trees/${built_as[$1]}" || return
	# shellcheck disable=SC2086 # words
	CACHEPROF_OPTIONS=quiet=1${run_options[$1]:-} measured ${in_front[$1]:-} "${command[@]}"
}
