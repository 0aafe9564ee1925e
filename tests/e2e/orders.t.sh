# Order in which lines of one set of D1 are left by references that are checked together, moved or merged: each piece of
# code is followed by others of its set, until one of its lines goes, and by what it referred to once more. All at sites
# of its own: in a sum over all, one that is missed would make up for another that is not.
#
# SEEDS="FROM TO": which are made.
. "$(dirname "$0")/../tap.sh"

# cases SEED N: N functions in assembly, of four pointers and a place for others.
cases() {
	awk -v seed="$1" -v n="$2" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	function say(s) { print "\t" s }
	# An operand, which is noted: by what the pointer was at first.
	function at(p, d) {
		pointer[noted] = waits[p]; distance[noted++] = d + moved[p]
		return any(6) ? d "(%" p ")" : (d - 32) "(%" p ",%r9,4)"
	}
	function refer_to(p, d,    insn) {
		insn = one_of("movq_X,_%rax movq_%r9,_X addb_X,_%cl addq_%r9,_X movups_X,_%xmm0 movl_%ecx,_X")
		gsub("_", " ", insn)
		sub("X", at(p, d), insn)
		say(insn)
	}
	function refer() {
		refer_to(any(few) ? one_of("rdi rsi rdx r8") : "rdi", one_of(any(far) ? near : "4096 4104 -4096 8192"))
	}
	# Several within a line, as in wide clusters, and others of the set in between.
	function line(    p, k, d) {
		p = one_of("rdi rsi rdx")
		for (k = 4 + any(5); k > 0; k--) {
			d = any(3) ? 8 * any(8) : 16 * any(4)
			if (any(4)) refer_to(p, d)
			else if (any(2)) refer_to(p, d + one_of("4096 -4096 8192 1024"))
			else refer_to(one_of("rdi rsi rdx r8"), d)
		}
	}
	function pushes(    m, k) {
		m = 1 + any(5)
		for (k = 0; k < m; k++) {
			say("pushq " (any(4) ? "%r9" : at("rsi", 8 * any(8))))
			if (any(4) == 0) refer()
		}
		if (any(2)) refer()
		if (any(3) == 0) { say("addq $" 8 * m ", %rsp"); return }
		for (k = 0; k < m; k++) {
			say("popq " (any(4) ? "%rax" : at("rdi", 8 * any(8))))
			if (any(4) == 0) refer()
		}
	}
	function frame(    k) {
		if (any(2)) say("enter $" 16 * any(5) ", $0")
		else { say("pushq %rbp"); say("movq %rsp, %rbp"); say("subq $" 8 * any(9) ", %rsp") }
		for (k = any(4); k > 0; k--) if (any(2)) refer(); else say("movq %rax, -" 8 * any(10) + 8 "(%rbp)")
		say("leave")
	}
	function go_on(    p, by) {
		p = one_of("rdi rsi rdx r8"); by = one_of("8 16 64 -8 -64 4 1")
		say(any(2) ? "addq $" by ", %" p : "leaq " by "(%" p "), %" p)
		moved[p] += by
	}
	function string(    insn) {
		insn = one_of("rep_movsb rep_movsq rep_stosq repe_cmpsb repne_scasb rep_lodsb movsq cmpsb stosq movsl")
		sub("_", " ", insn)
		say("movl $" one_of("0 1 2 3 8 17") ", %ecx"); say("pushq %rdi"); say("pushq %rsi")
		say(insn); say("popq %rsi"); say("popq %rdi")
	}
	function begin(name) {
		printf "\t.globl %s\n\t.type %s,@function\n%s:\n", name, name, name
		moved["rdi"] = moved["rsi"] = moved["rdx"] = moved["r8"] = noted = 0
		few = one_of("1 2 3 9 9"); far = one_of("1 2 4 9")
	}
	function end(name) { printf "\tret\n\t.size %s,.-%s\n", name, name }
	function probe(    k, j) {
		j = any(noted)
		say("leaq " distance[j] "(%" pointer[j] "), %rax"); say("andl $4095, %eax"); say("addq %rbx, %rax")
		for (k = one_of("1 2 3 5 6 6 7 7 8"); k > 0; k--) say("leaq 4096(%rax), %rax\n\tmovb (%rax), %cl")
		for (k = 0; k < 6; k++) { j = any(noted); say("movb " distance[j] "(%" pointer[j] "), %cl") }
	}
	BEGIN {
		srand(seed)
		near = "0 0 8 16 24 32 48 56 60 63 -1 -8 64 72 -64 128"
		kept = split("rbx rbp r12 r13 r14 r15", keep, " ")
		waits["rdi"] = "r12"; waits["rsi"] = "r13"; waits["rdx"] = "r14"; waits["r8"] = "r15"
		print "\t.text"
		if (any(2)) print "\t.ident \"a compiler\""
		for (i = 0; i < 4; i++) {
			begin("sub" i)
			for (k = any(4); k > 0; k--) if (any(4)) refer(); else pushes()
			end("sub" i)
		}
		for (i = 0; i < n; i++) {
			begin("case" i)
			for (k = 1; k <= kept; k++) say("pushq %" keep[k])
			for (p in waits) say("movq %" p ", %" waits[p])
			say("movq %rcx, %rbx"); say("movl $8, %r9d")
			refer()
			for (k = 2 + any(any(2) ? 5 : 14); k > 0; k--) {
				what = any(20)
				if (what < 9) refer()
				else if (what < 12) line()
				else if (what < 14) go_on()
				else if (what < 16) pushes()
				else if (what == 16) frame()
				else if (what == 17) string()
				else if (what == 18) say("call sub" any(4))
				else { say("testb $1, %bh"); say("je 1f"); refer(); print "1:" }
			}
			probe()
			for (k = kept; k > 0; k--) say("popq %" keep[k])
			end("case" i)
		}
		print "\t.section .note.GNU-stack,\"\",@progbits"
	}'
}

