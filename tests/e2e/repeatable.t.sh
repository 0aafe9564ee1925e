# Two runs of a program give the same counts: fixed-addresses=1, pages=first-touch; and what is
# instrumented has its data and heap where the native program has them.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS

cat >places.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>

extern char **environ;

static char *pages(long n)
{
	return mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static long walk(const char *a, const char *b, int step)
{
	long sum = 0;

	for (int i = 0; i < 16 * 4096; i += step)
		sum += a[i] + b[i];
	return sum;
}

/* places PAGES [env]: with as many pages between two mappings; prints its environment. */
int main(int argc, char **argv)
{
	char local[5000];
	char *heap = malloc(70000), *a = pages(16), *gap = pages(atoi(argv[1])), *b = pages(16);
	long sum = gap == NULL;

	for (size_t i = 0; i < sizeof local; i += 8)
		local[i] = (char)i;
	for (int i = 0; i < 70000; i++)
		heap[i] = local[i % 4000 / 8 * 8];
	for (int i = 0; i < 3; i++)
		sum += walk(a, b, 64) + walk(heap, b, 8);
	for (char **e = environ; argc > 2 && *e; e++)
		puts(*e);
	printf("%d %s %x %ld\n", argc, argv[0], personality(0xffffffff), sum);
	return 0;
}
END
cacheprof gcc -O1 -o places places.c || exit 1
gcc -O1 -o native places.c || exit 1

# run N OPTIONS GAP: the profile in profile.N, with an environment of its own size.
run() {
	env -i "A=$(head -c $(($1 * 777)) /dev/zero | tr '\0' x)" $(seq -f 'V%g=1' "$1") \
		"CACHEPROF_OPTIONS=quiet=1:out=profile.$(printf %03d "$1"):$2" ./places "${@:3}" >"out.$1" &&
		mv "profile.$(printf %03d "$1")" "profile.$1"
}
equal() {
	cmp profile.1 "profile.$1"
}
# twenty OPTIONS: with environments of twenty sizes; says how many different profiles there are.
twenty() {
	local n

	for n in $(seq 20); do run "$n" "$1" 11 || return 1; done
	for n in $(seq 20); do cksum <"profile.$n"; done | sort -u | wc -l
}
totals_equal() {
	cmp <(grep ^summary profile.1) <(grep ^summary "profile.$1")
}

# (Where the kernel does not randomize, the environments alone must make a difference.)
check "twenty runs differ" test "$(twenty LL=64k,2,64)" -gt 1
for pages in "" :pages=first-touch; do
	for cache in "" :LL=64k,2,64; do
		options=fixed-addresses=1$pages$cache
		check "twenty runs are one: $options" test "$(twenty $options)" = 1
	done
done
check "run 1" run 1 fixed-addresses=1:LL=64k,2,64 11
check "a program that looks" run 9 fixed-addresses=1 11 env
check "the program has its own environment" grep -qx V9=1 out.9
check "and nothing more" fails grep -q FIXED out.9
check "and its own personality" grep -qx '3 \./places 0 [0-9-]*' out.9

# What the kernel tells of the system stands behind the environment, where Go's runtime looks for it. With an even
# number of variables and an odd one.
cat >behind.c <<'END'
#include <elf.h>
#include <stdio.h>
#include <sys/auxv.h>
int main(int argc, char **argv, char **envp)
{
	unsigned long pages = 0, n = 0;

	(void)argc, (void)argv;
	while (*envp++)
		;
	for (const Elf64_auxv_t *a = (const Elf64_auxv_t *)envp; a->a_type != AT_NULL && n < 1000; a++, n++) {
		if (a->a_type == AT_PAGESZ)
			pages = a->a_un.a_val;
		if (a->a_type == AT_RANDOM && getauxval(AT_RANDOM) != a->a_un.a_val)
			return 1;
	}
	printf("%lu\n", pages);
	return pages != 4096 || n < 10 || n > 60;
}
END
# behind FLAGS N: with so many variables more.
behind() {
	# shellcheck disable=SC2046 # one word a variable
	gcc $1 -o behind behind.c && ./behind && cacheprof gcc $1 -o behind behind.c &&
		env -i $(seq -f 'V%g=1' "$2") CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1 ./behind
}
for flags in -O1 -static; do
	for n in 0 1 505 511; do check "what stands behind the environment, $flags $n" behind $flags $n; done
done

check "fixed twice" run 8 fixed-addresses=1:fixed-addresses=1:LL=64k,2,64 11
check "is fixed" equal 8
loaded() {
	CACHEPROF_OPTIONS=fixed-addresses=1 "$(readlink -f /lib64/ld-linux-x86-64.so.2)" ./places 1 2>err
	[ $? -eq 1 ] && grep -qx '==cacheprof== fixed-addresses=1: start the program itself, not through its loader' err
}
check "by its loader: said" loaded
without_proc() {
	echo 'int main(void) { return 0; }' >alone.c
	cacheprof gcc -static alone.c -o alone || return 1
	CACHEPROF_OPTIONS=fixed-addresses=1 chroot . /alone 2>err
	[ $? -eq 1 ] && grep -qx '==cacheprof== fixed-addresses=1: it needs /proc, .*' err
}
if chroot . /nothing 2>&1 | grep -q "No such file"; then
	check "without /proc: said" without_proc
else
	skip "without /proc: said" "chroot is root's"
fi

check "LL by addresses" run 1 fixed-addresses=1:LL=256k,1,64 11
check "LL by addresses, others" run 2 fixed-addresses=1:LL=256k,1,64 48
check "differ" fails totals_equal 2
check "LL by pages" run 1 fixed-addresses=1:LL=256k,1,64:pages=first-touch 11
check "LL by pages, others" run 2 fixed-addresses=1:LL=256k,1,64:pages=first-touch 48
check "have the same counts" totals_equal 2
# Without fixed addresses: heap and mappings lie elsewhere in each run, which LL does not see. (Stack and
# environment do not fill whole pages, so their counts move, and only walk's are looked at.)
cat >apart.c <<'END'
#include <stdlib.h>
#include <sys/mman.h>

enum { BYTES = 24 * 4096 };

__attribute__((noipa)) static void walk(char *a, char *b)
{
	for (int i = 0; i < BYTES; i += 64)
		a[i] = b[i];
}

int main(void)
{
	char *heap = (char *)(((size_t)malloc(BYTES + 4096) + 4095) & -4096ul);
	char *mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 5; i++)
		walk(heap, mapped);
	return 0;
}
END
# walks OPTIONS: how many different counts of walk twenty runs give
walks() {
	local n

	for n in $(seq 20); do
		env -i "A=$(head -c $((n * 777)) /dev/zero | tr '\0' x)" "CACHEPROF_OPTIONS=quiet=1:$1" ./apart &&
			awk '/^fn=/ { on = $0 == "fn=walk" } on && /^[0-9]/' cacheprof.out | cksum
	done | sort -u | wc -l
}
cacheprof gcc -O1 -o apart apart.c || exit 1
if [ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ]; then
	check "where heap and mappings lie matters" test "$(walks LL=256k,1,64)" -gt 1
