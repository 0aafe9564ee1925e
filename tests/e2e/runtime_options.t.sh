# What the instrumented program leaves behind and says, as CACHEPROF_OPTIONS has it, and what it does
# when it cannot: the program's own output and status are never touched.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS

cat >walk.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int table[64][1024];

int main(int argc, char **argv)
{
	int sum = 0;

	if (argc > 1 && chdir(argv[1]))
		return 4;
	for (int column = 0; column < 1024; column++)
		for (int row = 0; row < 64; row++)
			sum += table[row][column]++;
	printf("sum %d\n", sum);
	return 3;
}
END
cacheprof gcc -O1 -o walk walk.c || exit 1

# runs [VARIABLE=VALUE...] COMMAND...: the program ends as it would without us; out and err are kept.
runs() {
	env "$@" >out 2>err
	local status=$?
	[ "$status" -eq 3 ] && [ "$(cat out)" = "sum 0" ] || {
		echo "status $status"
		cat out err
		return 1
	}
}

# says TEXT: the last run printed it. says_only TEXT: and nothing else.
says() {
	grep -qF "$1" err || { cat err; return 1; }
}
says_only() {
	[ "$(cat err)" = "$1" ] || { cat err; return 1; }
}

# ends STATUS OPTIONS: the program ends before its main.
ends() {
	env CACHEPROF_OPTIONS="$2" ./walk >out 2>err
	[ $? -eq "$1" ] && [ ! -s out ] || { cat out err; return 1; }
}

# total EVENT [FILE]: its total in the profile.
total() {
	totals_of "${2-cacheprof.out}" "$1"
}

check "runs" runs ./walk
check "announces itself" says "==cacheprof== level-2 instrumented program: startup"
check "says when it is complete" says "==cacheprof== level-2 instrumented program: run complete"
for words in "[0-9,]+ insns" "[0-9,]+ refs +\( +[0-9,]+ rd \+ +[0-9,]+ wr\)" "[0-9,]+ I1  misses" \
	"[0-9,]+ D1  misses +\( +[0-9,]+ rd \+ +[0-9,]+ wr\)" "[0-9,]+ LL  misses +\(" \
	"[0-9.]+% D1  miss rate" "[0-9]+\.[0-9][0-9] seconds, [0-9]+\.[0-9][0-9] MIPS"; do
	check "prints $words" grep -Eq "^==cacheprof== +$words" err
done
check "the profile's totals are those printed" \
	grep -Eq "^==cacheprof== +$(total Ir | sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta') insns" err
check "the table's misses: every reference" test "$(total D1mr)" -ge 65536
check "a summary of one line" test "$(wc -l <cacheprof.out.summary)" -eq 1
check "runs again" runs ./walk
check "a summary of two lines" test "$(wc -l <cacheprof.out.summary)" -eq 2
check "which tells the level and the totals" \
	grep -Pq "^\./walk\t2\tIr=$(total Ir)\tI1mr=.*\tDLmw=[0-9]+\$" cacheprof.out.summary
check "nothing else is left" fails sh -c 'ls | grep tmp'

check "level 1 is compiled" cacheprof --level1 gcc -O1 -o walk1 walk.c
check "level 1" runs ./walk1
check "level 1 says so" says "==cacheprof== level-1 instrumented program: run complete"
check "level 1 has no misses" fails grep -q misses err
check "level 1 has its events" grep -qx "events: Ir Dr Dw" cacheprof.out

check "quiet=1" runs CACHEPROF_OPTIONS=quiet=1 ./walk
check "prints nothing" says_only ""
check "out=" runs CACHEPROF_OPTIONS=out=other ./walk
check "writes there" test -s other -a -s other.summary
check "%q{}" runs CACHEPROF_OPTIONS=out=%q{NAME}.%p NAME=a:b ./walk
check "writes there" sh -c 'ls | grep -Eqx "a:b\.[0-9]+"'
check "chdir" runs CACHEPROF_OPTIONS=out=home ./walk /
check "writes in the directory of the start" test -s home
check "D1=" runs CACHEPROF_OPTIONS=out=large:D1=1M,16,64 ./walk
check "is simulated" test "$(total D1mr large)" -lt 10000
check "is named" grep -qx "desc: D1 cache:         1048576 B, 64 B, 16-way associative" large

