# What cacheprint does only on a terminal: colours, a pager, its width. script(1) makes one.
. "$(dirname "$0")/../tap.sh"
cp "$TOP"/tests/cacheprint/golden/data/*.out .
cp -r "$TOP"/tests/cacheprint/golden/data/src src
touch -d 2024-01-01 src/*
esc=$(printf '\033')
unset NO_COLOR PAGER LESS
export TERM=xterm

# terminal COLUMNS COMMAND: what it writes to a terminal that wide.
terminal() {
	script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r'
}

has() { grep -qF -- "$1" "$2"; }
longest() { sed "s/$esc\\[[0-9;]*m//g" "$1" | awk '/FUNCTION/,/^$/ { if (length > n) n = length } END { print n }'; }

cacheprint -f level2.out src/traverse.c >piped
check "piped: no colours" fails has "$esc" piped
cacheprint -f level2.out --color=always src/traverse.c >always
check "--color=always: colours" has "$esc[1;31m" always
check "--color=always: the same text" diff piped <(sed "s/$esc\\[[0-9;]*m//g" always)
cacheprint -f level2.out --color=auto >auto
check "--color=auto, piped: no colours" fails has "$esc" auto
check "--color=sometimes is refused" fails cacheprint -f level2.out --color=sometimes

# What a terminal would take for a command, in names and in sources, also behind a byte that is zero.
printf 'int \033]0;title\007f\000(void)\177 {}\n' >escapes.c
big=4611686018427387904 # 2^62
{
	printf 'cmd: ./x \033[2J\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\nfl=%s\nfn=f\033[31mg\n1' "$PWD/escapes.c"
	printf " $big%.0s" 1 2 3 4 5 6 7 8 9
	printf '\nsummary:'
	printf " $big%.0s" 1 2 3 4 5 6 7 8 9
	echo
} >escapes.out
cacheprint -f escapes.out escapes.c --show=Ir >escapes.txt
controls() { LC_ALL=C grep -aq "$(printf '[\001-\010\013-\037\177]')" "$1"; }
check "no control characters are printed" fails controls escapes.txt
check "... but as text: in lines" has 'int ^[]0;title^Gf^@(void)^? {}' escapes.txt
check "... in names" has 'f?[31mg' escapes.txt
cacheprint -f escapes.out >sums.txt
check "sums of counts beyond 2^63" has "all           13,835,058,055,282,163,712  13,835,058,055,282,163,712  100.0%" sums.txt
check "... in CSV" [ "$(cacheprint -f escapes.out --csv --show=Refs | tail -n 1 | cut -d, -f4)" = 9223372036854775808 ]
check "... in JSON" [ "$(cacheprint -f escapes.out --json | grep -c '"total":13835058055282163712')" -ge 1 ]

if ! terminal 80 true >/dev/null 2>&1; then
	skip "terminal" "script does not work here"
	finish
fi
terminal 90 "PAGER= cacheprint -f level2.out src/traverse.c" >tty
check "terminal: colours" has "$esc[1;31m" tty
terminal 90 "NO_COLOR=1 PAGER= cacheprint -f level2.out" >plain
check "NO_COLOR: no colours" fails has "$esc" plain
terminal 90 "NO_COLOR=1 PAGER= cacheprint -f level2.out --color=always" >forced
check "NO_COLOR and --color=always: colours" has "$esc[1;31m" forced
terminal 90 "PAGER= cacheprint -f level2.out --color=never" >never
check "--color=never: no colours" fails has "$esc" never
terminal 90 "TERM=dumb PAGER='sed s/^/paged:/' cacheprint -f level2.out" >dumb
check "TERM=dumb: neither colours nor a pager" fails grep -qE "$esc|paged:" dumb

terminal 90 "PAGER='sed s/^/paged:/' cacheprint -f level2.out nosuch.c; echo status \$?" >paged
check "pager: gets the report" has "paged:Command: " paged
check "pager: gets the warnings" has "paged:cacheprint: warning: nosuch.c" paged
check "pager: the status is kept" has "status 1" paged
terminal 90 "PAGER='sed s/^/paged:/' cacheprint -f level2.out --pager=no" >unpaged
check "--pager=no" fails has "paged:" unpaged
terminal 90 "PAGER='head -1' cacheprint -f level2.out src/traverse.c; echo status \$?" >early
check "pager: may be left early" has "status 0" early
terminal 90 "PAGER=nosuchpager cacheprint -f level2.out" >lost
check "a pager that is not there: said" has "PAGER=nosuchpager: there is no such program" lost
check "... and the report shown" has "cmTraverse (traverse.c)" lost
PAGER="sed s/^/paged:/" cacheprint -f level2.out >nopager
check "piped: no pager" fails has "paged:" nopager

terminal 60 "cacheprint -f cxx.out --pager=no" >narrow
check "narrow: a function is called what it is called" has "::push_back (cxx.cc)" narrow
mkdir nothing
terminal 90 "PATH=$PWD/nothing '$BUILD/bin/cacheprint' -f level2.out" >noless
check "no less: no pager" has "cmTraverse (traverse.c)" noless

terminal 80 "PAGER= cacheprint -f cxx.out" >narrow
check "terminal: long names fit" [ "$(longest narrow)" -le 80 ]
terminal 80 "PAGER= cacheprint -f cxx.out --full-names" >wide
check "--full-names: they do not" [ "$(longest wide)" -gt 80 ]

cacheprint -f level2.out -o report src/traverse.c
check "-o: the same text" diff piped report
check "-o: nothing else is left" [ "$(echo report*)" = report ]
ln -s report link
check "-o a link" cacheprint -f level2.out -o link
check "... which stays one" [ -L link ]
cp level1.out both.out
check "-o may be an input" cacheprint --merge -o both.out both.out level1.out
check "... and is whole" [ "$(tail -1 both.out)" = "summary: 20987936 8 4194316" ]
check "-o where it cannot be" fails cacheprint -f level1.out -o /nonexistent/report
check "-o /dev/full" fails cacheprint -f level1.out -o /dev/full
check "a full disk" fails bash -c 'cacheprint -f level1.out >/dev/full'
finish
