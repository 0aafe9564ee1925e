# Input that nobody would write, names that somebody gives, and hundreds of jobs at a time.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

# cpu COMMAND...: hundredths of seconds of CPU time that it took
cpu() {
	python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], timeout=300).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(round(100 * (used.ru_utime + used.ru_stime)))
sys.exit(status)' "$@"
}

# function LINES: assembly of one function of so many lines
function_of() {
	printf '\t.text\n\t.globl\tf\n\t.type\tf, @function\nf:\n'
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i += 8)
		printf "\tmovl\t%d(%%rdi), %%eax\n\taddl\t%%eax, (%%rsi,%%rax,4)\n\tcmpl\t$%d, %%eax\n\tjne\t.L%d\n" \
			"\tpushq\t%%rax\n\tpopq\t%%rcx\n\timull\t$3, %%ecx, %%eax\n.L%d:\tmovl %%eax, x+%d(%%rip)\n",
			i % 4096, i, i, i, i % 1024 }'
	printf '\tret\n\t.size\tf, .-f\n\t.comm\tx,2048\n'
}
# linear SMALL LARGE: eight times the text takes at most sixteen times as long
linear() {
	local small large
	small=$(cpu cacheprof gcc -c "$1" -o small.o) && large=$(cpu cacheprof gcc -c "$2" -o large.o) || return 1
	echo "$small and $large hundredths of a second"
	[ "$large" -le $((16 * small)) ]
}
function_of 50000 >small.s
function_of 400000 >large.s
check "a function of 400,000 lines" linear small.s large.s
labels() {
	awk -v n="$1" 'BEGIN { print "\t.text\nf:"
		for (i = 0; i < n; i++) printf ".L%d:\n%s", i, i % 10 ? "" : "\tnop\n\tjmp\t.L" i "\n"; print "\tret" }'
}
labels 125000 >small.s
labels 1000000 >large.s
check "a million labels" linear small.s large.s
# line PIECE TIMES: a line that is TIMES pieces long
line() {
	printf '\t.text\nf:\t'
	awk -v piece="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", piece }'
	printf 'nop\n\tret\n'
}
line 'nop; ' 25000 >small.s
line 'nop; ' 200000 >large.s
check "a line of a megabyte" linear small.s large.s
long_names() {
	{ printf '\t.text\n\t.globl\tf\nf:\n'; for i in 1 2 3; do line x 1000000 | sed -n 's/^f:\t\(x*\)nop/\1'$i':\n\tmovl\t\1'$i'(%rip), %eax/p'; done; echo '	ret'; } >names.s
	timeout 100 cacheprof gcc -c names.s
}
check "symbols of a megabyte" long_names
comments() {
	{ line '#' 1000000; printf '/*'; line '*' 1000000; printf '*/\n\t.data\n\t.ascii "'; line '\\\\' 500000 | tr -d '\n'; echo '"'; } >comments.s
	as comments.s -o native.o && timeout 100 cacheprof gcc -c comments.s
}
check "comments and strings of a megabyte" comments

# Text that is cut off anywhere, and what is no text: what gas refuses is refused, with a sentence and never by
# a signal; so is what it guesses (a string without an end).
as_gas() {
	local ours native
	rm -f native.o ours.o
	as "$1" -o native.o 2>native.err
	native=$?
	timeout 60 cacheprof gcc -c "$1" -o ours.o 2>ours.err
	ours=$?
	if [ $native -ne 0 ] && [ $ours -eq 0 ] || [ $ours -ge 124 ] || { [ $ours -ne 0 ] && ! grep -qi 'error' ours.err; }; then
		echo "$1: gas $native, ours $ours"
		cat native.err ours.err
		return 1
	fi
	[ $ours -eq 0 ] || [ ! -e ours.o ]
}
cat >whole.c <<'END'
#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int argc, char **argv)
{
	static const char *const names[] = {"a\"b", "c;d", "/* e */"};
	__asm__ volatile("lock; incl %0 ; /* here */ nop" : "+m"(argc));
	switch (argc) {
	case 1: return printf("%s\n", names[fib(9) % 3]);
	case 2: return 7;
	case 3: return argv[0][1];
	case 4: return 1;
	case 5: return 9;
	}
	return fib(argc);
}
END
gcc -O1 -g1 -S whole.c || exit 1
cut_off() {
	local size i
	size=$(stat -c %s whole.s)
	for i in {1..40}; do
		head -c $((size * i / 41 + i % 7)) whole.s >cut.s
		as_gas cut.s || return 1
	done
}
check "assembly that is cut off" cut_off
no_text() {
	local file
	head -c 20000 "$BUILD/bin/cacheprof" >elf.s
	head -c 5000 /dev/urandom >random.s
	head -c 3000 /dev/zero >zeros.s
	printf '\t.text\nf:\tmovl\t$1, %%eax\0\n\tret\n' >nul.s
	printf '\xff\xfe\t.text\n' >mark.s
	printf '\t.macro\tm\n\tnop\n' >open.s
	printf '\t.if\t1\n\tnop\n' >if.s
	printf '\t.ascii\t"abc\n' >string.s
	for file in elf random zeros nul mark open if string; do as_gas $file.s || return 1; done
}
check "what is no assembly" no_text

