# What I1 misses in programs made at random, whose blocks and functions lie at places of their own: the same as the
# self-check has it, line by line, and at each end of a process the same lines in the same order, whatever geometry I1
# has. Each line of the assembly is a site of its own: in a sum over all, one that is missed would make up for another
# that is not.
#
# SEEDS="FROM TO": which are made.
. "$(dirname "$0")/../tap.sh"

# code SEED NAME N: N functions in assembly, NAME0 on. They leave r12 as the next random number (r13 is what it is
# multiplied by) and r14 as what is left of their steps; at r15 are 16 functions, one of what happens (calls.c), then
# memory.
code() {
	awk -v seed="$1" -v name="$2" -v n="$3" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	function say(s) { print "\t" s }
	# Instructions of so many bytes, which change nothing that matters.
	function fill(bytes,    k) {
		for (; bytes > 0; bytes -= k) {
			k = bytes > 80 && any(4) ? 10 : 1 + any(10)
			while (!(k in filler) || k > bytes) k--
			say(filler[k])
		}
	}
	function random() { say("imulq %r13, %r12"); say("addq %r13, %r12") }
	# Jumps to l if there are no steps any more.
	function step(l) { say("subq $1, %r14"); say("jle " l) }
	function label(k) { return k < blocks ? ".L" me "_" k : ".L" me "_end" }
	function ahead(k) { return label(k + 1 + any(blocks - k)) }
	function refer(    at) {
		at = one_of("256 264 4352 8192 320") "(%r15)"
		say(any(2) ? "movq " at ", %rax" : any(2) ? "movq %rax, " at : "addl %edx, " at)
	}
	function loop(    few) {
		few = any(8)
		say("movl $" one_of(few ? "1 1 2 3" : "20 40 100") ", %ecx"); say("leaq 512(%r15), %rdi")
		print "1:"
		if (any(2)) say("addq (%rdi), %rax")
		if (any(2)) say("addq $" one_of("1 8 64") ", %rdi")
		fill(any(few ? 300 : 20))
		say("subl $1, %ecx"); say("jne 1b")
	}
	function table(k,    j) {
		step(label(blocks))
		say("movq %r12, %rax"); say("shrq $" 40 + any(20) ", %rax"); say("andl $3, %eax")
		say("leaq .T" me "_" k "(%rip), %rcx"); say("movslq (%rcx,%rax,4), %rax"); say("addq %rcx, %rax")
		say("jmp *%rax")
		say(".section .rodata"); say(".p2align 2"); print ".T" me "_" k ":"
		for (j = 0; j < 4; j++) say(".long " label(any(blocks + 1)) "-.T" me "_" k)
		say(".previous")
	}
	# What the function has elsewhere.
	function cold(k,    l) {
		l = ".L" me "_cold" k
		say("btq $" 40 + any(20) ", %r12"); say("jc " l)
		say(".section " one_of(".text.unlikely .text.unlikely .text." me ".cold") ",\"ax\",@progbits")
		if (any(2)) say(".p2align " any(7))
		print l ":"
		fill(any(3) ? any(60) : any(600))
		if (any(3) == 0) refer()
		say("jmp " ahead(k)); say(".previous")
	}
	function call(k,    to) {
		step(label(blocks))
		if (any(3) == 0) {
			say("movq %r12, %rax"); say("shrq $" 40 + any(20) ", %rax"); say("andl $15, %eax")
			say("call *(%r15,%rax,8)")
		} else {
			to = name any(n)
			say("call " to (local[to] || any(2) ? "" : "@PLT"))
		}
	}
	function tail(    to) {
		to = name any(n)
		step(label(blocks))
		if (any(4)) say("jmp " to (local[to] ? "" : "@PLT"))
		else { say("movq " 8 * any(16) "(%r15), %rax"); say("jmp *%rax") }
	}
	function block(k,    what) {
		print label(k) ":"
		if (any(6) == 0) say(".p2align " one_of("3 4 4 5 6"))
		fill(any(4) ? any(40) : any(4) ? any(200) : any(1500))
		if (any(3) == 0) random()
		if (any(3) == 0) refer()
		what = any(24)
		if (what < 8) { say("btq $" 40 + any(20) ", %r12"); say((any(2) ? "jc " : "jnc ") ahead(k)) }
		else if (what < 11) {
			say("btq $" 40 + any(20) ", %r12"); say("jc 1f")
			say("subq $1, %r14"); say("jg " label(any(k + 1))); print "1:"
		}
		else if (what < 15) call(k)
		else if (what == 15) loop()
		else if (what == 16) table(k)
		else if (what == 17) cold(k)
		else if (what == 18) say("jmp " ahead(k))
		else if (what == 19 && !kept) { say("btq $" 40 + any(20) ", %r12"); say("jc 1f"); tail(); print "1:" }
		# Code of a way of I1, and a bit more or less, which nobody executes.
		else if (what == 20 && any(2)) { say("jmp " label(k + 1)); fill(3900 + any(300)) }
		else if (what == 21 && any(3) == 0) say("call *128(%r15)")
		else if (what == 22) { say("movl $110, %eax"); say("syscall") }
		else if (what == 23 && !kept) { say("btq $" 40 + any(20) ", %r12"); say("jc 1f"); say("ret"); print "1:" }
	}
	function section(i) {
		if (any(3) == 0) return ".text"
		return one_of(".text.hot .text.unlikely .text." name i " .text." name i " .text." name i)
	}
	function one(i,    k, at) {
		me = name i; blocks = 2 + any(12); kept = any(3) == 0
		at = section(i)
		if (!falls) say(".section " at ",\"ax\",@progbits")
		if (!falls && at == ".text." me) {
			say(".p2align " one_of("0 4 5 6 7 8 12 12 12 12"))
			fill(any(3) ? 16 * any(10) : any(300))
		} else if (any(3)) say(".p2align " one_of("3 4 4 4 5 6"))
		if (!local[me]) say(".globl " me)
		say(".type " me ",@function")
		print me ":"
		if (kept) { say("pushq %rbx"); say("movq %r12, %rbx") }
		for (k = 0; k < blocks; k++) block(k)
		print label(blocks) ":"
		if (kept) say("popq %rbx")
		falls = i < n - 1 && any(12) == 0
		if (!falls) say(one_of("ret ret ret ret rep;ret"))
		say(".size " me ",.-" me)
	}
	BEGIN {
		srand(seed)
		filler[1] = "cltd"; filler[2] = "movl %eax, %edx"; filler[3] = "movq %rax, %rsi"
		filler[4] = "leaq 1(%rax), %rax"; filler[5] = "movl $12345678, %edx"; filler[7] = "leaq 123456(%rax), %rdx"
		filler[8] = "nopl 512(%rax,%rax,1)"; filler[10] = "movabsq $1234567890123, %rax"
		filler[9] = "nopw 512(%rax,%rax,1)"
		say(".text")
		if (any(4)) say(".ident \"a compiler\"") # and no hand: then only some blocks note the time
		for (i = 0; i < n; i++) local[name i] = i >= 8 && any(3) == 0
		for (i = 0; i < n; i++) one(i)
		say(".section .note.GNU-stack,\"\",@progbits")
	}'
}

