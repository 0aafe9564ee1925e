# What cannot be done is refused with a sentence; statuses and signals are the compiler's own.
. "$(dirname "$0")/../tap.sh"
. "$TOP/tests/driver/standin.sh"

# Usage

usage() {
	complains "$@" && status 2 "${@:2}" 2>/dev/null
}
for option in --branch-sim --branch-sim=maybe --plain-copies --libc-model= --cacheprofdir; do
	check "a value that is not there or wrong: $option" usage "^cacheprof: $option: it is written ${option%%=*}=" cacheprof $option gcc -c foo.c
done
check "an unknown option" usage 'unknown option --oink.*cacheprof gcc --oink' cacheprof --oink gcc -c foo.c
check "an unknown phase names those that there are" \
	usage 'phases are preparsed .* peephole' cacheprof --ddump-foo gcc -c foo.c
check "no compiler" usage 'cacheprof --help' cacheprof --level1
check "--help fits a screen" prints '^usage' cacheprof --help
help_fits() {
	[ "$(cacheprof --help | wc -l)" -le 36 ] && ! cacheprof --help | grep -E '.{81}'
}
check "... of 36 lines and 80 columns" help_fits
in_manual() {
	local word
	for word in $(cacheprof --help | sed -n 's/PHASE//; s/^  \(-[^ =.]*\).*/\1/p') \
		$(cacheprof --ddump-foo 2>&1 | sed 's/.*phases are//'); do
		sed 's/\\-/-/g' "$TOP/docs/cacheprof.1" | grep -qE -e "^\.[BI]+ $word" ||
			{ echo "$word is not in the manual"; return 1; }
	done
}
check "all options and phases are in the manual page" in_manual
check "--version" prints "^cacheprof $(cat "$TOP/VERSION")$" cacheprof --version
for words in --help "--dryrun gcc -c foo.c"; do
	check "$words to a full disk" \
		complains 'cacheprof: standard output: No space left' bash -c "cacheprof $words >/dev/full"
done

# The compiler

missing() {
	complains 'nonesuch: compiler not found' cacheprof nonesuch -c foo.c &&
		status 127 cacheprof nonesuch -c foo.c 2>/dev/null &&
		status 127 cacheprof ./nonesuch --version 2>/dev/null
}
check "a compiler that is not there: 127, as in a shell" missing
not_runnable() {
	touch notexec && status 126 cacheprof ./notexec -c foo.c 2>/dev/null &&
		complains 'Permission denied' cacheprof ./notexec -c foo.c &&
		status 126 cacheprof "$PWD" -c foo.c 2>/dev/null
}
check "a compiler that cannot be run: 126" not_runnable
only_us() {
	mkdir link && ln -s "$BUILD/bin/cacheprof" link/acc
	PATH="$PWD/link:$PATH" status 127 acc -c foo.c 2>/dev/null
}
check "a link to cacheprof that hides no compiler: 127" only_us
# Commands that are no compiler's would run as ever, and nothing would be instrumented.
printf 'all:\n\ttouch made\n' >Makefile
printf '#!/bin/sh\n[ $# -gt 0 ] || touch made\n' >nothing && chmod +x nothing
no_compiler() {
	complains "^cacheprof: $1.* goes before a compiler.* CC=\"cacheprof gcc\"" cacheprof "$@" && [ ! -e made ]
}
for words in make "make -s" "make all" "make -s all" ls ./nothing; do
	# shellcheck disable=SC2086 # words
	check "no compiler: $words" no_compiler $words
done
# gcobc, too, hands on to a compiler what it does not know; by its -x it means that a program is wanted.
printf '#!/bin/sh\n[ "$1" != -x ] || shift\nexec gcc "$@"\n' >hands_on && chmod +x hands_on
echo 'int main(void) { return 0; }' >program.c
other_x() {
	./hands_on -x program.c -o made && rm made &&
		complains '^cacheprof: ./hands_on: -x program.c names no language.*gcobol="cacheprof gcobol"' \
			cacheprof ./hands_on -x program.c -o made && [ ! -e made ]
}
check "a command whose -x is not gcc's" other_x
echo 'int f(' >bad.c
check "the compiler's status" status 1 cacheprof gcc -c bad.c
check "the linker's status" status 1 cacheprof gcc bar.c -o bar
check "an assembler's failure" status 1 cacheprof gcc -c -Wa,--nonesuch foo.c
echo junk >bad.s
check "no object of bad assembly" fails cacheprof gcc -c bad.s
check "... indeed" fails test -e bad.o

# compiler NAME: a script that answers as gcc does, then goes on with the standard input.
compiler() {
	{
		cat <<'END'
#!/bin/sh
case " $* " in
*" --version "*) exec gcc --version ;;
*" -print-prog-name=as "*) exec gcc "$@" ;;
esac
END
		cat
	} >"$1"
	chmod +x "$1"
}
compiler killed <<<'kill -SEGV $$'
dies() {
	bash -c 'cacheprof "$@" 2>/dev/null; [ $? -eq 139 ]' - "$@"
}
check "a compiler that dies of a signal" dies ./killed -c foo.c
check "... also as one of several commands" dies ./killed -SA foo.c bar.c
compiler counting <<'END'
echo run >>runs
exit 3
END
several() {
	rm -f runs
	status 3 cacheprof ./counting -SA foo.c bar.c && [ "$(wc -l <runs)" -eq 2 ]
}
check "a status of one of several commands" several
compiler sleeping <<'END'
trap 'echo caught >>caught; exit 7' INT TERM HUP
echo ready >ready
n=0
while [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
END
# interrupted SIGNAL ARGUMENT...: the compiler gets a signal that only we were sent.
interrupted() {
	local signal=$1 pid
	shift
	rm -f ready caught
	# A shell starts a background command with SIGINT ignored; setsid is no matter, env undoes it.
	env --default-signal=INT cacheprof ./sleeping "$@" &
	pid=$!
	while [ ! -e ready ]; do sleep 0.05; done
	rm ready
	kill -"$signal" "$pid"
	if [ "$2" = foo.c ] && [ -n "${3-}" ]; then
		while [ ! -e ready ]; do sleep 0.05; done
		kill -"$signal" "$pid"
	fi
	wait "$pid"
	[ $? -eq 7 ] && [ -s caught ]
}
check "SIGINT reaches the compiler" interrupted INT -c foo.c
check "... as one of several commands" interrupted INT -SA foo.c bar.c
check "SIGTERM reaches the compiler" interrupted TERM -c foo.c
check "... as one of several commands" interrupted TERM -SA foo.c bar.c

# What would silently not be instrumented

cat >stubborn <<'END'
#!/bin/sh
case " $* " in
*" -print-prog-name=as "*) echo /usr/bin/as ;;
*) exec gcc "$@" ;;
esac
END
chmod +x stubborn
rm -f foo.o
check "a compiler that ignores -B" complains 'would not be instrumented.*--with-as' \
	cacheprof ./stubborn -c foo.c