# Names
named() {
	local directory=$1 name=$2
	rm -rf named && mkdir -p "named/$directory" && cd "named/$directory" || return 1
	{
		printf '#include <stdio.h>\nint main(void)\n{\n\tint s = 0;\n'
		printf '\tfor (int i = 0; i < 1000; i++)\n\t\ts += i %% 7;\n\treturn printf("%%d\\n", s) < 0;\n}\n'
	} >"$name.c"
	cacheprof gcc -O0 -c "$name.c" && cacheprof gcc "$name.o" -o "$name.x" && "./$name.x" >out &&
		[ "$(cat out)" = 2997 ] && cacheprof gcc -O0 -save-temps "$name.c" -o "$name.y" && "./$name.y" >out &&
		[ "$(cat out)" = 2997 ] && cacheprof gcc -SA "$name.c" && cacheprof gcc "$name.sA" -o "$name.z" && "./$name.z" >out &&
		[ "$(cat out)" = 2997 ] && cacheprint "$name.c" >shown && grep -q 's += i' shown
	local status=$?
	cd "$T" || exit 1
	return $status
}
while IFS=: read -r directory name; do
	check "named '$directory/$name'" named "$directory" "$name"
done <<'END'
plain:with blanks  and more
with blanks:a
it's "quoted":it's "quoted"
$HOME `id` \n:$HOME `id` \n
größe–寸法:größe–寸法
-dash:a=b,c;d&e|f<g>h
%s%p%n:%s%d
#hash:#hash
END
check "a directory with a line's end" named $'new\nline' plain
temporaries() {
	mkdir -p $'tmp dir\n"\'' && TMPDIR=$PWD/$'tmp dir\n"\'' cacheprof gcc -O1 whole.c -o whole && ./whole >/dev/null
	local status=$?
	[ -z "$(ls $'tmp dir\n"\'')" ] && [ $status -ne 127 ] && [ -x whole ]
}
check "a TMPDIR with such a name" temporaries
odd_symbols() {
	cat >symbols.s <<-'END'
		.text
		.globl "a b"
		.type "a b", @function
		.globl f
		.type f, @function
	f:	jmp "a b"
	"a b":	movl "x;y"(%rip), %eax
		jmp "größe"
		.globl größe
		.type größe, @function
	größe:	addl $1, %eax
		ret
		.data
	"x;y":	.long 41
		.section .note.GNU-stack,"",@progbits
	END
	echo 'int f(void); int main(void) { return f(); }' >odd.c
	cacheprof gcc odd.c symbols.s -o odd || return 1
	./odd
	[ $? -eq 42 ] && grep -qx 'fn=a b' cacheprof.out && grep -qx 'fn=größe' cacheprof.out
}
check "symbols with blanks and UTF-8" odd_symbols
# Of a function of the unit, which another section calls, callers know what registers it leaves alone.
cat >blank.c <<'END'
#include <stdio.h>
static long next(long *) __asm__("\"next one\"");
__attribute__((noinline, noclone)) static long next(long *p)
{
	p[0] = p[1] + p[p[2] & 1];
	return p[0] ^ 3;
}
int main(int argc, char **argv)
{
	static long a[4] = {1, 2, 3, 4};
	long s = argc, t = 3, u = 5, v = argc * 7, w = 9 + argc;

	for (int i = 0; i < 100; i++) {
		s += next(a) * w;
		t = t * 3 + s;
		u ^= t + i;
		v += u + a[1];
		w ^= v;
	}
	printf("%ld %ld %ld %ld %ld\n", s, t, u, v, w);
}
END
blank() { gcc -O2 blank.c -o native && cacheprof gcc -O2 blank.c -o ours && diff <(./native) <(ulimit -c 0 -t 10; ./ours); }
check "a call of a name with a blank" blank

