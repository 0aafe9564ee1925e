# Every shell command that README.md and docs/manual.md show: each block fenced as sh is run in a
# copy of the project (with its build tree, so that nothing is built again), block after block, and
# must succeed. Blocks with another fence are not run: they need root, the network or hours.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS CACHEPROFDIR MAKEFLAGS MAKELEVEL MFLAGS
built=$BUILD
unset BUILD TESTS REAL CACHE PREFIX DESTDIR

# copy: the project, as it is on disk, to $T/project, and what make made of it.
copy() {
	local project=$T/project
	mkdir -p "$project/build" "$T/home" &&
		tar -C "$TOP" --exclude=./build --exclude=./.git --exclude="./${built#"$TOP"/}" -cf - . | tar -C "$project" -xf - &&
		tar -C "$built" --exclude=./real --exclude=./bench --exclude=./demo --exclude=./fuzz --exclude=./tests -cf - . |
		tar -C "$project/build" -xf - &&
		cat >"$project/foo.c" <<-'END' && cat >"$project/bar.c" <<-'END2'
			int bar(int n);
			int main(void) { return bar(10) != 45; }
		END
			int bar(int n)
			{
				int s = 0;
				for (int i = 0; i < n; i++) s += i;
				return s;
			}
		END2
}
check "a copy of the project" copy

# blocks FILE: its sh blocks into block.1, block.2, ...; prints for each its number and first line.
blocks() {
	rm -f block.*
	awk '/^```/ { if (inside) inside = 0; else if ($0 == "```sh") { inside = 1; n++ }; first = 1; next }
		inside { print > ("block." n); if (first) print n " " NR; first = 0 }' "$1"
}

# run_block N: from the top of the copy, as a reader's shell would; the first failure ends it. Where the
# stack lies is not left to chance: one run's misses are compared with another's.
run_block() {
	(
		cd "$T/project" && export HOME="$T/home" PATH="$T/project/build/bin:$PATH" PWD
		setarch -R bash -e "$T/block.$1" </dev/null
	)
}

# The tutorial is about bzip2's source, which may be here already, or is fetched from the network.
has_bzip2() {
	[ -d "$T/project/sources" ] && return
	"$TOP/tests/real/fetch" bzip2 "$built/real/sources" >/dev/null 2>&1 &&
		mkdir "$T/project/sources" && cp "$built"/real/sources/bzip2_* "$T/project/sources"
}

run_document() {
	local number line
	blocks "$TOP/$1" >list
	check "$1 has commands" test -s list
	while read -r number line; do
		if grep -qE 'cg_annotate|oracle' "block.$number" && ! command -v valgrind >/dev/null; then
			skip "$1:$line" "no valgrind"
			continue
		fi
		if grep -q bzip2 "block.$number" && ! has_bzip2; then
			skip "$1:$line" "no source of bzip2, and no network"
			continue
		fi
		check "$1:$line: $(head -n 1 "block.$number")" run_block "$number"
	done <list
}
run_document README.md
run_document docs/manual.md

# The commands of the manual pages, line by line, in a directory that has what they speak of.
manual_files() {
	local v
	mkdir -p man && cd man || return 1
	cp "$T/project/examples/traverse.c" foo.c && cp foo.c example.c &&
		gcc -S "$T/project/bar.c" -o bar.s && printf '0 0 4\n1 4 4\n' >trace.din || return 1
	for v in 1 2; do
		mkdir -p v$v && sed "s/hello, world/version $v/" foo.c >v$v/foo.c && cacheprof gcc -O1 v$v/foo.c -o v$v/foo &&
			CACHEPROF_OPTIONS=quiet=1 v$v/foo && mv cacheprof.out version$v.out || return 1
	done
	mv version1.out old.out && mv version2.out new.out
}
manual_commands() {
	awk '/^\.nf/ { on = 1 } /^\.fi/ { on = 0 } on' "$TOP/docs/$1" |
		sed -e 's/\\-/-/g; s/\\&//g; s/  *makes .*//' |
		sed -nE "s#/path/to/cacheprof#$T/project#; s#^(\\\$ )?((cacheprof (gcc|--asm)|cacheprint|cachegen [0-9]+k|gcc|\\./(foo|example|sim)).*)#\2#p"
}
run_in_man() { (cd "$T/man" && PATH="$T/project/build/bin:$PATH" bash -ec "$1" </dev/null); }
check "files for the manual pages" manual_files
for page in cacheprof.1 cacheprint.1 cachegen.1; do
	manual_commands "$page" >commands
	check "$page has commands" test -s commands
	while IFS= read -r line; do
		check "$page: $line" run_in_man "$line"
	done <commands
