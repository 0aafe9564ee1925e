# A run that is looked at while it goes: dump-signal= and progress=, and that the program notices neither.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS

cat >long.c <<'END'
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int table[1 << 16];

static int work(int rounds)
{
	int sum = 0;

	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < 1 << 16; i += 16)
			sum += table[i]++;
	return sum;
}

/* long file: works until the file is there. long wait: has no children. long poll: is not woken.
 * long read: reads to the end. long exec PROGRAM: becomes that. */
int main(int argc, char **argv)
{
	char text[9] = "";
	int sum = 0;

	if (!strcmp(argv[1], "file"))
		while (access(argv[2], F_OK))
			sum += work(100);
	else if (!strcmp(argv[1], "wait"))
		return wait(NULL) == -1 && errno == ECHILD ? 0 : 1;
	else if (!strcmp(argv[1], "poll"))
		return poll(NULL, 0, 2500) ? 1 : 0;
	else if (!strcmp(argv[1], "read"))
		return read(0, text, 8) == 8 ? 0 : 1;
	else if (!strcmp(argv[1], "exec"))
		execlp(argv[2], argv[2], "2.5", (char *)NULL);
	printf("%d\n", sum != 1);
	return 3;
}
END
cacheprof gcc -O1 -o long long.c && cacheprof --level1 gcc -O1 -o long1 long.c || exit 1

# waits COMMAND...: until it is true, 20 seconds at most.
waits() {
	local n
	for ((n = 0; n < 200; n++)); do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}
instructions() {
	awk '/^summary:/ { print $2 }' "$1"
}
printed() {
	grep -q "$1" err
}

CACHEPROF_OPTIONS=dump-signal=USR1 ./long file stop >out 2>err &
waits test -s err && waits test -s err && waits printed startup
sleep 0.3
kill -USR1 $!
check "dump-signal=USR1" waits test -s cacheprof.out
cp cacheprof.out first
check "a complete profile" grep -q ^summary: first
check "is told of" waits printed "^==cacheprof== profile so far: $PWD/cacheprof.out\$"
check "no summary of a run that goes on" test ! -e cacheprof.out.summary
rm cacheprof.out
kill -10 $!
check "again" waits test -s cacheprof.out
cp cacheprof.out second
touch stop
wait $!
check "the program's status" test $? -eq 3
check "the program's output" grep -qx 1 out
check "counts grow" test "$(instructions first)" -lt "$(instructions second)"
check "to those of the run" test "$(instructions second)" -lt "$(instructions cacheprof.out)"
check "one summary" test "$(wc -l <cacheprof.out.summary)" -eq 1

interrupted_read() {
	local status
	mkfifo pipe
	CACHEPROF_OPTIONS=dump-signal=USR2:quiet=1:out=read.out ./long read <pipe 2>err &
	exec 9>pipe
	sleep 0.3
	kill -USR2 $!
	waits test -s read.out || return 1
	echo 1234567 >&9
	exec 9>&-
	wait $!
	status=$?
	[ $status -eq 0 ] && [ ! -s err ]
}
check "a read goes on" interrupted_read

rm -f stop
CACHEPROF_OPTIONS=progress=1 ./long file stop >out 2>err &
check "progress=1" waits printed "^==cacheprof== [2-9] s: [0-9,]* insns, [0-9,]* refs, miss rates I1 0.00%, D1 [0-9]\\?[0-9].[0-9]%, LL 0.0%\$"
touch stop
wait $!
check "the program's status" test $? -eq 3
n=$(grep -c ' s: ' err)
sleep 1.2
check "ends with the program" test "$n" -eq "$(grep -c ' s: ' err)"
rm stop
CACHEPROF_OPTIONS=progress=1 ./long1 file stop >out 2>err &
check "at level 1" waits printed "^==cacheprof== [1-9] s: [0-9,]* insns, [0-9,]* refs\$"
touch stop
wait $!
check "no child to wait for" env CACHEPROF_OPTIONS=progress=1 ./long wait
check "no system call is interrupted" env CACHEPROF_OPTIONS=progress=1 ./long poll
CACHEPROF_OPTIONS=progress=1 ./long exec sleep 2>err
check "ends when another program is executed" fails grep -q ' s: ' err
# Of whose line in /proc/PID/stat the name looks like the state of a thread that has ended.
echo 'int poll(void *, unsigned long, int); int main(void) { return poll(0, 0, 2500); }' >sleeps.c
gcc -o ') Z' sleeps.c && CACHEPROF_OPTIONS=progress=1 ./long exec './) Z' 2>err
check "whatever its name is" fails grep -q ' s: ' err
piped() {
	[ "$(CACHEPROF_OPTIONS=progress=100:quiet=1 timeout 20 bash -c './long wait; echo x' 2>&1 | cat)" = x ]
}
check "keeps no pipe open" piped
check "bad values" fails env CACHEPROF_OPTIONS=progress=0 ./long wait
check "bad signals" fails env CACHEPROF_OPTIONS=dump-signal=KILL ./long wait
finish