else
	skip "where heap and mappings lie matters" "this kernel puts them where they were"
fi
check "to LL by pages it does not" test "$(walks LL=256k,1,64:pages=first-touch)" = 1

check "self-check of the pages" cacheprof --self-check gcc -O1 -o checked places.c
for cache in 64k,1,64 1M,16,64 64k,4,32 320k,20,128; do
	check "LL=$cache" env CACHEPROF_OPTIONS=LL=$cache:pages=first-touch ./checked 5
done

# Data at the page offsets that it has natively, the first mappings at the native places.
cat >data.c <<'END'
#include <stdio.h>
static volatile char a[3];
static volatile long b = 4;
int c[2];
char d = 'x';
static volatile short e;

int main(int argc, char **argv)
{
	a[argc] = d;
	e += b + c[argc];
	puts(argv[0]);
	return a[0] + e == 7;
}
END
offsets() {
	nm "$1" | awk '$3 ~ /^[a-e]$|^(__bss_start|_edata)$/ { print $3, substr($1, 14) }' | sort
}
same_offsets() {
	# shellcheck disable=SC2086 # one word a flag
	gcc $1 -o data.native data.c && cacheprof gcc $1 -o data data.c &&
		[ "$(offsets data | wc -l)" -eq 7 ] && diff <(offsets data.native) <(offsets data)
}
for flags in -O0 -O2 "-O2 -no-pie" "-O2 -static -no-pie" "-O1 -static-pie"; do
	check "page offsets of data, $flags" same_offsets "$flags"
done
finish
