# References of which a mask says whether they are made: vectors under AVX-512's masks, the lanes of vmaskmovps and the
# like, gathers and scatters. Planted code looks at the mask and checks the first two. The same counts and misses as the
# self-check has them, wherever they lie, whatever the mask, and whichever lines were there before.
#
# SEEDS="FROM TO": which are made.
. "$(dirname "$0")/../tap.sh"

# references SEED N AVX512: N functions in assembly, to masked.s, with one to four such references around a pointer; and to
# calls.c what calls them with masks of no bit, of all, of few and of any, for pointers that go up or down or anywhere.
references() {
	awk -v seed="$1" -v n="$2" -v avx512="$3" '
	function any(m) { return int(rand() * m) }
	function add(text) { text_of[n_texts++] = text }
	# With %s the operand. rdx: where the mask is, as signs of lanes or as bits; rcx: indices.
	function vex(    lane, vector) {
		for (vector = 0; vector < 2; vector++) {
			v = vector ? "%ymm" : "%xmm"
			for (lane in lanes) {
				m = "\tvmovdqu\t(%rdx), " v "13\n\t" lane "\t"
				add(m "%s, " v "13, " v "0\n")
				add(m v "0, " v "13, %s\n")
			}
			add("\tvmovdqu\t(%rdx), " v "2\n\tvmovdqu\t(%rcx), " v "1\n\tvgatherdps\t" v "2, (%rdi," v "1,4), " v "0\n")
			add("\tvmovdqu\t(%rdx), " v "2\n\tvmovdqu\t(%rcx), %xmm1\n\tvgatherdpd\t" v "2, -8(%rdi,%xmm1,4), " v "0\n")
		}
		add("\tvmovdqu\t(%rdx), %xmm1\n\tpushq\t%rdi\n\taddq\t$3, %rdi\n\tmaskmovdqu\t%xmm1, %xmm0\n\tpopq\t%rdi\n")
	}
	function evex(    i, k, vector) {
		for (vector in vectors)
			for (i in moves) {
				k = 1 + any(7)
				m = "\tkmovq\t(%rdx), %k" k "\n\t" i "\t"
				add(m "%s, " vectors[vector] "17{%k" k "}{z}\n")
				add(m vectors[vector] "0, %s{%k" k "}\n")
			}
		k = "\tkmovq\t(%rdx), %k7\n\t"
		add(k "vaddps\t%s, %zmm1, %zmm0{%k7}\n")
		add(k "vaddpd\t%s{1to8}, %zmm1, %zmm0{%k7}\n")
		add(k "vmovss\t%s, %xmm0{%k7}{z}\n")
		add(k "vmovsd\t%xmm0, %s{%k7}\n")
		add(k "vpcompressd\t%ymm0, %s{%k7}\n")
		add(k "vpmovqd\t%zmm0, %s{%k7}\n")
		add(k "vmovdqu\t(%rcx), %ymm1\n\tvgatherdps\t12(%rdi,%ymm1,4), %ymm0{%k7}\n")
		add(k "vmovdqu32\t(%rcx), %zmm30\n\tvscatterdps\t%zmm0, (%rdi,%zmm30,4){%k7}\n")
		add(k "vpmovsxdq\t(%rcx), %zmm20\n\tvgatherqpd\t(%rdi,%zmm20,2), %zmm0{%k7}\n")
	}
	BEGIN {
		srand(seed)
		split("vmaskmovps vmaskmovpd vpmaskmovd vpmaskmovq", words, " ")
		for (i in words) lanes[words[i]]
		split("vmovups vmovupd vmovdqu8 vmovdqu16 vmovdqu32 vmovdqu64", words, " ")
		for (i in words) moves[words[i]]
		split("%xmm %ymm %zmm", vectors, " ")
		if (avx512) evex()
		else vex()
		print "\t.text" >"masked.s"
		print "#include <stdint.h>\n#include <stdlib.h>\nenum { ROOM = 1 << 21, OTHERS = 40 };" >"calls.c"
		print "static char memory[2 * ROOM] __attribute__((aligned(4096)));" >"calls.c"
		print "static volatile char others[OTHERS][4096] __attribute__((aligned(4096)));" >"calls.c"
		print "static int mask[16], index_of[16];\nstatic unsigned turn;\nstatic uint64_t seed = " seed ";" >"calls.c"
		print "static uint64_t any(uint64_t n)\n{\n\tseed = seed * 6364136223846793005 + 1442695040888963407;" >"calls.c"
		print "\treturn (seed >> 33) % n;\n}\nstatic void new_mask(void)\n{\n\tint kind = any(5);\n" >"calls.c"
		print "\tfor (int i = 0; i < 16; i++) {\n\t\tmask[i] = kind == 0 ? 0 : kind == 1 ? -1 : kind == 2 ? (any(6) ? 0 : -1 << any(32)) : (int)(any(1u << 31) << any(2));" >"calls.c"
		print "\t\tindex_of[i] = any(3) ? i - 8 : any(3000);\n\t}\n\tif (any(4) == 0)\n\t\tmask[0] &= 0xff << 8 * any(4);\n}" >"calls.c"
		print "static void touch(volatile char *p, unsigned n)\n{\n\tfor (; n; n--)\n\t\t(void)others[turn++ % OTHERS][(uintptr_t)p % 4096];\n}" >"calls.c"
		for (i = 0; i < n; i++) {
			printf "\t.globl refer%d\n\t.type refer%d,@function\nrefer%d:\n\txorl\t%%eax, %%eax\n", i, i, i >"masked.s"
			for (k = 1 + any(4); k > 0; k--) {
				at = any(3) ? 0 : any(64)
				operand = at (any(2) ? "(%rdi)" : "(%rdi,%rax,4)")
				text = text_of[any(n_texts)]
				sub("%s", operand, text)
				printf "%s", text >"masked.s"
				if (any(3) == 0) printf "\tmovl\t(%%r8), %%r9d\n" >"masked.s"
			}
			printf "\tvzeroupper\n\tret\n\t.size refer%d, .-refer%d\n", i, i >"masked.s"
			printf "void refer%d(char *, void *, int *, int *, volatile char *);\n", i >"calls.c"
		}
		print "static void (*const all[])(char *, void *, int *, int *, volatile char *) = {" >"calls.c"
		for (i = 0; i < n; i++) print "\trefer" i "," >"calls.c"
		print "};\nint main(void)\n{\n\tfor (int round = 0; round < 200; round++) {" >"calls.c"
		print "\t\tvoid (*f)(char *, void *, int *, int *, volatile char *) = all[round % " n "];" >"calls.c"
		print "\t\tchar *p = memory + ROOM + any(ROOM / 2);\n\t\tlong step = any(3) ? 32 : any(200) - 100;" >"calls.c"
		print "\n\t\tif (any(2))\n\t\t\tp -= (uintptr_t)p % 16;\n\t\tfor (int k = 1 + any(40); k; k--, p += step) {" >"calls.c"
		print "\t\t\tif (any(2))\n\t\t\t\tnew_mask();\n\t\t\tif (any(2))\n\t\t\t\ttouch(p + 64 * any(2), any(9));" >"calls.c"
		print "\t\t\tf(p, NULL, mask, index_of, p + 64 * (long)any(2) - 1);\n\t\t}\n\t}\n\treturn 0;\n}" >"calls.c"
		print "\t.section .note.GNU-stack,\"\",@progbits" >"masked.s"
	}'
}