check "... makes nothing" fails test -e foo.o
check "... but may preprocess" prints 'int main' cacheprof ./stubborn -E foo.c
check "... and make assembly" quiet cacheprof ./stubborn -S foo.c
printf '#!/bin/sh\nexit 1\n' >mute && chmod +x mute
check "a compiler that does not answer" complains 'cannot find the assembler' cacheprof ./mute -c foo.c
for option in -p -pg --profile; do
	check "$option is refused" complains 'cannot be combined' cacheprof gcc $option -c foo.c
	check "... when linking too" complains 'cannot be combined' cacheprof gcc $option foo.c -o foo
done
for option in -m32 -mx32 -m16; do
	check "$option is refused" complains "^cacheprof: $option: only 64-bit" cacheprof gcc $option -c foo.c
done
for option in -Wl,--unique -Wl,-unique '-Xlinker --unique' -Wl,-O1,--unique=cacheprof\*; do
	# shellcheck disable=SC2086 # two options
	check "$option is refused" complains '--unique cannot be combined' cacheprof gcc $option foo.c -o foo
done
check "... not where nothing is linked" quiet cacheprof gcc -Wl,--unique -c foo.c
check "... nor at level 0" quiet cacheprof --level0 gcc -Wl,--unique foo.c -o foo
check "... nor for other sections" quiet cacheprof gcc -Wl,--unique=.text foo.c -o foo
check "... with which it runs" env CACHEPROF_OPTIONS=quiet=1 ./foo
warns_of() {
	cacheprof gcc "${@:2}" 2>said && grep -q "^cacheprof: warning: $1" said
}
echo 'int main(void) { return 0; }' >bare.c
for option in '-nostdlib -static' '-static-pie -nostartfiles' '-no-pie -nostdlib'; do
	# shellcheck disable=SC2086 # two options
	check "$option: a sentence" warns_of 'a static program .*no thread-local storage' $option -Wl,-e,main bare.c -o bare
	# shellcheck disable=SC2086
	check "... not for an object" quiet cacheprof gcc $option -c bare.c
done
for option in '-no-pie -nostartfiles' '-no-pie -nostdlib -lc' '-nostdlib'; do
	# shellcheck disable=SC2086
	check "$option, which has a loader: none" quiet cacheprof gcc -Wl,-e,main bare.c -o bare $option
done
check "-nostdlib with start files named: none" \
	quiet cacheprof gcc -nostdlib -static "$(gcc -print-file-name=crt1.o)" "$(gcc -print-file-name=crti.o)" bare.c \
	-Wl,--start-group -lc -lgcc -lgcc_eh -Wl,--end-group "$(gcc -print-file-name=crtn.o)" -o started
# adds WORD ARGUMENT...: a warning says it, and the command has it; an empty word: neither.
adds() {
	local given
	given=$(printf '%s\n' "${@:2}" | grep -xe -no-pie)
	cacheprof --dryrun gcc -fuse-ld=lld "${@:2}" >command 2>said || return 1
	cat said command
	if [ "$1" ]; then
		grep -q -- "$1 is added" said && grep -q -- " $1 " command
	else
		[ ! -s said ] && [ "$(grep -oE -- '-no-pie|-fuse-ld=bfd' command)" = "$given" ]
	fi
}
check "ld.lld: -no-pie" adds -no-pie bare.o -o bare
check "... not where it is given" adds "" -no-pie bare.o -o bare
check "... not for what is static" adds "" -static bare.o -o bare
check "... another linker for -shared" adds -fuse-ld=bfd -shared bare.o -o bare.so
check "... and for -static-pie" adds -fuse-ld=bfd -static-pie bare.o -o bare
check "-m32 -m64 is 64-bit" quiet cacheprof gcc -m32 -m64 -c foo.c

# Parts that are missing

parts_missing() {
	complains "part of cacheprof is missing.*$1" cacheprof --cacheprofdir="$T/less" "${@:2}"
}
cp -r "$PARTS" "$T/less" && rm "$T/less/lib/cacheprof/cacheprof.o"
check "no runtime" parts_missing cacheprof.o gcc foo.c -o foo
check "... is no matter to -c" quiet cacheprof --cacheprofdir="$T/less" gcc -c foo.c
rm "$T/less/libexec/cacheprof/instead-of-as"
check "no annotator" parts_missing 'libexec/cacheprof/instead-of-as' gcc -c foo.c
check "a directory that is not there" complains '/nonesuch: .*No such file' \
	env CACHEPROFDIR=/nonesuch cacheprof gcc -c foo.c
finish