# An LL takes the memory that is used of it, however many sets it has.
cat >peak.c <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
	char line[200];
	FILE *status = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof line, status))
		if (!strncmp(line, "VmHWM:", 6))
			return printf("%s", line + 6) < 0;
	return 1;
}
END
takes_little() {
	local kb
	cacheprof gcc -O1 -o peak peak.c && kb=$(CACHEPROF_OPTIONS=quiet=1:LL=2048M,1,64 ./peak) && [ "${kb% kB}" -lt 20000 ]
}
check "an LL of many sets and few ways" takes_little

# With too little of address space for it, wherever that ends, a program of many functions says so. What caches take
# depends on the processor, but not so.
too_little() {
	local kb status said=0
	{
		for i in $(seq 400); do
			echo "int f$i(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > $i) s += a[i]; return s; }"
		done
		echo 'int main(void) { return 0; }'
	} >many.c
	cacheprof gcc -O1 -o many many.c || return 1
	for kb in $(seq 36000 40 38400); do
		(ulimit -v $kb && CACHEPROF_OPTIONS=simd=none exec ./many) 2>err
		status=$?
		[ $status -eq 1 ] && grep -q 'no memory for' err && said=$((said + 1)) && continue
		echo "$kb: $status" && cat err && return 1
	done
	[ $said -gt 0 ]
}
check "too little memory is told of" too_little

check "cache=NAME" runs CACHEPROF_OPTIONS=out=k6:cache=k6-2 ./walk
check "is simulated" grep -qx "desc: D1 cache:         32768 B, 32 B, 2-way associative" k6
check "cache=NAME, sets to be rounded" runs CACHEPROF_OPTIONS=cache=alder-lake ./walk
check "are said" says "==cacheprof== LL of 31457280 B, 12 ways has 40960 sets, no power of two: simulated as 31457280 B, 15 ways"
if grep -qE 'GenuineIntel|AuthenticAMD' /proc/cpuinfo; then
	check "cache=host" runs CACHEPROF_OPTIONS=out=host:cache=host ./walk
	line=$(getconf LEVEL1_DCACHE_LINESIZE) size=$(getconf LEVEL1_DCACHE_SIZE)
	check "is what the system says" grep -q "^desc: D1 cache:         $size B, $line B, " host
fi
check "no such machine" ends 1 cache=486

check "help=1" ends 0 help=1
check "lists the keys" grep -q "LL=SIZE,ASSOC,LINE" err
check "an unknown key" ends 1 colour=1
check "is named, and the known ones" says_only "==cacheprof== Unknown key in CACHEPROF_OPTIONS: colour=1
==cacheprof== The keys are: out quiet I1 D1 LL cache dump-signal progress continuous fixed-addresses pages simd instr-at-start toggle trace trace-format help"
for option in trace=it trace-format=din; do
	check "no trace where nothing writes one, $option" ends 1 quiet=1:$option
	check "... is said" says_only "==cacheprof== This program was not built with cacheprof --trace.
==cacheprof== Bad option in CACHEPROF_OPTIONS: $option"
done
check "no cache" ends 1 quiet=1:D1=8192,3,64
check "is refused in Cachegrind's words" says_only "==cacheprof== Cache set count is not a power of two.
==cacheprof== Bad option in CACHEPROF_OPTIONS: D1=8192,3,64"
check "an unset variable" ends 1 "out=%q{NO_SUCH_VARIABLE}"

rm -f cacheprof.out*
check "no directory" runs CACHEPROF_OPTIONS=quiet=1:out=no/file ./walk
check "is told of once" says_only \
	"==cacheprof== cannot write $PWD/no/file: No such file or directory (ENOENT)"