done

# Paths that the documents name exist.
named_paths() {
	local path missing=0
	grep -ohE '\]\([^)#:]+' "$TOP/$1" | sed 's/^](//' >paths
	while read -r path; do
		[ -e "$TOP/$(dirname "$1")/$path" ] || { echo "$1: $path does not exist" && missing=1; }
	done <paths
	return $missing
}
for document in README.md HACKING.md docs/manual.md; do
	check "$document: links lead somewhere" named_paths "$document"
done

# The manual has a row or a paragraph for each option of cacheprof and each key of CACHEPROF_OPTIONS.
tells_options() {
	local option missing=0
	for option in $(cacheprof --help | grep -oE '^  --[a-zA-Z0-9-]+'); do
		grep -qF -e "$option" "$TOP/docs/manual.md" || { echo "$option" && missing=1; }
	done
	return $missing
}
check "docs/manual.md tells all options of cacheprof" tells_options
tells_keys() {
	local key missing=0
	cacheprof gcc "$T/project/examples/traverse.c" -o keys || return 1
	for key in $(CACHEPROF_OPTIONS=help=1 ./keys 2>&1 | sed -nE 's/^==cacheprof==   ([A-Za-z0-9]+)=.*/\1/p'); do
		grep -qE "\`$key=" "$TOP/docs/manual.md" || { echo "$key" && missing=1; }
	done
	return $missing
}
check "docs/manual.md tells all keys of CACHEPROF_OPTIONS" tells_keys

# README.md's figures of speed are those of the last measurement.
same_speed() {
	local results=$TOP/bench/RESULTS.md commit level2 cachegrind without
	value() { sed -nE "s/^\\| $1[^|]*\\|[^|]*\\| ([0-9.]+) .*/\\1/p" "$results"; }
	commit=$(sed -n 's/^- cacheprof //p' "$results")
	level2=$(value 'level 2, geometric mean')
	cachegrind=$(value 'Cachegrind \/ level 2, geometric mean')
	without=$(value 'without AVX-512')
	echo "of $commit: level 2 $level2, Cachegrind $cachegrind, without AVX-512 $without"
	[ -n "$commit" ] && [ -n "$level2" ] && [ -n "$cachegrind" ] && [ -n "$without" ] &&
		grep -qF "There, at $commit on" "$TOP/README.md" &&
		grep -qF "takes $level2 times the native time, and Cachegrind $cachegrind times" "$TOP/README.md" &&
		grep -qF "it takes $without times as long" "$TOP/README.md"
}
check "README.md's figures of speed are bench/RESULTS.md's" same_speed

# What was made is not committed: no file that git keeps is an object or a program.
nothing_made() {
	local file magic made=0
	git -C "$TOP" ls-files -z >kept && [ -s kept ] || return 1
	while IFS= read -r -d '' file; do
		magic=
		[ ! -f "$TOP/$file" ] || LC_ALL=C IFS= read -r -n 4 -d '' magic <"$TOP/$file" 2>/dev/null
		[ "$magic" != $'\177ELF' ] || { echo "$file" && made=1; }
	done <kept
	return $made
}
if git -C "$TOP" rev-parse --git-dir >/dev/null 2>&1; then
	check "no object or program is committed" nothing_made
else
	skip "no object or program is committed" "no git, or not a clone"
fi
finish
