# Every way from source to a profile, with cacheprof's real parts: the same program, the same counts.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROFDIR
export CACHEPROF_OPTIONS=quiet=1

cat >loop.c <<'END'
int sum;
int add(int *v, int n);
int main(void)
{
	int v[8] = {1, 2, 3, 4};
	for (int i = 0; i < 100; i++)
		sum += add(v, 8);
	return sum != 1000;
}
END
cat >add.c <<'END'
int add(int *v, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}
END

# counts: instructions, reads and writes of add.c's lines, from the last run's profile.
counts() {
	./loop && awk '/^fl=/ { mine = /add\.c$/ } mine && /^[0-9]/ { ir[$1] += $2; dr[$1] += $5; dw[$1] += $8 }
		END { for (line in ir) print line, ir[line], dr[line], dw[line] }' cacheprof.out | sort -n
}
same_counts() {
	rm -f cacheprof.out
	counts >now && diff expected now
}
clean() {
	rm -f loop ./*.o ./*.s ./*.sA ./*.i ./*.a
}
cacheprof gcc -O1 loop.c add.c -o loop && counts >expected
check "one command has counts of add.c" grep -q '^5 ' expected

by_objects() {
	clean && cacheprof gcc -O1 -c loop.c add.c && cacheprof gcc loop.o add.o -o loop && same_counts
}
by_assembly() {
	clean && cacheprof gcc -O1 -S loop.c add.c && cacheprof gcc loop.s add.s -o loop && same_counts
}
by_annotated() {
	clean && cacheprof gcc -O1 -SA loop.c add.c && cacheprof gcc -c loop.sA add.sA &&
		cacheprof gcc loop.o add.o -o loop && same_counts
}
by_annotated_assembly() {
	clean && cacheprof gcc -O1 -S add.c && cacheprof gcc -SA add.s && cacheprof gcc -O1 loop.c add.sA -o loop &&
		same_counts
}
by_preprocessed() {
	clean && cacheprof gcc -E add.c -o add.i && cacheprof gcc -O1 loop.c add.i -o loop && same_counts
}
by_temps() {
	clean && cacheprof gcc -O1 -save-temps loop.c add.c -o loop && same_counts
}
by_pipe() {
	clean && cacheprof gcc -O1 -pipe loop.c add.c -o loop && same_counts
}
by_archive() {
	clean && cacheprof gcc -O1 -c add.c && ar rc libadd.a add.o && cacheprof gcc -O1 loop.c -L. -ladd -o loop &&
		same_counts
}
by_thin_archive() {
	clean && mkdir -p elsewhere && cacheprof gcc -O1 -c add.c -o elsewhere/add.o && ar rcT libadd.a elsewhere/add.o &&
		[ "$(head -c 7 libadd.a)" = '!<thin>' ] && cacheprof gcc -O1 loop.c libadd.a -o loop && same_counts
}
by_whole_archive() {
	clean && cacheprof gcc -O1 -c loop.c add.c && ar rcs liball.a loop.o add.o &&
		cacheprof gcc -Wl,--whole-archive liball.a -Wl,--no-whole-archive -o loop && same_counts
}
# What ld -r makes of two may be linked with others, and has each of its parts once.
by_partial_links() {
	clean && cacheprof gcc -O1 -c loop.c add.c && ld -r loop.o -o one.o && ld -r one.o add.o -o both.o &&
		cacheprof gcc both.o -o loop && same_counts
}
by_partial_link() {
	clean && cacheprof gcc -O1 -r loop.c add.c -o both.o && cacheprof gcc both.o -o loop && same_counts
}
for way in objects assembly annotated annotated_assembly preprocessed temps pipe archive thin_archive whole_archive partial_link partial_links; do
	check "the same by way of $way" "by_$way"
done
link_with() {
	clean && cacheprof gcc -O1 "$@" loop.c add.c -o loop && same_counts
}
for how in -static -no-pie -static-pie -g '-g -gz'; do
	# shellcheck disable=SC2086 # several options in one word
	check "the same with $how" link_with $how
done
readable() {
	clean && cacheprof gcc -O1 -SA add.c && grep -qE '# cacheprof: .*add\.c:5 add' add.sA
}
check "annotated assembly names the line of each planted sequence" readable
without_lines() {
	clean && cacheprof --no-g gcc -O1 loop.c add.c -o loop && ./loop && grep -q '^fn=add' cacheprof.out &&
		! grep -q '^5 ' cacheprof.out
}
check "--no-g counts functions, not lines" without_lines
uncounted() {
	clean && gcc -O1 -c add.c && cacheprof gcc -O1 loop.c add.o -o loop && ./loop &&
		! grep -q '^fn=add' cacheprof.out && grep -q '^fn=main' cacheprof.out
}
check "uninstrumented objects link in and are not counted" uncounted
by_no_tmpdir() {
	clean && TMPDIR=$T/nonesuch cacheprof gcc -O1 loop.c add.c -o loop && same_counts
}
check "a TMPDIR that is not there is passed over, as by gcc" by_no_tmpdir
# The name of a temporary file would come in by debug information.
always_the_same() {
	local source
	printf '\t.text\n\t.globl f\n\t.type f, @function\nf:\tmovl (%%rdi), %%eax\n\tret\n' >hand.s
	cp hand.s hand.S
	for source in add.c add.s hand.s hand.S; do
		cacheprof gcc -O1 -g -c $source -o one.o && cacheprof gcc -O1 -g -c $source -o two.o && cmp one.o two.o &&
			! strings one.o | grep annotated || { echo "$source"; return 1; }
	done
}
cacheprof gcc -O1 -S add.c
check "an object is the same each time" always_the_same
unparsed() {
	printf '\t.text\nf:\tmovl $1, %%\n\tret\n' >bad.s
	! cacheprof gcc -c bad.s 2>err && [ ! -e bad.o ] && grep -q 'bad\.s:2' err
}
check "a bad line is named, and no object is left" unparsed
# An assembler that is killed, the first time or the second, while it writes.
killed_assembler() {
	local when
	mkdir -p killed && cat >killed/as <<-'END'
		#!/bin/sh
		echo run >>runs
		[ "$(wc -l <runs)" -lt "$WHEN" ] && exec as "$@"
		for word; do
			[ "$before" = -o ] && echo partial >"$word"
			before=$word
		done
		kill -KILL $$
	END
	chmod +x killed/as
	for when in 1 2; do
		rm -f runs add.o
		! WHEN=$when cacheprof gcc -Bkilled/ -c add.c 2>err && grep -q 'Killed' err &&
			[ "$(wc -l <runs)" -eq $when ] && [ ! -e add.o ] || return 1
	done
}
check "no object is left by an assembler that was killed" killed_assembler
full_tmp() {
	mkdir -p small && mount -t tmpfs -o size=16k none small || return 1
	! TMPDIR=$PWD/small cacheprof gcc -c add.s 2>err && [ ! -e add.o ] && grep -q 'No space left' err &&
		[ -z "$(ls small)" ]
	local status=$?
	umount small
	return $status
}
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
	cacheprof gcc -O1 -S add.c && rm -f add.o
	for i in {1..400}; do echo "# $i: something long enough to fill a small file system"; done >>add.s
	check "a full TMPDIR: said, and nothing left" full_tmp
else
	skip "a full TMPDIR" "needs root"
fi
# What a limit ends leaves nothing: of the assembly that is read, of the one that is planted, of the object.
limited_files() {
	local limit word
	mkdir -p limited && for i in {1..60}; do echo "int f$i(int *v) { return v[$i]++ + f$((i - 1))(v); }"; done >many.c &&
		sed -i '1i int f0(int *v) { return *v; }' many.c && cacheprof gcc -O1 -w -S many.c || return 1
	for limit in 2 8 16 24; do
		for word in -c -SA; do
			(ulimit -f $limit && TMPDIR=$PWD/limited cacheprof gcc $word many.s) 2>err && return 1
			[ -z "$(ls limited many.o many.sA 2>/dev/null | grep -v :)" ] || { ls limited many.*; return 1; }
		done
	done
	cacheprof gcc -c many.s && cacheprof gcc -SA many.s
}
check "files longer than their limit: nothing is left" limited_files
# Objects that were there before, as make leaves them: only the link is cacheprof's.
old_objects() {
	clean && gcc -O1 -c loop.c add.c && cacheprof gcc loop.o add.o -o loop && rm -f cacheprof.out* || return 1
	CACHEPROF_OPTIONS=$1 ./loop 2>err && ! ls cacheprof.out*
}
said_of_nothing() {
	old_objects "$1" && grep -qE '^==cacheprof== no profile: nothing .* was compiled by cacheprof' err && ! grep -q 'level-' err
}
for options in "" continuous=1; do
	check "objects made without cacheprof are told of, not profiled: $options" said_of_nothing "$options"
done
quiet_of_nothing() {
	old_objects quiet=1 && [ ! -s err ]
}
check "... but for quiet=1" quiet_of_nothing
# At the link these are named, and nothing else is that has no counts, or is not the program's.
links_saying() {
	cacheprof "${@:2}" -o old >out 2>&1 && ./old && [ "$(cat out)" = "${1:+cacheprof: warning: not compiled by cacheprof, so not counted: }$1" ] ||
		{ cat out; return 1; }
}
named_at_link() {
	local i
	clean && gcc -O1 -c add.c && cacheprof gcc -O1 -c loop.c && echo 'int only_data = 1;' >data.c && gcc -c data.c &&
		links_saying add.o gcc loop.o add.o data.o && ar rc libold.a add.o &&
		for i in 1 2 3 4 5; do echo "int more$i(void) { return $i; }" >more.c && gcc -c more.c -o more$i.o || return 1; done &&
		links_saying "add.o more1.o more2.o more3.o and 2 more" gcc loop.o add.o more?.o &&
		cacheprof -v gcc loop.o add.o more?.o -o old 2>&1 | grep -q ': add.o more1.o more2.o more3.o more4.o more5.o$' &&
		links_saying "" gcc loop.o -L. -lold "$BUILD/lib/cacheprof/cacheprof.o" &&
		cacheprof --self-check gcc -shared "$BUILD/lib/cacheprof/show.o" "$BUILD/lib/cacheprof/selfcheck.o" \
			"$BUILD/lib/cacheprof/cacheprof_shared.o" -o old.so >out 2>&1 && [ ! -s out ] &&
		links_saying "" gcc loop.o -nostartfiles -L. -lold "$(gcc -print-file-name=Scrt1.o)" \
			"$(gcc -print-file-name=crti.o)" "$(gcc -print-file-name=crtn.o)"
}
check "a link names objects that were made without cacheprof" named_at_link
# What is named by an absolute path, or by -l, is a library that is used as it is.
members_named_at_link() {
	clean && gcc -O1 -c add.c && cacheprof gcc -O1 -c loop.c && echo 'int only_data = 1;' >data.c && gcc -c data.c &&
		echo 'int counted(void) { return 1; }' >counted.c && cacheprof gcc -c counted.c && cp add.o other.o &&
		ar rc libold.a data.o add.o other.o && ar rc libpart.a other.o counted.o add.o && ar rc libnew.a counted.o data.o &&
		links_saying libold.a gcc loop.o libold.a && links_saying "" gcc loop.o "$PWD/libold.a" &&
		links_saying "libpart.a(other.o) libpart.a(add.o)" gcc loop.o libpart.a &&
		links_saying add.o gcc loop.o add.o libnew.a
}
check "... and archives in the tree, or their members" members_named_at_link
named_in_part() {
	clean && cacheprof gcc -O1 -c loop.c && gcc -O1 -c add.c && cacheprof gcc -r -o part.o loop.o add.o 2>err &&
		grep -q 'not counted: add\.o$' err && links_saying "" gcc part.o
}
check "... and one that is not the last one, too" named_in_part
to_standard_output() {
	clean && ! cacheprof gcc -c add.c -o - >out 2>err && [ ! -s out ] && [ ! -e - ] &&
		grep -q '^cacheprof: an object cannot be written to standard output' err &&
		cacheprof gcc -SA add.c -o - | grep -q 'cacheprof annotated assembly'
}
check "an object is not written to standard output, nor to a file -" to_standard_output
# It ends as soon as there is a temporary directory.
ended_at_once() {
	mkdir -p at-once && gcc -O1 -S add.c || return 1
	TMPDIR=$PWD/at-once CACHEPROF_AS=$(gcc -print-prog-name=as) CACHEPROF_ANN=level2 \
		ended_behind mkdtemp "$BUILD/libexec/cacheprof/instead-of-as" add.s -o at-once.o &&
		[ -z "$(ls at-once)" ] && [ ! -e at-once.o ]
}
if command -v gdb >/dev/null; then
	check "SIGTERM leaves no temporary directory" ended_at_once
else
	skip "SIGTERM leaves no temporary directory" "no gdb"
fi
level_0() {
	clean && cacheprof --level0 gcc -O1 loop.c add.c -o loop && rm -f cacheprof.out && ./loop && [ ! -e cacheprof.out ]
}
check "--level0 makes the program that it was" level_0
level_1() {
	clean && cacheprof --level1 gcc -O1 loop.c add.c -o loop && ./loop && grep -q '^events: Ir' cacheprof.out
}
check "--level1" level_1
dumps() {
	local phase
	for phase in preparsed parsed simplified ident-bbs use-bbs annotated ccs synth peephole; do
		cacheprof --ddump-$phase gcc -O1 -c add.c 2>dump && [ -s dump ] || { echo $phase; return 1; }
	done
}
check "--ddump of each phase prints something" dumps
finish