check "a full disk" runs CACHEPROF_OPTIONS=quiet=1:out=/dev/full ./walk
check "is told of once" says_only \
	"==cacheprof== cannot write /dev/full: No space left on device (ENOSPC)"
into_output() { # what walk prints is behind the profile, and both are whole
	CACHEPROF_OPTIONS=quiet=1:out=$1 ./walk >into
	[ $? -eq 3 ] && [ "$(sed -n '1s/:.*//p' into)" = desc ] && [ "$(grep -c ^summary: into)" -eq 1 ] &&
		[ "$(sed '1,/^summary:/d' into)" = "sum 0" ]
}
into_closed() {
	CACHEPROF_OPTIONS=out=/dev/stdout ./walk 2>err >&-
	grep -qxF "==cacheprof== cannot write /dev/stdout: Bad file descriptor (EBADF)" err
}
check "standard output that is a file" into_output /dev/stdout
check "the same by number" into_output /dev/fd/1
check "... and among those of the process" into_output /proc/self/fd/1
check "one that is closed" into_closed
in_dev_shm() {
	local dir status
	dir=$(mktemp -d /dev/shm/cacheprof.XXXXXX)
	for _ in 1 2; do
		(cd "$dir" && CACHEPROF_OPTIONS=quiet=1 "$T/walk" >/dev/null 2>err)
	done
	cat "$dir/err" && [ "$(grep -c ^summary: "$dir/cacheprof.out")" -eq 1 ] && [ "$(wc -l <"$dir/cacheprof.out.summary")" -eq 2 ]
	status=$?
	rm -r "$dir"
	return $status
}
if [ -w /dev/shm ]; then
	check "files in /dev/shm" in_dev_shm
else
	skip "files in /dev/shm" "it cannot be written"
fi
# In a directory where others may write, a link by the summary's name leads to a file of somebody's.
summary_is_link() {
	local status
	rm -f cacheprof.out* && echo kept >victim && ln -s victim cacheprof.out.summary || return 1
	CACHEPROF_OPTIONS=quiet=1 ./walk >out 2>err
	status=$?
	cat err
	[ $status -eq 3 ] && [ "$(cat victim)" = kept ] && grep -q 'cannot write .*[.]summary: .*ELOOP' err && [ -s cacheprof.out ]
	status=$?
	rm -f cacheprof.out*
	return $status
}
check "a summary is not written through a symbolic link" summary_is_link
limited() {
	local said status
	said=$(ulimit -f 0; CACHEPROF_OPTIONS=quiet=1 ./walk 2>&1 >/dev/null | cat; exit "${PIPESTATUS[0]}")
	status=$?
	echo "$said"
	[ $status -eq 3 ] && [ ! -e cacheprof.out ] &&
		[ "$said" = "==cacheprof== cannot write $PWD/cacheprof.out: File too large (EFBIG)" ]
}
check "a file size limit" limited
pipe_closed() {
	./walk 2>&1 >/dev/null | :
	[ "${PIPESTATUS[0]}" -eq 3 ]
}
check "nobody reads standard error" pipe_closed
all_closed() {
	./walk 0<&- 1>&- 2>&-
	[ $? -eq 3 ] && ! grep -q 'sum 0\|==' cacheprof.out
}
check "closed descriptors" all_closed
if [ "$(command -v cg_annotate)" ]; then
	cg_annotate "$T/cacheprof.out" >out 2>err
	check "cg_annotate has nothing to say" says_only ""
	check "cg_annotate shows the source" grep -q 'sum += table' out
else
	skip "cg_annotate" "valgrind is not installed"
fi

cat >all.c <<'END'
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	return argc > 1 ? close(1) : 0;
}
END
cacheprof gcc -O1 all.c -o all
# all_used LIMIT...: all descriptors that it may have are open at its end; but not standard output if $closed is set
all_used() {
	rm -f cacheprof.out
	(ulimit "$@" -n 40 && CACHEPROF_OPTIONS=quiet=1 ./all $closed) 2>err
}
closed=
all_used -S
check "all descriptors in use: the profile" test -s cacheprof.out
# For that the limit is raised for a moment; the program does not see it.
cat >limit.c <<'END'
#include <cacheprof.h>
#include <fcntl.h>
#include <sys/resource.h>