# calls SEED N: each three times, with pointers that mostly are of one set, or of the stack's.
calls() {
	cat <<-END
		#include <stdint.h>
		typedef void body(char *, char *, char *, char *, char *);
		body $(for ((i = 1; i < $2; i++)); do printf 'case%d, ' $i; done) case0;
		static body *const cases[] = {$(for ((i = 0; i < $2; i++)); do printf 'case%d, ' $i; done)};
		static char memory[6][1 << 16] __attribute__((aligned(4096)));
		static char others[1 << 24] __attribute__((aligned(4096)));
		static uint64_t seed = $1;
		static uint64_t any(uint64_t n)
		{
			seed = seed * 6364136223846793005 + 1442695040888963407;
			return (seed >> 33) % n;
		}
		int main(void)
		{
			for (int i = 0; i < 3 * $2; i++) {
				uint64_t stack = (uintptr_t)__builtin_frame_address(0) - any(4) * 64;
				uint64_t set = any(2) ? stack & 4095 : any(64) * 64, near = any(3) ? any(16) * 8 : 0;
				char *p[4], *fresh = others + 4096 * (20 * i % 4000);

				for (int k = 0; k < 4; k++)
					p[k] = memory[any(4) ? k : any(6)] + 4096 * (4 + any(3)) + set +
					       (any(2) ? near : any(130));
				cases[i % $2](p[0], p[1], p[2], fresh, p[3]);
			}
			return 0;
		}
	END
}

# build FLAGS...: cacheprof's, or gcc's.
build() {
	local flag ours=() gccs=()
	for flag in "$@"; do case $flag in --*) ours+=("$flag") ;; *) gccs+=("$flag") ;; esac; done
	cacheprof --self-check "${ours[@]}" gcc -O1 "${gccs[@]}" cases.s calls.c -o exact
}

# exact OPTIONS: no difference.
exact() {
	CACHEPROF_OPTIONS=out=/dev/null:$1 ./exact 2>printed
	cat printed
	grep -q "self-check: 0 differences" printed
}

read -r from to <<<"${SEEDS:-1 2}"
for ((seed = from; seed <= to; seed++)); do
	cases "$seed" 100 >cases.s
	calls "$seed" 100 >calls.c
	for flags in "" "-fPIC -pie" "--branch-sim=yes --plain-copies=yes"; do
		# shellcheck disable=SC2086 # words
		check "seed $seed $flags" build $flags
		for caches in "" simd=avx2 simd=none D1=12288,3,64:simd=avx2 D1=8192,2,64 D1=1024,4,64 D1=2048,4,128; do
			check "... $caches" exact "$caches"
		done
	done
done
finish