# calls SEED: what calls them, eight of each object, in any order; in children, too, whose ends compare what caches hold,
# in threads, beside a shared object that comes and goes, and behind a signal and a longjmp. RUN=WORDS tells which.
calls() {
	cat <<-END
		#include <cacheprof.h>
		#include <dlfcn.h>
		#include <pthread.h>
		#include <setjmp.h>
		#include <signal.h>
		#include <stdint.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/wait.h>
		#include <unistd.h>
		typedef void body(void);
		body $(printf 'a%d, b%d, ' {0..7}{,}) begin;
		static body *const own[] = {$(printf 'a%d, b%d, ' {0..7}{,})};
		static struct {
			body *functions[16];
			void (*happen)(void);
			char memory[1 << 16];
		} all __attribute__((aligned(4096)));
		static uint64_t seed = $1;
		static sigjmp_buf *behind;
		static int deep, off, alone = 1;
		static void *objects[2];
		static const char *words;

		void enter(body *f, uint64_t state, long steps, void *memory);
		void happens(void);
		static uint64_t any(uint64_t n)
		{
			seed = seed * 6364136223846793005 + 1442695040888963407;
			return (seed >> 33) % n;
		}
		static int may(const char *what)
		{
			return strstr(words, what) != 0;
		}
		static void choose(void)
		{
			for (int i = 0; i < 16; i++) {
				int object = any(3);
				char name[8];

				snprintf(name, sizeof name, "%c%d", "cd"[object % 2], (int)any(8));
				all.functions[i] = object < 2 && objects[object] ? (body *)dlsym(objects[object], name)
									       : own[any(16)];
			}
		}
		static void some(int n)
		{
			for (; n; n--)
				enter(all.functions[any(16)], any(1ul << 31) << 20, 1 + any(60), &all);
		}
		static void on_signal(int number)
		{
			(void)number;
			deep++;
			some(1);
			deep--;
		}
		static void toggle(void)
		{
			CACHEPROF_TOGGLE;
			off = !off;
		}
		/* From the midst of the functions. */
		void happened(void);
		void happened(void)
		{
			if (deep < 2 && may("signals") && any(2))
				raise(SIGUSR1);
			else if (may("jumps") && behind && any(3) == 0)
				siglongjmp(*behind, 1);
			else if (may("regions") && alone)
				toggle();
		}
		static void jump(void)
		{
			sigjmp_buf here;

			deep = 0;
			behind = &here;
			if (!sigsetjmp(here, 1))
				some(8);
			behind = 0;
			deep = 0;
		}
		static void *thread(void *nothing)
		{
			alone = 0;
			some(10);
			alone = 1;
			return nothing;
		}
		static void child(void)
		{
			int status;
			pid_t pid;

			fflush(0);
			pid = fork();
			if (!pid) {
				some(any(5));
				if (off)
					toggle();
				exit(0);
			}
			if (waitpid(pid, &status, 0) != pid || status)
				exit(1);
			any(2);
		}
		static void change_objects(void)
		{
			int which = any(2);

			if (objects[which]) {
				dlclose(objects[which]);
				objects[which] = 0;
			} else if (!(objects[which] = dlopen(which ? "./d.so" : "./c.so", RTLD_NOW))) {
				puts(dlerror());
				exit(2);
			}
			choose();
		}
		int main(void)
		{
			words = getenv("RUN");
			all.happen = happens;
			signal(SIGUSR1, on_signal);
			choose();
			for (int round = 0; round < 200; round++) {
				pthread_t t;

				if (any(8) == 0)
					choose();
				some(any(12));
				if (any(6) == 0 && may("jumps"))
					jump();
				if (any(12) == 0 && may("children"))
					child();
				if (any(20) == 0 && may("threads")) {
					pthread_create(&t, 0, thread, 0);
					pthread_join(t, 0);
				}
				if (any(10) == 0 && may("objects"))
					change_objects();
				if (any(10) == 0 && may("regions"))
					toggle();
			}
			if (off)
				toggle();
			return 0;
		}
	END
}

