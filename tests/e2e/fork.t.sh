# A child of fork writes its own file; its parent's is its parent's.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS

cat >family.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;

__attribute__((noinline)) static void parents_work(void)
{
	for (int i = 0; i < 1000; i++)
		sum += i;
}

__attribute__((noinline)) static void childs_work(void)
{
	for (int i = 0; i < 500; i++)
		sum -= i;
}

int main(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		childs_work();
		exit(0);
	}
	parents_work();
	return waitpid(child, &status, 0) == child ? status : 1;
}
END
check "builds" cacheprof gcc -O1 -o family family.c
check "runs" ./family
check "the parent's profile" test -f cacheprof.out
check "has the parent's work" grep -qx fn=parents_work cacheprof.out
check "and not the child's" fails grep -qx fn=childs_work cacheprof.out
check "one child's profile" test "$(ls cacheprof.out.* | grep -cE 'out\.[0-9]+$')" -eq 1
check "has the child's work" grep -qx fn=childs_work cacheprof.out.*[0-9]
check "and not the parent's" fails grep -qx fn=parents_work cacheprof.out.*[0-9]
finish