# Outputs that cannot be written
unwritable() {
	! cacheprof gcc -c whole.s -o no/such/directory/a.o 2>err && grep -q 'No such file' err &&
		[ "$(grep -c . err)" -le 2 ] && mkdir -p taken.o && ! cacheprof gcc -c whole.s -o taken.o 2>err &&
		[ -d taken.o ] && grep -q 'Is a directory' err
	local status=$?
	cat err
	return $status
}
check "outputs that cannot be written" unwritable
# Two rules of a makefile that make the same object at the same time: natively each has one.
same_object() {
	local i j status=0
	for i in 1 2 3 4 5 6 7 8 9 10; do
		for j in 1 2 3 4; do cacheprof gcc -c whole.s -o same.o & done
		for j in 1 2 3 4; do wait -n || status=1; done
		nm same.o >/dev/null || status=1
	done
	return $status
}
check "the same object four times at once" same_object
full() {
	! cacheprof gcc -c whole.s -o /dev/full 2>err && [ -s err ]
}
check "a full device" full
# By a link, so that what would be removed is not the device.
full_annotated() {
	ln -s /dev/full full && ! cacheprof gcc -SA whole.s -o full 2>err && grep -q 'cannot write full: No space' err && [ -L full ]
}
check "... is not removed by -SA" full_annotated
to_standard_output() {
	[ "$(cacheprof gcc -SA whole.s -o - | grep -c '^# cacheprof annotated assembly')" -eq 1 ] && [ ! -e ./- ] &&
		! cacheprof gcc -SA whole.s -o - 2>err >/dev/full && grep -q 'cannot write -: No space' err
}
check "-SA -o - writes to standard output" to_standard_output

# Too little memory: there is no text, or all of it. Each limit is a little higher, until all of it has been there.
little_memory() {
	local kb refused=0
	awk 'BEGIN { for (i = 0; i < 400; i++) printf "int f%d(int *p, int n) { for (int i = 0; i < n; i++) p[3 * i] += %d; return p[n & 7]; }\n", i, i }' >many.c
	gcc -O2 -g1 -S many.c && cacheprof gcc -SA many.s -o all.sA || return 1
	for ((kb = 6000; kb < 100000; kb += 250)); do
		if (ulimit -v "$kb" && exec cacheprof gcc -SA many.s) 2>err; then
			cmp many.sA all.sA || { echo "$kb KB"; return 1; }
			[ "$refused" -gt 0 ]
			return
		fi
		refused=$((refused + 1))
	done
	return 1
}
if nm "$BUILD/libexec/cacheprof/instead-of-as" | grep -q __asan_init; then
	skip "too little memory" "the address sanitizer takes more address space than any limit leaves"
else
	check "too little memory" little_memory
fi

# Hundreds of jobs at a time
jobs_at_a_time() {
	mkdir -p jobs
	seq 200 | xargs -P 200 -I{} sh -c 'sed "s/fib/fib_{}/g" whole.c >jobs/{}.c && cacheprof gcc -O1 -c jobs/{}.c -o jobs/{}.o' &&
		[ "$(ls jobs/*.o | wc -l)" -eq 200 ] && ! ls /tmp/cacheprof.* 2>/dev/null | grep -q "jobs"
}
check "200 compilers" jobs_at_a_time
# What is no letter in a file's name gas is told of by number.
named_oddly() {
	echo 'int main(void) { return 0; }' >$'a\nb\001.c'
	cacheprof gcc -O1 $'a\nb\001.c' -o odd 2>err && [ ! -s err ] && ./odd && cat -v cacheprof.out | grep -F '/a\nb^A.c'
}
check "a line's end in a file's name" named_oddly
runs_at_a_time() {
	cacheprof gcc -O1 whole.c -o whole && rm -f cacheprof.out* || return 1
	seq 200 | xargs -P 200 -I{} ./whole 1 2 3 4 5 6 7
	[ "$(wc -l <cacheprof.out.summary)" -eq 200 ] && [ "$(sort -u cacheprof.out.summary | wc -l)" -lt 20 ] &&
		grep -q '^summary: ' cacheprof.out && ! ls | grep '\.tmp\.' && cacheprint >/dev/null
}
check "200 runs in one directory" runs_at_a_time
finish