# exact OPTIONS FLAGS...: no difference at all.
exact() {
	cacheprof --self-check gcc -O1 "${@:2}" masked.s calls.c -o exact && CACHEPROF_OPTIONS=$1 ./exact 2>printed
	cat printed
	grep -q "self-check: 0 differences" printed
}

# counts LEVEL FLAGS...: to counts.LEVEL what it prints of instructions and references.
counts() {
	cacheprof "--level$1" gcc -O1 "${@:2}" masked.s calls.c -o counted && ./counted 2>printed &&
		grep -E 'insns|refs' printed >"counts.$1"
}

# same_counts FLAGS...: at level 1 as at level 2.
same_counts() {
	counts 1 "$@" && counts 2 "$@" && [ "$(wc -l <counts.1)" = 2 ] && diff counts.1 counts.2
}

# All flags but those of the system are before a call of the runtime as they are behind it. Both are in registers.
cat >flags.c <<'END'
enum { STATUS = 0x8d5, DIRECTION = 0x400 };
int main(void)
{
	int wrong = 0;
	for (unsigned long flags = 0; flags <= (STATUS | DIRECTION); flags++) {
		unsigned long behind, none = 0, wanted = (flags & (STATUS | DIRECTION)) | 0x202;
		char memory[8] = {0};
		const char *at = memory;
		__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpush %3\n\tpopfq\n\trep lodsb\n\tpushfq\n\tpop %0\n\tcld\n\t"
				 "lea 128(%%rsp),%%rsp" : "=&r"(behind), "+S"(at), "+c"(none) : "r"(wanted) : "rax", "cc", "memory");
		wrong += ((behind ^ wanted) & (STATUS | DIRECTION)) != 0 || at != memory;
	}
	return wrong != 0;
}
END
flags_stay() {
	cacheprof gcc -O1 flags.c -o flags && ./flags 2>said && cacheprof --self-check gcc -O1 flags.c -o flags && ./flags 2>said
}
check "flags are as they were" flags_stay

read -r from to <<<"${SEEDS:-1 2}"
for ((seed = from; seed <= to; seed++)); do
	for avx512 in "" avx512f; do
		what="seed $seed${avx512:+, AVX-512}"
		if [ "$avx512" ] && ! processor_has avx512f avx512vl avx512bw avx512dq; then
			skip "masks, $what" "no AVX-512"
			continue
		elif ! processor_has avx2; then
			skip "masks, $what" "no AVX2"
			continue
		fi
		references "$seed" 40 $avx512
		check "planted code looks at masks, $what" \
			eval '[ "$(cacheprof gcc -SA masked.s -o - | grep -cE "^	(kmov[wdq]	%k.,%r?e?[a-z0-9]*$|popcnt)")" -ge 40 ]'
		check "masks, $what" exact ""
		for options in simd=avx2 simd=none D1=36864,9,64 D1=36864,9,64:simd=avx2 LL=1M,16,64 LL=64k,1,64 \
			D1=36864,9,64:LL=128k,2,64 LL=1M,16,32 D1=4096,1,64 D1=1024,2,32 D1=64k,8,128 D1=32k,8,32:I1=32k,8,32 cache=k6-2 \
			pages=first-touch; do
			check "... $options" exact "$options"
		done
		check "... that may be part of a shared object" exact "" -fPIC -pie
		check "counted at level 1 as at level 2, $what" same_counts
		check "... that may be part of a shared object" same_counts -fPIC -pie
	done
done
finish
