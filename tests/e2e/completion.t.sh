# bash completions: what they offer at the end of a command line.
. "$(dirname "$0")/../tap.sh"
cp "$TOP"/tests/cacheprint/golden/data/*.out .
cp level2.out cacheprof.out
mkdir sources
. "$TOP/tools/completions/cacheprint"
. "$TOP/tools/completions/cacheprof"
compopt() { :; }

# offers WORD... : what stands for the last word, in one line. "=" is a word of its own, as in bash.
offers() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	"_$1"
	echo "${COMPREPLY[*]}"
}

offered() {
	local want=$1 got
	shift
	got=$(offers "$@")
	[ "$got" = "$want" ] || { echo "got $got"; return 1; }
}

check "an option" offered "--threshold=" cacheprint --thr
check "options without argument" offered "--merge" cacheprint --mer
check "options with an optional argument" offered "--percent=" cacheprint --perc
check "every option has a name there" [ "$(offers cacheprint -- | tr ' ' '\n' | grep -c .)" -ge 25 ]
check "events" offered "DLmr DLmw DLm DLm% DLmr% DLmw%" cacheprint --sort = DLm
check "events after a comma" offered "Ir,D1mw Ir,D1mw%" cacheprint --show = Ir,D1mw
check "events of another profile" offered "Refs" cacheprint -f level1.out --show = R
check "words" offered "always auto" cacheprint --color = a
check "words, all" offered "file function" cacheprint --group =
check "profiles" offered "level1.out level2.out" cacheprint -f level
check "directories" offered "sources" cacheprint -I so
check "sources of the profile" offered "traverse.c" cacheprint tra
check "sources of another profile" offered "util.c" cacheprint -f two.out ut
cat >hostile.out <<'OUT'
cmd: ./hostile
events: Ir $(touch${IFS}run)
fl=/src/$(touch run).c
fn=main
1 1 0
fl=/src/it's a.c
fn=main
1 1 0
summary: 2 0
OUT
not_run() { offers cacheprint -f hostile.out --show = I >said && offers cacheprint -f hostile.out x && [ ! -e run ]; }
check "what a profile says is not run" not_run
check "... but offered, quoted" offered "it\\'s\\ a.c" cacheprint -f hostile.out it
not_read() { echo typed | { offers cacheprint -f - --show = I && read -r rest && [ "$rest" = typed ]; }; }
check "what is typed is not taken for a profile" not_read
check "no profile: no noise" [ -z "$(cd / && offers cacheprint -f /nonexistent --show = I 2>&1)" ]
check "cacheprof: an option" offered "--self-check" cacheprof --self
check "cacheprof: options with a value" offered "--cacheprofdir=" cacheprof --cachepr
check "cacheprof: a directory" offered "sources" cacheprof --cacheprofdir = so
check "cacheprof: phases" offered "--ddump-ident-bbs" cacheprof --ddump-i
_command_offset() { COMPREPLY=("as ${COMP_WORDS[$1]}"); }
check "cacheprof: the compiler's own" offered "as gcc" cacheprof --level1 gcc -fno-in
check "cacheprof: ... behind a value" offered "as gcc" cacheprof --cacheprofdir = x gcc -fno-in
check "shellcheck" bash -c "! command -v shellcheck >/dev/null || shellcheck -s bash '$TOP'/tools/completions/*"
finish
