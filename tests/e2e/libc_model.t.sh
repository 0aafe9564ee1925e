# --libc-model=yes: what libc's block and string functions refer to counts for their callers' lines, in
# pieces of 32 bytes.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >calls.c <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CALL __attribute__((noipa)) static

static _Alignas(4096) char a[65536], b[65536], text[64] = "0123456789", small[64];
volatile size_t n = 65536, few = 5, many = 100, most = (size_t)-1 / 2;

CALL void copy(void) { memcpy(a, b, n); }
CALL void move(void) { memmove(a, a + 32, n - 32); }
CALL void set(void) { memset(a + 1, 1, n - 2); }
CALL int same(void) { return memcmp(a, b, n); }
CALL size_t length(void) { return strlen(a + 1); }
CALL char *copied(char *to) { return strcpy(to, a + 1); }
CALL int appended(char *to) { return *strcat(to, text); }
CALL int compared(void) { return strcmp(a + 1, b + 1); }
CALL char *found(void) { return strchr(a + 1, 2); }
CALL size_t length_n(void) { return strnlen(a + 1, many); }
CALL char *copied_n(char *to) { return strncpy(to, text, 64); }
CALL char *appended_n(char *to) { return strncat(to, text, few); }
CALL int compared_n(void) { return strncmp(text, small, few); }
CALL long written(int to) { return write(to, a, 4096); }
CALL long got(int from) { return read(from, b, 4096); }
CALL long refused(int from) { return read(from, b, most) + write(from, a, most); }
CALL size_t files(FILE *file) { return fwrite(a, 4, 256, file) + fread(b, 4, 256, file); }
CALL size_t nothing(void) { memcpy(a, b, few - 5); return 0; }

int main(void)
{
	int ends[2];
	FILE *file = tmpfile();
	long sum = pipe(ends);

	copy();
	move();
	set();
	sum += same() + (long)length() + (copied(b + 1) != NULL) + compared() + (found() != NULL);
	sum += (appended(small) != 0) + (long)length_n() + compared_n() + (copied_n(small) != NULL);
	sum += (appended_n(small) != NULL) + written(ends[1]) + got(ends[0]) + (long)files(file);
	sum += refused(ends[0]);
	return sum + (long)nothing() == 0;
}
END
cat >own.c <<'END'
#include <string.h>

volatile size_t n = 100;
char a[100], b[100];

void *memcpy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

int main(void)
{
	memcpy(a, b, n);
	return 0;
}
END

# counts CALLEE: Dr and Dw of all lines under that name; the first of calls.c only, with a line.
counts() {
	awk -v want="fn=$1" '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { on = $0 == want }
		on && /^[0-9]/ { r += $at["Dr"]; w += $at["Dw"]; other += $at["Ir"] } END { print r + 0, w + 0, other + 0 }' cacheprof.out
}
# expect CALLEE DR DW: and no instructions.
expect() {
	local got
	got=$(counts "$1")
	[ "$got" = "$2 $3 0" ] || { echo "$got"; return 1; }
}
expect_all() {
	expect memcpy 2048 2048 && expect memmove 2047 2047 && expect memset 0 2048 && expect memcmp 2 0 &&
		expect strlen 2048 0 && expect strcpy 2048 2048 && expect strcmp 4096 0 && expect strchr 2048 0 &&
		expect strcat 2 1 && expect strnlen 4 0 && expect strncpy 1 2 && expect strncat 2 1 &&
		expect strncmp 2 0 && expect write 128 0 && expect read 0 128 && expect fwrite 32 0 && expect fread 0 32
}
for flags in "-O1 -fno-builtin" "-O2 -fno-builtin -fno-plt -fPIC" "-O2 -fno-builtin -static"; do
	# shellcheck disable=SC2086 # one word a flag
	check "$flags" cacheprof --libc-model=yes gcc $flags -o calls calls.c
	check "runs" ./calls
	check "what each function refers to" expect_all
	# shellcheck disable=SC2086
	check "self-check" cacheprof --libc-model=yes --self-check gcc $flags -o calls calls.c
	check "has no difference" ./calls
