# A program that lowers its own limits of memory for good, as a check in gnulib's configure scripts does, runs on and
# ends as it would without us, though it then comes to memory that LL knows nothing of yet.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS

cat >lowered.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define REGION (64ul << 20) /* what LL knows of memory comes in pieces of so much */
#define N 4

int main(void)
{
	static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
	static char *at[N];
	struct rlimit limit = {5000000, 5000000};

	for (int i = 0; i < N; i++)
		if ((at[i] = mmap(0, 2 * REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				  -1, 0)) == MAP_FAILED)
			return 77;
	for (int i = 0; i < 2; i++)
		if (setrlimit(limits[i], &limit) != 0)
			return 77;
	for (int i = 0; i < N; i++)
		at[i][REGION] = 1;
	puts(malloc(10000000) ? "memory" : "no memory");
	return 3;
}
END
runs_as() { # RUNS_AS options: output and status of the native program
	./native >native.out
	local status=$?
	[ "$status" = 3 ] || { echo "natively $status"; return 1; }
	CACHEPROF_OPTIONS=quiet=1:$1 ./ours >ours.out
	[ $? = "$status" ] && cmp native.out ours.out
}
check "builds natively" gcc -O2 -o native lowered.c
check "builds" cacheprof gcc -O2 -o ours lowered.c
for simd in avx512 avx2 none; do
	check "limits lowered for good: simd=$simd" runs_as "simd=$simd"
done
finish
