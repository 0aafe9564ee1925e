# continuous=1: who kills a program with SIGKILL has its profile all the same.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1:continuous=1

cat >steps.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;
static struct {
	volatile long steps[8];
} *told;

__attribute__((noinline)) static void step(void)
{
	sum++;
}

/* Tells how many steps there were at least, where that is known when the process is gone. */
static void *go(void *number)
{
	for (;;) {
		for (int i = 0; i < 100; i++)
			step();
		told->steps[(long)number] += 100;
	}
	return 0;
}

static int become(char *program)
{
	for (int i = 0; i < 1000; i++)
		step();
	execlp(program, program, "1", (char *)0);
	return 1;
}

int main(int argc, char **argv)
{
	int fd = open("told", O_RDWR | O_CREAT, 0666);
	pthread_t thread;

	if (!strcmp(argv[1], "wait"))
		return wait(0) == -1 && errno == ECHILD ? 3 : 1;
	if (!strcmp(argv[1], "exec"))
		return become(argv[2]);
	if (ftruncate(fd, 4096))
		return 1;
	told = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!strcmp(argv[1], "idle")) {
		step();
		for (;;)
			pause();
	}
	if (!strcmp(argv[1], "fork") && fork())
		for (;;)
			pause();
	if (!strcmp(argv[1], "threads") || !strcmp(argv[1], "headless"))
		for (long i = 1; i < 8; i++)
			pthread_create(&thread, 0, go, (void *)i);
	if (!strcmp(argv[1], "headless"))
		pthread_exit(0);
	go(0);
}
END

# steps: how often the profiles say that step was entered, by its read of sum
steps() {
	cat "$@" | awk '/^events:/ { for (i = 2; i <= NF; i++) if ($i == "Dr") at = i }
		/^fn=/ { on = $0 == "fn=step" } on && /^[0-9]/ { n += $at } END { print int(n / reads) }' reads=2
}

# told: how many there were at least
told() {
	od -An -v -td8 -N64 -w8 told | awk '{ n += $1 } END { print n }'
}

# waits COMMAND...: until it is true, 20 seconds at most
waits() {
	local n
	for ((n = 0; n < 200; n++)); do
		"$@" && return
		sleep 0.1
	done
	return 1
}

# lost: the profiles' steps are not fewer than were told, and not many more
none_lost() {
	local told have
	told=$(told) have=$(steps "$@")
	[ "$have" -ge "$told" ] && [ "$have" -le $((told + 800)) ] && return
	echo "told $told, profile $have"
	return 1
}

begins() {
	rm -f told cacheprof.out*
	"$@" &
	pid=$!
	waits test -s told && sleep 0.4
}

# kills HOW PROGRAM MODE
kills() {
	begins "./$2" "$3" || return 1
	kill -9 $1$pid
	wait $pid
	[ $? -eq 137 ] && waits none_lost cacheprof.out && ! ls | grep tmp
}

# The writer beside the program dies at the same time: what is a tenth of a second old is there.
kills_both() {
	local beside before
	begins "./$1" "$2" || return 1
	beside=$(grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
	[ -n "$beside" ] || return 1
	before=$(told)
	sleep 0.1
	kill -9 $beside $pid
	wait $pid
	[ "$(steps cacheprof.out)" -ge "$before" ]
}

# Nobody writes any more, and nobody waits for the one that did.
goes_on_alone() {
	local beside
	begins "./$1" idle || return 1
	beside=$(grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
	[ -n "$beside" ] && kill -9 $beside || return 1
	kill $pid
	timeout 10 tail --pid=$pid -f /dev/null
	wait $pid
	[ $? -eq 143 ]
}

# A whole group, as timeout does
kills_group() {
	rm -f told cacheprof.out*
	timeout -s KILL 0.6 ./steps alone
	waits none_lost cacheprof.out
}

child_too() {
	local child
	begins ./steps fork || return 1
	child=$(ls cacheprof.out.*[0-9] | sed 's/.*\.//')
	kill -9 $child || return 1
	waits none_lost "cacheprof.out.$child"
	local status=$?
	kill -9 $pid
	wait $pid
	return $status
}

idle_is_quiet() {
	local first
	begins ./steps idle || return 1
	waits test -s cacheprof.out || return 1
	first=$(stat -c %i.%y cacheprof.out)
	sleep 0.3
	[ "$(stat -c %i.%y cacheprof.out)" = "$first" ]
	local status=$?
	kill $pid
	wait $pid
	return $status
}

for options in "-O1" "-O1 -static" "--level1 -O1"; do
	level= flags=$options
	case $options in --level1*) level=--level1 flags=-O1 ;; esac
	check "builds $options" cacheprof $level gcc $flags -w -pthread -o steps steps.c

	check "killed" kills "" steps alone
	check "killed with eight threads" kills "" steps threads
	check "killed when the first thread has ended" kills "" steps headless
	check "killed together with the writer" kills_both steps alone
	check "with eight threads" kills_both steps threads
done
check "a program whose writer was killed ends as ever" goes_on_alone steps
check "builds" cacheprof gcc -O1 -w -pthread -o steps steps.c
check "killed by timeout" kills_group
check "a child has its own" child_too
check "nothing is written when nothing happens" idle_is_quiet
no_child() {
	./steps wait
	[ $? -eq 3 ]
}
check "no child to wait for" no_child
executed() {
	rm -f cacheprof.out*
	./steps exec sleep
	[ "$(steps cacheprof.out)" -eq 1000 ] && [ "$(wc -l <cacheprof.out.summary)" -eq 1 ]
}
check "written once before another program is executed" executed
unwritable() {
	local status
	mkdir -p closed && chmod 500 closed && cd closed || return 1
	if touch x 2>/dev/null; then cd .. && return; fi
	CACHEPROF_OPTIONS=continuous=1 ../steps wait 2>../err
	status=$?
	cd ..
	[ $status -eq 3 ] && [ "$(grep -c 'cannot write' err)" -eq 1 ]
}
check "an obstacle is told of once" unwritable
piped() {
	[ "$(timeout 20 bash -c './steps wait; echo x' 2>&1 | cat)" = x ]
}
check "keeps no pipe open" piped
finish