# Into the functions, and out of them.
cat >enter.s <<'END'
	.text
	.globl	enter
	.type	enter,@function
enter:	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsi, %r12
	movabsq	$6364136223846793005, %r13
	movq	%rdx, %r14
	movq	%rcx, %r15
	call	*%rdi
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.size	enter,.-enter
	.globl	happens
	.type	happens,@function
happens:	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-16, %rsp
	call	happened
	leave
	ret
	.size	happens,.-happens
	.section .note.GNU-stack,"",@progbits
END

# build FLAGS...: cacheprof's, or gcc's.
build() {
	local flag ours=() gccs=() object
	for flag in "$@"; do case $flag in --*) ours+=("$flag") ;; *) gccs+=("$flag") ;; esac; done
	for object in c d; do
		cacheprof --self-check "${ours[@]}" gcc -fPIC -shared $object.s -o $object.so || return
	done
	cacheprof --self-check "${ours[@]}" gcc -O1 -I"$TOP/include" "${gccs[@]}" a.s b.s enter.s calls.c -o exact -ldl
}

# exact OPTIONS WORDS: no difference.
exact() {
	RUN=$2 CACHEPROF_OPTIONS=out=/dev/null:$1 timeout 60 ./exact 2>printed || { cat printed; return 1; }
	grep -q "self-check: 0 differences" printed && ! grep self-check: printed | grep -v ": 0 differences"
}

# Ordinary ones, those whose numbers are at an edge of what times serve for (runtime/i1.c), and those where each fetch
# comes to the model, down to one set, or one line.
caches=(
	"" I1=4096,1,64 I1=12288,3,64 I1=65536,16,64:simd=none I1=32768,2,64 I1=16384,4,128 I1=4096,1,32 I1=8192,2,16
	I1=1048576,256,64 I1=2097152,512,64 I1=4096,1,8 I1=8192,1,256 I1=1024,16,64 I1=1536,3,64 I1=2048,2,128 I1=16,1,8
)
ways=("" "-fPIC -pie" "--branch-sim=yes --plain-copies=yes")
read -r from to <<<"${SEEDS:-1 3}"
for ((seed = from; seed <= to; seed++)); do
	for object in a b c d; do code "$seed$(printf %d "'$object")" $object 30 >$object.s; done
	calls "$seed" >calls.c
	way=${ways[seed % ${#ways[@]}]}
	# shellcheck disable=SC2086 # words
	check "seed $seed $way" build $way
	for ((i = 0; i < ${#caches[@]}; i++)); do
		if (((i + seed) % 3 == 0)); then continue; fi
		words="children threads objects signals jumps"
		if (((i + seed) % 2)); then words+=" regions"; fi
		check "... ${caches[i]}, $words" exact "${caches[i]}" "$words"
	done
done

# A time that a block further away tells than the record of a line can say: the line is the oldest, or it is not.
cat >far.s <<'END'
	.text
	.p2align 12
	.globl f
	.type f, @function
f:	jmp .L2
	.rept 33000
	je 1f
1:
	.endr
	ret
.L2:	ret
	.size f, .-f
	.irp name, p, q
	.p2align 12
	.skip 448
	.globl \name
	.type \name, @function
\name:	ret
	.size \name, .-\name
	.endr
	.ident "GCC"
	.section .note.GNU-stack, "", @progbits
END
cat >far.c <<'END'
void f(void), p(void), q(void);
int main(void)
{
	for (int i = 0; i < 50; i++) {
		f();
		p();
		if (i < 25)
			f();
		q();
	}
}
END
far() {
	cacheprof --self-check gcc -O far.c far.s -o far &&
		CACHEPROF_OPTIONS=quiet=1:I1=8192,2,64 ./far && CACHEPROF_OPTIONS=quiet=1:I1=16384,4,64 ./far
}
check "blocks far apart" far
finish