done
# What gcc makes of them: with their destination's size (_FORTIFY_SOURCE), and where their result is not used.
cat >checked.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static _Alignas(4096) char a[65536], b[65536];
ssize_t __read_chk(int, void *, size_t, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__stpcpy_chk(char *, const char *, size_t);
volatile size_t size = 65536;
int main(void)
{
	FILE *file = fopen("/dev/zero", "r");

	memset(a, 1, size - 2);
	stpcpy(b, a);
	__stpcpy_chk(b, a, size);
	return __read_chk(fileno(file), b, 4096, size) != 4096 || __fread_chk(b, size, 4, 256, file) != 256;
}
END
check "checked functions" cacheprof --libc-model=yes --self-check gcc -O1 -fno-builtin -o checked checked.c
check "run" ./checked
expect_checked() {
	expect stpcpy 2048 2048 && expect __stpcpy_chk 2048 2048 && expect __read_chk 0 128 && expect __fread_chk 0 32
}
check "what each function refers to" expect_checked
check "at level 1" cacheprof --level1 --libc-model=yes gcc -O1 -fno-builtin -o calls calls.c
check "runs" ./calls
check "what each function refers to" expect_all
check "not without being asked" cacheprof gcc -O1 -fno-builtin -o calls calls.c
check "runs" ./calls
check "no line of libc's" fails grep -q '^fn=mem' cacheprof.out
check "--libc-model=no" cacheprof --libc-model=yes --libc-model=no gcc -O1 -fno-builtin -o calls calls.c
check "runs" ./calls
check "no line of libc's" fails grep -q '^fn=mem' cacheprof.out
check "a program with a memcpy of its own" cacheprof --libc-model=yes gcc -O1 -fno-builtin -o own own.c
check "runs" ./own
counted_once() {
	[ "$(counts memcpy | cut -d' ' -f1-2)" = "101 100" ] || { counts memcpy; return 1; }
}
check "counts it once" counted_once

# With branches: the same references, and the branches of the program itself only.
check "with branches" cacheprof --libc-model=yes --branch-sim=yes gcc -O1 -fno-builtin -o calls calls.c
check "runs" ./calls
check "what each function refers to" expect_all
branches() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { name = $0 }
		/^[0-9]/ { print name, $1, $at["Bc"], $at["Bcm"] + 0, $at["Bi"], $at["Bim"] + 0 }' cacheprof.out |
		grep -v ' 0 0 0 0$'
}
branches >modelled
check "without the model" cacheprof --branch-sim=yes gcc -O1 -fno-builtin -o calls calls.c
check "runs" ./calls
check "the same branches" eval "branches | diff - modelled"
check "self-check of both" cacheprof --self-check --libc-model=yes --branch-sim=yes gcc -O2 -fno-builtin \
	-o calls calls.c
check "has no difference" ./calls

# In a shared object, of a program that is ours and of one that is not.
sed 's/^int main(void)/int work(void)/' calls.c >work.c
echo 'int work(void); int main(void) { return work(); }' >main.c
for flags in "" --branch-sim=yes --level1; do
	# shellcheck disable=SC2086
	check "a shared object $flags" cacheprof $flags --libc-model=yes gcc -O1 -fno-builtin -fPIC -shared \
		-o work.so work.c
	# shellcheck disable=SC2086
	check "of a program" cacheprof $flags --libc-model=yes gcc -o main main.c ./work.so
	check "runs" ./main
	check "what each function refers to" expect_all
	check "of a program that is not ours" gcc -o main main.c ./work.so
	check "runs" ./main
	check "what each function refers to" expect_all
done

# No more than there is: of as much as can be asked for, and of what only has a name of these.
cat >much.c <<'END'
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char all[1 << 23], buffer[4096];
int fwrite_(void);
int main(void)
{
	volatile size_t most = SSIZE_MAX / 2;

	memset(all, 1, sizeof all);
	printf("%zd %d %d\n", read(0, buffer, INT_MAX), (int)read(0, buffer, most), fwrite_());
	return 0;
}
END
cat >own.c <<'END'
int write(int n);
int fwrite_(void) { return write(3); }
END
echo 'int write(int n) { return n + 1; }' >write.c
no_more() {
	cacheprof --libc-model=yes gcc -w -O1 -fno-builtin much.c own.c write.c -o much &&
		echo some | CACHEPROF_OPTIONS=quiet=1 timeout 20 ./much >out && cat out && grep -qx '5 0 4\|5 -1 4' out &&
		[ "$(sums_of cacheprof.out memset Dw)" = 262144 ]
}
check "what is mapped" no_more
finish
