# References that follow one another around one pointer, within 64 bytes: two checks are for all of them, of the first byte
# and of the last one. Some are in two lines, and the first to miss a line may be one of these. The same counts and misses
# as the self-check has them, wherever the pointer is, and whichever of the two lines was there before.
#
# SEEDS="FROM TO": which are made.
. "$(dirname "$0")/../tap.sh"

# references SEED N WIDEST [ALONE]: N functions in assembly, to loops.s, with references of up to WIDEST bytes; and to calls.c what
# calls them, for pointers that go up or down or anywhere. Before that lines of the set of one of the two come, and behind
# it others, until one must go, and both once more. ALONE: each with one reference of 16 bytes, by an index, or of 32.
references() {
	awk -v seed="$1" -v n="$2" -v widest="$3" -v alone="${4:-}" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	BEGIN {
		srand(seed)
		insn[1] = "movb %s, %%al|addb %%al, %s"; insn[2] = "movw %s, %%ax|movw %%ax, %s"
		insn[4] = "movl %s, %%eax|addl $1, %s"; insn[8] = "addq %s, %%rax|movq %%rax, %s"
		insn[16] = "movups %s, %%xmm0|movups %%xmm0, %s"; insn[32] = "vmovups %s, %%ymm0|vmovups %%ymm0, %s"
		sizes = "1 2 4 8 8 16 16"
		if (widest == 32) sizes = sizes " 32 32 32"
		print "\t.text" >"loops.s"
		print "#include <stdint.h>\nenum { ROOM = 1 << 22 };" >"calls.c"
		print "static volatile char memory[2 * ROOM], others[40][4096] __attribute__((aligned(4096)));" >"calls.c"
		print "static unsigned turn;\nstatic uint64_t seed = " seed ";\nstatic uint64_t any(uint64_t n)\n{" >"calls.c"
		print "\tseed = seed * 6364136223846793005 + 1442695040888963407;\n\treturn (seed >> 33) % n;\n}" >"calls.c"
		for (i = 0; i < n; i++) {
			printf "\t.globl refer%d\n\t.type refer%d,@function\nrefer%d:\n", i, i, i >"loops.s"
			if (alone) {
				split(insn[widest], text, "|")
				print "\txorl\t%eax, %eax" >"loops.s"
				printf "\t" text[1 + any(2)] "\n", any(32) - 32 "(%rdi,%rax)" >"loops.s"
			}
			for (k = alone ? 0 : 3 + any(6); k > 0; k--) {
				size = one_of(sizes)
				split(insn[size], text, "|")
				at = any(64 - size + 1)
				if (any(2)) at -= at % 4
				printf "\t" text[1 + any(2)] "\n", at - 32 "(%rdi)" >"loops.s"
			}
			printf "%s\tret\n\t.size refer%d, .-refer%d\n", widest == 32 ? "\tvzeroupper\n" : "", i, i >"loops.s"
			printf "void refer%d(volatile char *);\n", i >"calls.c"
			printf "__attribute__((noinline, aligned(64))) static void touch%d(volatile char *p)\n{\n\t(void)*p;\n}\n", i >"calls.c"
			printf "static void others%d(volatile char *line, unsigned n)\n{\n", i >"calls.c"
			print "\tunsigned t = turn;\n\n\tfor (turn += n; n; n--)\n\t\t(void)others[t++ % 40][(uintptr_t)line % 4096];\n}" >"calls.c"
			printf "static void call%d(void)\n{\n\tvolatile char *p = memory + ROOM + any(ROOM / 2);\n", i >"calls.c"
			print "\tlong step = any(3) ? any(40) : any(200) - 100;\n" >"calls.c"
			print "\tfor (int k = 1 + any(40); k; k--) {" >"calls.c"
			print "\t\tvolatile char *line = p - (uintptr_t)p % 64 + 64 * (long)any(2) - 32 * (long)any(2);\n" >"calls.c"
			printf "\t\tif (any(3))\n\t\t\tothers%d(line, any(9));\n", i >"calls.c"
			printf "\t\tif (any(4) == 0)\n\t\t\ttouch%d(line);\n", i >"calls.c"
			printf "\t\trefer%d(p);\n\t\tif (any(2)) {\n\t\t\tothers%d(line, 5 + any(4));\n", i, i >"calls.c"
			printf "\t\t\ttouch%d(p - 32);\n\t\t\ttouch%d(p + 31);\n\t\t}\n", i, i >"calls.c"
			print "\t\tp += any(9) ? step : -step;\n\t}\n}" >"calls.c"
		}
		print "\t.section .note.GNU-stack,\"\",@progbits" >"loops.s"
		print "int main(void)\n{\n\tfor (int round = 0; round < 30; round++) {" >"calls.c"
		for (i = 0; i < n; i++) print "\t\tcall" i "();" >"calls.c"
		print "\t}\n\treturn 0;\n}" >"calls.c"
	}'
}

# exact OPTIONS FLAGS...: no difference at all.
exact() {
	cacheprof --self-check gcc -O1 "${@:2}" loops.s calls.c -o exact && CACHEPROF_OPTIONS=$1 ./exact 2>printed
	cat printed
	grep -q "self-check: 0 differences" printed
}

read -r from to <<<"${SEEDS:-1 3}"
for ((seed = from; seed <= to; seed++)); do
	for widest in 16 32; do
		if [ $widest = 32 ] && ! processor_has avx; then
			skip "references of up to 32 bytes" "no AVX"
			continue
		fi
		references "$seed" 24 $widest
		# And one for the return address: with one for the references, too, 48.
		check "two checks are for most, up to $widest bytes, seed $seed" \
			eval '[ "$(cacheprof gcc -SA loops.s -o - | grep -c "call.*cacheprof_check_")" -ge 68 ]'
		check "up to $widest bytes, seed $seed" exact ""
		for options in simd=avx2 simd=none D1=36864,9,64 D1=36864,9,64:simd=avx2 LL=1M,16,64 LL=64k,1,64 D1=36864,9,64:LL=128k,2,64 \
			D1=4096,1,64 D1=1024,2,32; do
			check "... $options" exact "$options"
		done
		check "... that may be part of a shared object" exact "" -fPIC -pie

		references "$seed" 24 $widest alone
		check "two checks are for each of $widest bytes, seed $seed" \
			eval '[ "$(cacheprof gcc -SA loops.s -o - | grep -c "call.*cacheprof_check_")" -ge 72 ]'
		for options in "" simd=avx2 LL=1M,16,64 LL=64k,1,64 D1=4096,1,64 D1=1024,2,32; do
			check "... $options" exact "$options"
		done
	done
done
finish