int main(void)
{
	struct rlimit before, behind;

	while (open("/dev/null", O_RDONLY) >= 0)
		;
	getrlimit(RLIMIT_NOFILE, &before);
	CACHEPROF_DUMP("full");
	getrlimit(RLIMIT_NOFILE, &behind);
	return before.rlim_cur != behind.rlim_cur || before.rlim_max != behind.rlim_max;
}
END
limit_stays() {
	rm -f cacheprof.out*
	cacheprof gcc -O1 -I"$TOP/include" limit.c -o limit && (ulimit -S -n 40 && CACHEPROF_OPTIONS=quiet=1 ./limit) &&
		[ -s cacheprof.out.1 ]
}
check "... and the limit stays what it was" limit_stays
all_used -S -H
check "... where no more are allowed: none" test ! -e cacheprof.out
check "is told of" says_only "==cacheprof== cannot write $PWD/cacheprof.out: Too many open files (EMFILE)"
closed=stdout
all_used -S
check "... all but standard output: the profile" test -s cacheprof.out
all_used -S -H
check "... where no more are allowed: is told of" \
	says_only "==cacheprof== cannot write $PWD/cacheprof.out: Too many open files (EMFILE)"
check "... nothing is left" sh -c '! ls cacheprof.out.tmp.*'

# What the program does with its standard error: nothing of ours comes into a file of its own, and what it
# had at the start gets the totals if that can be opened again.
cat >elsewhere.c <<'END'
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd;

	if (strchr(argv[1], 'o'))
		close(1);
	if (strchr(argv[1], 'c'))
		close(2);
	fd = open("data", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (strchr(argv[1], 'd'))
		dup2(fd, 2);
	for (int i = 0; strchr(argv[1], 'w') && access("eof", F_OK); i++)
		if (usleep(10000) || i == 1000)
			return 6;
	if (chdir("/"))
		return 4;
	return write(fd, "data\n", 5) == 5 ? 3 : 5;
}
END
# elsewhere TIMES HOW REDIRECTION: so often the totals stand in err
elsewhere() {
	local times=$1 status
	rm -f err data && echo first >err
	(set -o pipefail; eval "./elsewhere $2 $3")
	status=$?
	cat data err
	[ "$(cat data)" = data ] && [ $status -eq 3 ] && [ "$(grep -c complete err)" -eq "$times" ]
}
check "builds" cacheprof gcc -O1 -o elsewhere elsewhere.c
for how in n:stays c:closed d:replaced; do
	check "standard error, a file: ${how#*:}" elsewhere 1 ${how%:*} "2>>err"
	check "a pipe that is standard output, too: ${how#*:}" elsewhere 1 ${how%:*} "2>&1 | cat >>err"
	check "/dev/null: ${how#*:}" elsewhere 0 ${how%:*} "2>/dev/null"
	check "closed at the start: ${how#*:}" elsewhere 0 ${how%:*} "2>&-"
done
check "a file: closed, and standard output" elsewhere 1 co "2>>err"
check "a pipe: closed, and standard output" elsewhere 0 co "2>&1 | cat >>err"
check "who reads a pipe sees its end when it is closed" elsewhere 0 cow "2>&1 | { cat >>err; touch eof; }"

cat >forgets.c <<'END'
int main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		argv[i][0] = '#';
		argv[i] = 0;
	}
	return 0;
}
END
forgets() {
	cacheprof gcc -O1 -o forgets forgets.c && CACHEPROF_OPTIONS=quiet=1 ./forgets one "two words" || return 1
	grep '^cmd:' cacheprof.out
	grep -qxF 'cmd: ./forgets one two words' cacheprof.out
}
check "a program that changes its arguments" forgets
finish
