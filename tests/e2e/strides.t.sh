# Loops whose addresses go on by constants run without checks once they have run a few times: the same counts and misses
# as the self-check has them, whatever the steps, sizes and places are, and wherever they are left.
#
# SEEDS="FROM TO": which are made.
. "$(dirname "$0")/../tap.sh"

# loops SEED N [WIDE]: N functions in assembly. Most refer to up to eight places around three pointers that go on by one
# step; each fourth to one that goes on by any, and perhaps to one that goes on by little. WIDE: by zmm registers, too;
# "lines": and mostly by a line.
loops() {
	awk -v seed="$1" -v n="$2" -v wide="$3" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	function refer(sizes, at,    text) {
		split(insn[one_of(sizes)], text, "|")
		printf "\t" text[1 + any(2)] "\n", at
	}
	function near(sizes,    step, indexed, refs, moved, k) {
		step = one_of(wide == "lines" ? "64 64 -64 32" : "1 2 3 4 5 8 8 8 12 16 24 32 40 64 64 -1 -2 -3 -4 -8 -8 -16 -20 -64")
		indexed = any(3) == 0 && step ~ /^(1|2|4|8)$/
		if (indexed) print "\txorl %r8d, %r8d"
		print "1:"
		refs = 1 + any(any(2) ? 3 : 8)
		for (k = 0; k < refs; k++) {
			base = one_of("%rdi %rsi %rdx")
			refer(sizes, one_of("0 0 8 16 -8 64 1 -64 100 -4000") (indexed ? "(" base ",%r8," step ")" : "(" base ")"))
			if (!indexed && !k && any(2)) { printf "\taddq $%d, %%rsi\n", step; moved = 1 }
		}
		if (indexed) print "\taddq $1, %r8"
		else {
			printf "\tleaq %d(%%rdi), %%rdi\n\taddq $%d, %%rdx\n", step, step
			if (!moved) printf "\tsubq $%d, %%rsi\n", -step
		}
	}
	function far(sizes,    step, by, first, refs, size) {
		step = one_of("65 72 100 128 264 2400 4096 4104 -72 -4160 8 0 24 40")
		by = any(2)
		if (by) printf "\tmovq $%d, %%r9\n", step
		print "1:"
		first = any(3)
		size = one_of(sizes)
		if (first == 1) { refer(size, "(%rdi)"); if (any(2)) refer(size, "(%rdi)") }
		refer(size, "8(%rsi)")
		if (first == 1 && any(3) == 0) refer(size, "(%rdi)")
		if (first == 2) refer(one_of(sizes), "(%rdi)")
		if (first == 2 && any(3) == 0) refer(size, "8(%rsi)")
		printf "\taddq $%d, %%rdi\n", one_of("0 1 2 4 8 8 16 32 64 -8 -4 -64")
		if (by) print "\taddq %r9, %rsi"
		else printf "\taddq $%d, %%rsi\n", step
	}
	BEGIN {
		srand(seed)
		insn[1] = "movb %s, %%al|movb %%al, %s"; insn[2] = "movw %s, %%ax|movw %%ax, %s"
		insn[4] = "movl %s, %%eax|movl %%eax, %s"; insn[8] = "addq %s, %%rax|movq %%rax, %s"
		insn[16] = "movups %s, %%xmm0|movups %%xmm0, %s"; insn[64] = "vmovups %s, %%zmm0|vmovups %%zmm0, %s"
		sizes = wide ? "1 4 8 16 64 64" : "1 2 4 8 8 8 16"
		print "\t.text\n\t.ident \"a compiler\"" # and no hand: then loops are looked for
		for (i = 0; i < n; i++) {
			name = "loop" i
			printf "\t.globl %s\n\t.type %s,@function\n%s:\n\txorl %%eax, %%eax\n\tnegq %%rcx\n", name, name, name
			if (i % 4 == 3) far(sizes)
			else near(sizes)
			printf "\taddq $1, %%rcx\n\tjne 1b\n%s\tret\n\t.size %s, .-%s\n", wide ? "\tvzeroupper\n" : "", name, name
		}
		print "\t.section .note.GNU-stack,\"\",@progbits"
	}'
}

# calls SEED N: a program that calls them, from places that are anywhere, in the same sets, or near to one another.
calls() {
	cat <<-END
		#include <stdint.h>
		#include <stdlib.h>
		$(for ((i = 0; i < $2; i++)); do echo "long loop$i(char *, char *, char *, long);"; done)
		static long (*const loops[])(char *, char *, char *, long) = {$(for ((i = 0; i < $2; i++)); do printf 'loop%d, ' $i; done)};
		enum { MIDDLE = 1 << 22 };
		static char memory[3][2 * MIDDLE] __attribute__((aligned(4096)));
		static uint64_t seed = $1;
		static uint64_t any(uint64_t n)
		{
			seed = seed * 6364136223846793005 + 1442695040888963407;
			return (seed >> 33) % n;
		}
		__attribute__((noinline)) static void touch(char *p)
		{
			(*p)++;
		}
		static char *near(const char *p)
		{
			return memory[any(3)] + (((uint64_t)p + any(300)) % 4096 & -(1ul << any(7))) + MIDDLE + any(3) * 4096;
		}
		int main(void)
		{
			/* Each once, and other lines in LL: what a block fetches first comes there before its references (manual,
			 * 5.2), which is not to matter. */
			for (int i = 0; i < $2; i++)
				loops[i](memory[0] + MIDDLE, memory[1] + MIDDLE, memory[2] + MIDDLE, 1);
			for (long at = 0; at < MIDDLE; at += 64)
				touch(memory[0] + at);
			for (int round = 0; round < 30; round++)
				for (int i = 0; i < $2; i++) {
					char *p = memory[0] + MIDDLE + any(8000), *q = any(2) ? near(p) : memory[1] + MIDDLE + any(8000);
					char *r = any(3) ? any(2) ? near(q) : p + any(200) : memory[2] + MIDDLE + any(8000);
					long n = any(3) ? 1 + any(100) : any(3) || i % 4 == 3 ? 1 + any(900) : 4000 + any(1000);

					if (any(2))
						q -= (uint64_t)q % 8, p -= (uint64_t)p % 8;
					loops[i](p, q, r, n);
					touch(memory[any(3)] + any(2 * MIDDLE));
					/* Which lines go where others come, that were in one set where the loop began? */
					for (long at = any(64); n > 64 && at < 400; at += 64) {
						uint64_t set = (uint64_t)(p + at) % 4096;

						for (int lines = any(8); lines; lines--)
							touch(memory[0] + any(500) * 4096 + set);
						touch(p + at);
						touch(q + at);
						touch(r + at);
					}
				}
			return 0;
		}
	END
}

# meetings SEED N [LONG]: N loops of two streams, of which one may refer to its line again behind the other's reference, and
# what calls them so that both mostly come to one set in some iteration; then others come there, until one of the two lines
# goes, and both are referred to once more. For each loop by code of its own: in a sum over all, one that is missed would
# make up for another that is not. LONG: loops that fill all sets that the one comes to, perhaps without the other; and then
# come the lines that it came to last, so many for each set.
meetings() {
	awk -v seed="$1" -v n="$2" -v long="${3:-}" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	BEGIN {
		srand(seed)
		load[1] = "movb %s, %%al"; load[4] = "movl %s, %%eax"; load[8] = "movq %s, %%rax"
		store[1] = "movb %%al, %s"; store[4] = "movl %%eax, %s"; store[8] = "addq %%rax, %s"
		print "\t.text\n\t.ident \"a compiler\"" >"loops.s"
		print "#include <stdint.h>\nenum { MIDDLE = 1 << 23 };" >"calls.c"
		print "static volatile char memory[2][2 * MIDDLE], others[16][4096] __attribute__((aligned(4096)));" >"calls.c"
		print "static uint64_t seed = " seed ";\nstatic uint64_t any(uint64_t n)\n{" >"calls.c"
		print "\tseed = seed * 6364136223846793005 + 1442695040888963407;\n\treturn (seed >> 33) % n;\n}" >"calls.c"
		print "__attribute__((noinline)) static void touch(volatile char *p)\n{\n\t(void)*p;\n}" >"calls.c"
		for (i = 0; i < n; i++) {
			near = one_of("0 1 2 4 8 8 8 16 32 64 -8 -4 -64")
			far = one_of("4096 4096 8192 -4096 4104 4160 65 72 128 192 264 -8192 4032")
			order = one_of("nf fn nfn nfn fnf fnf nfnf fnfn nnf ffn")
			most = 400
			if (long) {
				far = one_of("4096 4096 -4096 2048 -2048 1024 512 192 320 -128 2400 -1056 2056 68 24 24 40")
				order = one_of("f ff nf nf fn nfn fnf")
				most = 2000
			}
			by = far == 24 || far == 40 || long && any(3) == 0 # goes on by a register
			size["n"] = near % 8 ? 1 : one_of("1 8"); size["f"] = one_of("1 4 8")
			at["n"] = "(%rdi)"; at["f"] = one_of("0 0 4 60 63") "(%rsi)"
			printf "\t.globl loop%d\n\t.type loop%d,@function\nloop%d:\txorl %%eax, %%eax\n", i, i, i >"loops.s"
			if (by) printf "\tmovq $%d, %%r9\n", far >"loops.s"
			print "1:" >"loops.s"
			for (k = 1; k <= length(order); k++) {
				which = substr(order, k, 1)
				printf "\t" (any(2) ? load[size[which]] : store[size[which]]) "\n", at[which] >"loops.s"
			}
			printf "\taddq $%d, %%rdi\n\taddq %s, %%rsi\n\tsubq $1, %%rdx\n\tjne 1b\n\tret\n", near,
				by ? "%r9" : "$" far >"loops.s"
			printf "\t.size loop%d, .-loop%d\n", i, i >"loops.s"
			printf "void loop%d(volatile char *, volatile char *, long);\nstatic void call%d(void)\n{\n", i, i >"calls.c"
			print "\tvolatile char *p = memory[0] + MIDDLE + any(512) * 8, *q = memory[any(2)] + MIDDLE + any(512) * 8;" >"calls.c"
			printf "\tlong n = 1 + any(any(3) ? %d : %d), meet = any(2) ? n - 1 : any(n), set;\n\n", 0.15 * most,
				most >"calls.c"
			printf "\tif (any(4))\n\t\tq += ((p + %d * meet) - (q + %d * meet)) & 4095;\n", near, far >"calls.c"
			printf "\tloop%d(p, q, n);\n\tp += %d * meet;\n\tq += %d * meet;\n", i, near, far >"calls.c"
			printf "\tset = (uintptr_t)%s & 4095;\n", any(2) ? "p" : "q" >"calls.c"
			printf "\tfor (unsigned k = 0; k < %d + any(2); k++)\n\t\tothers[k][set]++;\n",
				one_of(long ? "0 0 0 1 3 6" : "5 6 6 6 7") >"calls.c"
			print (any(2) ? "\t(void)*p;\n\t(void)*q;" : "\t(void)*q;\n\t(void)*p;") >"calls.c"
			if (long) {
				for (sets = 1; sets < 64 && far * sets % 4096; sets *= 2) ;
				printf "\tfor (long k = %d + any(%d); k >= 0; k--)\n", (one_of("4 5 6 7 8 11") - 1) * sets, sets >"calls.c"
				printf "\t\ttouch(q + %d * (n - 1 - meet - k));\n", far >"calls.c"
			}
			print "}" >"calls.c"
		}
		print "\t.section .note.GNU-stack,\"\",@progbits" >"loops.s"
		print "int main(void)\n{\n\tfor (int round = 0; round < 40; round++) {" >"calls.c"
		for (i = 0; i < n; i++) print "\t\tcall" i "();" >"calls.c"
		print "\t}\n\treturn 0;\n}" >"calls.c"
	}'
}

# rivers SEED N [FIELDS]: N loops of up to five streams, which go on until D1 holds nothing else, from places that are anywhere,
# in the same sets, or where another one comes to; then come the lines that they came to last. FIELDS: of one stream
# of several references, in any order; "wide": as long as a line, too; "groups": of several such streams; some of the
# lines were there before, and which of those that they leave in LL go next is asked, too.
rivers() {
	awk -v seed="$1" -v n="$2" -v fields="${3:-}" '
	function any(m) { return int(rand() * m) }
	function one_of(list,    words) { return words[1 + any(split(list, words, " "))] }
	function refer(size, at,    text) {
		split(insn[size], text, "|")
		return sprintf("\t" text[1 + any(2)] "\n", at)
	}
	# A structure of so many bytes, with gaps shorter than a line.
	function refer_fields(length_, base, most,    refs, m, at, k, other, swapped) {
		for (at = any(8); at < length_ && m < most; at += 1 + any(length_ < 64 ? length_ / 2 : 70)) {
			refs[m++] = refer(fields == "wide" && length_ > 48 ? 64 : one_of("1 4 8 8 16"), at "(" base ")")
			if (any(6) == 0) refs[m++] = refs[any(m)]
		}
		for (k = 0; any(2) && k < m; k++) {
			other = any(m)
			swapped = refs[k]; refs[k] = refs[other]; refs[other] = swapped
		}
		for (k = 0; k < m; k++) printf "%s", refs[k] >"loops.s"
	}
	BEGIN {
		srand(seed)
		split("%rdi %rsi %rdx %r8 %r9", base, " ")
		insn[1] = "movb %s, %%al|movb %%al, %s"; insn[4] = "movl %s, %%eax|movl %%eax, %s"
		insn[8] = "movq %s, %%rax|addq %%rax, %s"; insn[16] = "movups %s, %%xmm0|movups %%xmm0, %s"
		insn[64] = "vmovups %s, %%zmm0|vmovups %%zmm0, %s"
		print "\t.text\n\t.ident \"a compiler\"" >"loops.s"
		print "#include <stdint.h>\nenum { ROOM = 1 << 21 };" >"calls.c"
		print "static volatile char memory[5][2 * ROOM] __attribute__((aligned(4096)));" >"calls.c"
		print "static volatile char others[40][1 << 16] __attribute__((aligned(1 << 16)));\nstatic unsigned turn;" >"calls.c"
		print "static uint64_t seed = " seed ";\nstatic uint64_t any(uint64_t n)\n{" >"calls.c"
		print "\tseed = seed * 6364136223846793005 + 1442695040888963407;\n\treturn (seed >> 33) % n;\n}" >"calls.c"
		for (i = 0; i < n; i++) {
			step = one_of("1 2 4 8 8 8 12 16 16 24 32 64 -1 -4 -8 -8 -16 -20 -64")
			streams = 1 + any(5)
			if (fields) {
				step = one_of("3 6 12 20 24 24 28 40 48 56 80 96 128 128 192 256 320 -3 -12 -24 -40 -48 -128 -192")
				streams = 1
			}
			if (fields == "groups") {
				step = one_of("1 2 4 8 8 16 32 32 64 64 12 24 24 40 48 96 -8 -16 -24 -32 -64")
				streams = 2 + any(4)
			}
			length_ = step < 0 ? -step : step
			printf "\t.globl loop%d\n\t.type loop%d,@function\nloop%d:\txorl %%eax, %%eax\n1:\n", i, i, i >"loops.s"
			for (k = 1; k <= streams; k++) {
				size = one_of("1 4 8 8 16")
				for (again = any(3) == 0; again >= 0 && !fields; again--)
					printf "%s", refer(size, one_of("0 0 0 8 -8 60") "(" base[k] ")") >"loops.s"
				if (fields == "groups") refer_fields(length_ + any(any(3) ? 40 : 90), base[k], int(15 / streams))
				else if (fields) refer_fields(length_, base[k], 12)
			}
			for (k = 1; k <= streams; k++) printf "\taddq $%d, %s\n", step, base[k] >"loops.s"
			printf "\tsubq $1, %%rcx\n\tjne 1b\n%s\tret\n", fields == "wide" ? "\tvzeroupper\n" : "" >"loops.s"
			printf "\t.size loop%d, .-loop%d\n", i, i >"loops.s"
			printf "void loop%d(volatile char *, volatile char *, volatile char *, long, volatile char *, volatile char *);\n", i >"calls.c"
			printf "__attribute__((noinline)) static void touch%d(volatile char *p)\n{\n\t(void)*p;\n}\n", i >"calls.c"
			printf "static void call%d(void)\n{\n\tvolatile char *p[5];\n", i >"calls.c"
			printf "\tlong n = any(3) ? any(40000) / %d + 1 : any(200000) / %d + 1;\n\n", length_, length_ >"calls.c"
			print "\tfor (int k = 0; k < 5; k++) {\n\t\tp[k] = memory[k] + ROOM + any(4096) / 8 * 8;" >"calls.c"
			print "\t\tif (k && !any(3))\n\t\t\tp[k] += (p[any(k)] - p[k]) & 4095;" >"calls.c"
			if (fields)
				print "\t\tif (k && any(2))\n\t\t\tp[k] += (p[any(k)] - p[k] + any(1200) - 600) & 4095;" >"calls.c"
			print "\t\tif (k && !any(4))\n\t\t\tp[k] = p[any(k)] + any(100) * 64 * (any(2) ? 1 : -1) + any(2) * any(64);\n\t}" >"calls.c"
			if (fields) {
				print "\tfor (long lines = any(2) * any(300); lines; lines--)" >"calls.c"
				printf "\t\ttouch%d(p[any(%d)] %s 64 * any(300));\n", i, streams, step < 0 ? "-" : "+" >"calls.c"
			}
			printf "\tloop%d(p[0], p[1], p[2], n, p[3], p[4]);\n", i >"calls.c"
			printf "\tfor (long back = any(%d); back >= 0; back--)\n", one_of("64 200 600 800") >"calls.c"
			printf "\t\tfor (int k = 0; k < %d; k++) {\n", streams >"calls.c"
			printf "\t\t\tvolatile char *line = p[k] + %d * (n - 1) %s 64 * back;\n\n", step, step < 0 ? "+" : "-" >"calls.c"
			if (fields) {
				print "\t\t\tfor (unsigned more = any(18); more; more--)" >"calls.c"
				print "\t\t\t\tothers[turn++ % 40][(uintptr_t)line % (1 << 16)]++;" >"calls.c"
			}
			printf "\t\t\ttouch%d(line);\n\t\t}\n}\n", i >"calls.c"
		}
		print "\t.section .note.GNU-stack,\"\",@progbits" >"loops.s"
		print "int main(void)\n{\n\tfor (int round = 0; round < 5; round++) {" >"calls.c"
		for (i = 0; i < n; i++) print "\t\tcall" i "();" >"calls.c"
		print "\t}\n\treturn 0;\n}" >"calls.c"
	}'
}

# write_loop: to loops.s, from its label on to the return, which are read.
write_loop() {
	{
		printf '\t.ident\t"a compiler"\n\t.text\n\t.globl\tloop\n\t.type\tloop,@function\n'
		cat
		printf '\t.size\tloop, .-loop\n\t.section .note.GNU-stack,"",@progbits\n'
	} >loops.s
}

# compile FLAGS...: cacheprof's, or gcc's.
compile() {
	local flag ours=() gccs=()
	for flag in "$@"; do case $flag in --*) ours+=("$flag") ;; *) gccs+=("$flag") ;; esac; done
	cacheprof "${ours[@]}" gcc "${gccs[@]}"
}

# exact OPTIONS FLAGS...: no difference at all.
exact() {
	compile --self-check -O1 "${@:2}" loops.s calls.c -o exact && CACHEPROF_OPTIONS=$1 ./exact 2>printed
	cat printed
	grep -q "self-check: 0 differences" printed
}

# exact_loops OPTIONS FLAGS...: none in the loops. The references of a block of main's may come to LL in another order
# (manual, 5.2).
exact_loops() {
	exact "$@" || { grep "self-check: [0-9]* differences" printed && fails grep "(loop" printed; }
}

# without_any: how many loops have a text without checks.
without_any() {
	cacheprof gcc -SA loops.s -o loops.sA && grep -c '^\.Lcpq[0-9]*:' loops.sA
}

# same_profile OPTIONS OTHERS: from what compile made as plain.
same_profile() {
	CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:out=one:$1 ./plain && CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:out=other:$2 ./plain &&
		diff <(grep -v ^desc: one) <(grep -v ^desc: other)
}

read -r from to <<<"${SEEDS:-1 2}"
for ((seed = from; seed <= to; seed++)); do
	loops $seed 40 >loops.s
	calls $seed 40 >calls.c
	check "most loops run without checks, seed $seed" test "$(without_any)" -ge 32
	check "any loops, seed $seed" exact ""
	check "... that may be part of a shared object" exact "" -fPIC -pie
	check "... without AVX-512" exact simd=avx2
	check "... without vectors" exact simd=none
	check "... with branches" exact "" --branch-sim=yes
	check "... that keep their checks, in what may be part of a shared object" exact "" --branch-sim=yes -fPIC -pie
	check "... in a cache of few ways" exact D1=8192,2,64
	check "... of many ways" exact D1=65536,16,64
	check "... of twelve ways, without AVX-512" exact_loops D1=49152,12,64:LL=20M,20,64:simd=avx2
	check "... of nine ways, with a small LL, too" exact_loops D1=36864,9,64:LL=128k,2,64:simd=avx2
	check "... that is small" exact D1=1024,1,64:I1=1024,2,64
	check "... with a small LL" exact_loops LL=65536,16,64
	check "... and an LL of other lines" exact_loops LL=1M,16,128
	check "... whose pages are numbered" exact pages=first-touch
	compile -O1 loops.s calls.c -o plain
	for cache in "" :D1=49152,12,64; do
		check "... in the order that references come in $cache" \
			same_profile pages=first-touch:LL=64k,1,64$cache pages=first-touch:LL=64k,1,64:simd=none$cache
	done
	meetings $seed 24
	check "streams that meet in a set, seed $seed" exact ""
	for cache in simd=avx2 D1=36864,9,64:simd=avx2; do check "... $cache" exact $cache; done
	meetings $seed 24 long
	check "most that fill sets run without checks, seed $seed" test "$(without_any)" -ge 18
	check "streams that fill sets, seed $seed" exact ""
	for cache in simd=avx2 D1=36864,9,64:simd=avx2; do check "... $cache" exact $cache; done
	rivers $seed 24
	check "most that fill D1 run without checks, seed $seed" test "$(without_any)" -ge 18
	check "streams that fill D1, seed $seed" exact ""
	for cache in simd=avx2 D1=36864,9,64:simd=avx2; do check "... $cache" exact $cache; done
	for kind in fields wide groups; do
		if [ $kind = wide ] && ! processor_has avx512f; then
			skip "streams of several long references" "no AVX-512"
			continue
		fi
		rivers $seed 24 $kind
		check "most streams of several references, $kind, run without checks, seed $seed" test "$(without_any)" -ge 16
		check "streams of several references, $kind, seed $seed" exact ""
		for cache in simd=avx2 D1=36864,9,64:simd=avx2 fixed-addresses=1:LL=1M,16,64; do check "... $cache" exact $cache; done
		check "... with branches, in a shared object" exact "" --branch-sim=yes -fPIC -pie
	done
done
# crossings NEAR FAR: a loop of two streams with these steps, and what calls it so that in one iteration the first one's
# line is the second one's of another iteration.
crossings() {
	cat >loops.s <<-END
		.ident	"a compiler"
		.text
		.globl	loop
		.type	loop,@function
		loop:	xorl	%eax, %eax
		1:	movb	(%rdi), %cl
		addq	(%rsi), %rax
		addq	\$$1, %rdi
		addq	\$$2, %rsi
		subq	\$1, %rdx
		jne	1b
		ret
		.size	loop,.-loop
		.section .note.GNU-stack,"",@progbits
	END
	cat >calls.c <<-END
		long loop(const char *, const char *, long);
		static char memory[1 << 23] __attribute__((aligned(4096)));
		int main(void)
		{
			const long n = $2 % 4096 ? 700 : 150, at[] = {0, 7, 8, 9, 15, 16, 17, 31, 32, 33, n / 2, n - 60, n - 9, n - 2, n - 1};
			const char *middle = memory + sizeof memory / 2;

			for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
				for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
					loop(middle - $1 * at[i], middle - $2 * at[k], n);
			return 0;
		}
	END
}
for near in 0 1 -1 8 64 -64; do
	for far in 128 -128 4096 -4096; do
		crossings $near $far
		check "streams that come to the same lines, by $near and $far" exact ""
		check "... without AVX-512" exact simd=avx2
	done
done
# sides SIZE STEP: loops of two streams of references of SIZE bytes, in either order, which go on by STEP; and what calls
# them with places that lie to one another in any way, around the sets of D1, of LL, too, and asks which of the two lines
# of a set was used last: others come there until one of them must go.
sides() {
	local names=([8]=rax [16]=xmm0 [64]=zmm0) insn=([8]=movq [16]=movups [64]=vmovups) k
	printf '\t.ident\t"a compiler"\n\t.text\n' >loops.s
	for k in 0 1; do
		printf '\t.globl\tloop%d\n\t.type\tloop%d,@function\n' $k $k
		printf 'loop%d:\txorl\t%%eax, %%eax\n1:\t%s\t(%s), %%%s\n\t%s\t%%%s, (%s)\n' $k "${insn[$1]}" "$([ $k = 0 ] && echo %rdi || echo %rsi)" \
			"${names[$1]}" "${insn[$1]}" "${names[$1]}" "$([ $k = 0 ] && echo %rsi || echo %rdi)"
		printf '\taddq\t$%d, %%rdi\n\taddq\t$%d, %%rsi\n\tsubq\t$1, %%rdx\n\tjne\t1b\n%s\tret\n\t.size\tloop%d,.-loop%d\n' \
			"$2" "$2" "$([ "$1" = 64 ] && printf '\tvzeroupper\n\t')" $k $k
	done >>loops.s
	printf '\t.section .note.GNU-stack,"",@progbits\n' >>loops.s
	cat >calls.c <<-END
		#include <stdint.h>
		#define STEP ($2)
		void loop0(char *, char *, long), loop1(char *, char *, long);
		static char memory[2][1 << 21] __attribute__((aligned(1 << 20)));
		static volatile char others[64][1 << 16] __attribute__((aligned(1 << 16)));
		static unsigned turn;
		static int ask(const char *a, const char *b, unsigned n)
		{
			int sum = 0;
			for (long at = -128; at <= 128; at += 64) {
				const char *line = (const char *)(((uintptr_t)a & -64) + at);
				uintptr_t set = (uintptr_t)line % (1 << 16), other = (uintptr_t)b & -64;
				for (unsigned i = 0; i < n; i++)
					sum += others[turn++ % 64][set];
				other += ((uintptr_t)line - other + 2048) % 4096 - 2048;
				sum += *(const volatile char *)line;
				sum += *(const volatile char *)other;
			}
			return sum;
		}
		int main(void)
		{
			static const long ns[] = {40, 41, 300, STEP == 64 ? 1200 : 4000};
			int sum = 0;
			for (unsigned i = 0; i < 4 * 33 * 4; i++) {
				long n = ns[i % 4], by = 4 * ((long)(i / 4 % 33) - 16) * (STEP / 8 < 3 ? 2 : STEP / 8);
				char *a = memory[0] + (1 << 19) + i % 7 * 4096 + i % 5 * 64 + (i / 132 & 1 ? 8 : 0);
				char *b = memory[1] + (1 << 19) + i % 7 * 4096 + i % 5 * 64 + by + (i / 132 & 2 ? 12288 : 0);
				(i / 3 & 1 ? loop0 : loop1)(STEP < 0 ? a + 300000 : a, STEP < 0 ? b + 300000 : b, n);
				a += (STEP < 0 ? 300000 : 0) + STEP * (n - 1);
				b += (STEP < 0 ? 300000 : 0) + STEP * (n - 1);
				sum += ask(a, b, 5 + i % 4 + (i & 4 ? 8 : 0));
				sum += ask(a - STEP * (n / 2), b - STEP * (n / 2), 5 + i / 2 % 4 + (i & 8 ? 8 : 0));
			}
			return sum == 12345;
		}
	END
}
kinds=("8 8" "16 16" "16 -16" "16 8" "16 24")
if processor_has avx512f; then kinds+=("64 64" "64 -64" "64 32"); else skip "two streams of references as long as a line" "no AVX-512"; fi
for kind in "${kinds[@]}"; do
	# shellcheck disable=SC2086 # words
	sides $kind
	check "two streams run without checks, $kind" test "$(without_any)" = 2
	check "... what they leave" exact ""
	for cache in simd=avx2 D1=36864,9,64:simd=avx2 LL=1M,16,64 LL=1M,16,64:simd=avx2 pages=first-touch:LL=1M,16,64; do
		check "... $cache" exact $cache
	done
done
# Two of which the first one refers to its line again behind the other's reference: that line is the last one used where
# both are in one set, as in the last iteration here.
# refers FIRST SECOND: the loop, by these registers.
refers() {
	cat <<-END
		.ident	"a compiler"
		.text
		.globl	loop
		.type	loop,@function
		loop:	xorl	%eax, %eax
		1:	movq	(%$1), %rax
		addq	(%$2), %rax
		movq	%rax, (%$1)
		addq	\$8, %rdi
		addq	\$4160, %rsi
		subq	\$1, %rdx
		jne	1b
		ret
		.size	loop,.-loop
		.section .note.GNU-stack,"",@progbits
	END
}
cat >calls.c <<'END'
#include <stdint.h>
long loop(char *, char *, long);
static volatile char memory[300][4096] __attribute__((aligned(4096)));
int main(void)
{
	for (long n = 20; n < 140; n++) {
		volatile char *near = memory[0] + 8 * (n - 1), *far = memory[20] + 4160 * (n - 1);
		long by = ((uintptr_t)near - (uintptr_t)far) % 4096;

		loop((char *)memory[0], (char *)memory[20] + by, n);
		for (int others = 0; others < 7; others++)
			memory[200 + others][(uintptr_t)near % 4096]++;
		(*near)++;
		far[by]++;
	}
	return 0;
}
END
for first in "rdi rsi" "rsi rdi"; do
	# shellcheck disable=SC2086 # two words
	refers $first >loops.s
	check "a line that is referred to again, by $first" exact ""
	check "... without AVX-512" exact simd=avx2
done
# Two that are in the same sets, of which the later one goes on first: where they were when the loop began to run without
# checks, its line is the first one to go.
write_loop <<'END'
loop:	xorl	%eax, %eax
1:	addq	(%rdi), %rax
	addq	8(%rsi), %rax
	addq	$8, %rdi
	addq	$8, %rsi
	subq	$1, %rdx
	jne	1b
	ret
END
cat >calls.c <<'END'
long loop(const long *, const long *, long);
static volatile long memory[10][1 << 9] __attribute__((aligned(4096)));
int main(void)
{
	for (int round = 0; round < 100; round++) {
		loop((long *)memory[0], (long *)memory[1], 300);
		for (int at = 0; at < 40; at += 8) {
			for (int others = 2; others < 9; others++)
				memory[others][at]++;
			memory[9][0] += memory[0][at] + memory[1][at];
		}
	}
	return 0;
}
END
check "streams that meet" exact ""
check "... without AVX-512" exact simd=avx2

# A reference that comes to a line from the one before takes that to LL, too: if D1 had it, it is among the last to go there.
write_loop <<'END'
loop:	xorl	%eax, %eax
1:	movups	16(%rdi), %xmm0
	movups	(%rdi), %xmm1
	movups	%xmm1, 32(%rdi)
	addq	$48, %rdi
	subq	$1, %rsi
	jne	1b
	ret
END
cat >calls.c <<'END'
#include <stdint.h>
void loop(char *, long);
static volatile char memory[40][1 << 16] __attribute__((aligned(1 << 16))), others[40][1 << 16] __attribute__((aligned(1 << 16)));
static unsigned turn;
__attribute__((noinline)) static void touch(volatile char *line)
{
	(void)*line;
}
__attribute__((noinline)) static void touch_others(const volatile char *line, int n)
{
	while (n--)
		touch(&others[turn++ % 40][(uintptr_t)line % (1 << 16)]);
}
int main(void)
{
	for (int round = 0; round < 400; round++) {
		volatile char *page = memory[round % 40] + round * 7 % 16 * 4096;

		for (int line = round & 1; line < 62; line += 2)
			touch(page + line * 64);
		for (int line = 0; line < 62; line++)
			touch_others(page + line * 64, 4);
		loop((char *)page + round % 5 * 8, 80);
		for (int line = 0; line < 62; line++) {
			touch_others(page + line * 64, 10 + round % 6);
			touch(page + line * 64);
		}
	}
	return 0;
}
END
check "a loop of one stream runs without checks" test "$(without_any)" = 1
check "... the line before one that is missed" exact fixed-addresses=1:LL=1M,16,64
check "... without AVX-512" exact fixed-addresses=1:LL=1M,16,64:simd=avx2

# One that leaves a single register free: that counts it, and its first iterations' checks have registers of the stack.
write_loop <<'END'
loop:	movq	8(%rsp), %r10
	xorl	%eax, %eax
1:	movsd	(%rdi,%rax,8), %xmm0
	addsd	(%rsi,%rax,8), %xmm0
	addsd	(%rdx,%rax,8), %xmm0
	addsd	(%rcx,%rax,8), %xmm0
	addsd	(%r8,%rax,8), %xmm0
	movsd	%xmm0, (%r9,%rax,8)
	addq	$1, %rax
	cmpq	%r10, %rax
	jne	1b
	ret
END
cat >calls.c <<'END'
void loop(double *, double *, double *, double *, double *, double *, long);
static double memory[6][1 << 14] __attribute__((aligned(4096)));
int main(void)
{
	for (int i = 0; i < 100; i++)
		loop(memory[0] + i % 9, memory[1] + i % 7 * 70, memory[0] + 512 + i, memory[3] + i % 3, memory[4] + 600 * i % 7,
		     memory[5], 1 + i * 97 % 9000);
	return 0;
}
END
check "a loop that leaves one register free runs without checks" test "$(without_any)" = 1
for flags in "" "-fPIC -pie" "--branch-sim=yes"; do
	# shellcheck disable=SC2086 # words
	check "... exact $flags" exact "" $flags
done
check "... without AVX-512" exact simd=avx2

# How streams go by lines is kept for each loop, for when they lie so to one another again: here they do, three times
# each, and do not, by one thing at a time. More loops than places where that is kept, of other sizes.
put_loop() { # NUMBER STEP LOAD STORE REGISTER
	printf '\t.globl\tloop%d\n\t.type\tloop%d,@function\nloop%d:\txorl\t%%eax, %%eax\n1:\t%s\t(%%rdi), %s\n' "$1" "$1" "$1" "$3" "$5"
	printf '\t%s\t(%%rsi), %s\n\t%s\t%s, (%%rdx)\n\t%s\t%s, (%%rdi)\n' "$3" "$5" "$4" "$5" "$4" "$5"
	printf "\taddq\t\$$2, %s\n" %rdi %rsi %rdx
	printf '\tdecq\t%%rcx\n\tjne\t1b\n\tret\n\t.size\tloop%d, .-loop%d\n' "$1" "$1"
}
{
	printf '\t.ident\t"a compiler"\n\t.text\n'
	n=0
	for step in 8 16 -8 4 64 12 8 16 -8 4 64 12; do
		put_loop $((n++)) $step movq movq %rax
		put_loop $((n++)) $step movups movups %xmm0
		put_loop $((n++)) $step movl movl %eax
	done
	echo '	.section .note.GNU-stack,"",@progbits'
} >loops.s
{
	echo 'typedef void loop(char *, char *, char *, long);'
	printf 'loop loop%d;\n' {0..35}
	printf 'static loop *const loops[] = {'
	printf 'loop%d, ' {0..35}
	echo '};'
	cat <<'END'
static char memory[1 << 20] __attribute__((aligned(4096)));
static const long seconds[] = {4096, 4096 + 16, 4096 - 100, 40, 9000}, thirds[] = {8192 + 24, 8192, -4, 20000},
		  moves[] = {0, 64, 4096 + 128, 4, 640};
#define EACH(i, of) for (unsigned long i = 0; i < sizeof of / sizeof *of; i++)
int main(void)
{
	EACH(second, seconds)
		EACH(third, thirds)
			EACH(l, loops) {
				char *at = memory + (1 << 19) + (l + second) % 3 * 32;

				EACH(move, moves)
					for (int again = 0; again < 3; again++) {
						at += moves[move];
						loops[l](at, at + seconds[second], at + thirds[third], 50 + l * 3 + move * 7);
					}
			}
	return 0;
}
END
} >calls.c
check "loops whose streams lie as before, or not, run without checks" test "$(without_any)" = 36
check "... exact" exact ""
check "... without AVX-512" exact simd=avx2

# without_checks OPTIONS: whether its loop is one that is left without any.
without_checks() {
	CACHEPROF_OPTIONS=quiet=1:$1 timeout -k 1 60 gdb -nx -q -batch -ex 'break cacheprof_strided_left' -ex run \
		-ex 'info breakpoints' ./plain >hit 2>&1
	cat hit
	grep -q "breakpoint already hit 1 time" hit
}
caches=(D1=32768,8,64 D1=49152,12,64:LL=20M,20,64 D1=65536,16,64)
if ! processor_has avx2; then
	skip "loops run without checks by AVX2" "no AVX2"
elif ! command -v gdb >/dev/null; then
	skip "loops run without checks by AVX2" "no gdb"
else
	cacheprof gcc -O1 loops.s calls.c -o plain
	for cache in "${caches[@]}"; do
		check "loops run without checks by AVX2, $cache" without_checks $cache:simd=avx2
	done
	for cache in "${caches[@]}" LL=12M,12,64 LL=304M,38,64; do
		check "... by the most that the processor has, $cache" without_checks $cache
	done
	check "... and not without" fails without_checks simd=none
	check "... nor where ways are fewer than streams may be" fails without_checks D1=8192,2,64:simd=avx2
fi

# Where a fault ends the loop its references are made: to 64 lines, and to the one that is not there.
cat >fault.c <<'END'
#include <stdlib.h>
#include <sys/mman.h>
__attribute__((noinline)) int touch(volatile char *p, volatile char *end, int by)
{
	int sum = 0;

	for (; p < end; p += by)
		sum += *p;
	return sum;
}
int main(int argc, char **argv)
{
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p + 4096, 4096);
	return touch(p, p + 8192, atoi(argv[1]));
}
END
ended() {
	rm -f cacheprof.out
	CACHEPROF_OPTIONS=simd=$2 ./fault "$1"
	[ $? -eq 139 ] && sums_of cacheprof.out touch D1mr | tee misses && [ "$(cat misses)" -eq 65 ]
}
for flags in -O1 -O2 "-O2 -fPIC"; do
	cacheprof gcc $flags fault.c -o fault
	for by in 1 4 64; do check "a fault ends it, $flags, steps of $by" ended $by avx512; done
	check "... without AVX-512" ended 4 avx2
done

# A profile that is written in the midst of loops, again and again, leaves the last one as it would be.
cat >often.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef STEPPED
enum { ROUNDS = 12, LONG = 50, SHORT = 50 };
#define INTERRUPTS(each) __asm__ volatile("int3" : : "r"(each))
#else
enum { ROUNDS = 15000, LONG = 2900, SHORT = 600 };
/* Each so many microseconds; 0: none. */
#define INTERRUPTS(each) setitimer(ITIMER_REAL, &(struct itimerval){{0, each}, {0, each}}, 0)
#endif
static double a[3000], b[3000];
static long table[600][40];
__attribute__((noinline)) void add(double *y, const double *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] += x[i];
}
__attribute__((noinline)) void turn(double *y, const double *x, long n)
{
	while (n--)
		y[n] = x[n];
}
__attribute__((noinline)) long down(const long *p, const long *factors, long n, long width)
{
	long sum = 0;

	for (long i = 0; i < n; i++, p += width)
		sum += *p * factors[i];
	return sum;
}
int main(int argc, char **argv)
{
	long each = atoi(argv[argc - 1]), sum = 0; /* no branch here: the history must be the same */

	INTERRUPTS(each);
	for (int i = 0; i < ROUNDS; i++) {
		add(a, b + i % 8, LONG);
		turn(b, a + 1, LONG);
		sum += down(table[0] + i % 40, (long *)a, SHORT, 40);
	}
	INTERRUPTS(0);
	return sum == 1;
}
END
# counts FILE: of the functions that are the same each time
counts() { awk '/^fn=/ { on = /=(add|turn|down)$/; print } /^[0-9]/ && on' cacheprof.out >"$1"; }
often() {
	local simd=$1
	compile "${@:2}" often.c -o often || return
	CACHEPROF_OPTIONS=fixed-addresses=1:$simd ./often 0 2>err && counts once || return
	CACHEPROF_OPTIONS=fixed-addresses=1:dump-signal=ALRM:$simd ./often 2000 2>err && counts again || return
	grep -c . once && diff once again
}
for flags in "-O2 -g" "-O2 -g -fPIC" "-O3 -g -mavx2" "-O2 -g --branch-sim=yes"; do
	# shellcheck disable=SC2086 # one word a flag
	if processor_has avx2; then
		check "a profile is written in between, $flags" often simd=avx512 $flags
		check "... without AVX-512" often simd=avx2 $flags
	fi
done

# The same wherever it is interrupted: by a signal before each instruction, with ZF and without, of our own and the loops'.
cat >step.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
enum { APART = 200 }; /* instructions, so that loops go on to where they have no checks */
static pid_t child;
static struct user_regs_struct regs;
static char interrupted[1 << 20];
static void fail(const char *why)
{
	fprintf(stderr, "step: %s\n", why);
	exit(1);
}
static long text(unsigned long at)
{
	return ptrace(PTRACE_PEEKTEXT, child, at, 0);
}
static int is_int3(unsigned long at)
{
	return (text(at) & 0xff) == 0xcc;
}
/* Until it stops next. */
static void go(enum __ptrace_request how, long signal)
{
	int status;

	if (ptrace(how, child, 0, signal) || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_GETREGS, child, 0, &regs))
		fail("it has ended");
}
/* Until the handler has returned: to here, with the stack as it is. */
static void interrupt(long signal)
{
	unsigned long rip = regs.rip, rsp = regs.rsp;
	long was = text(rip);

	do {
		ptrace(PTRACE_POKETEXT, child, rip, (was & ~0xffl) | 0xcc);
		go(PTRACE_CONT, signal);
		signal = 0;
		ptrace(PTRACE_POKETEXT, child, rip, was);
		if (regs.rip != rip + 1)
			fail("it has stopped elsewhere");
		regs.rip = rip;
		ptrace(PTRACE_SETREGS, child, 0, &regs);
		if (regs.rsp != rsp)
			go(PTRACE_SINGLESTEP, 0);
	} while (regs.rip != rip || regs.rsp != rsp);
}
/* step SIGNAL PROGRAM: between its two int3. SIGNAL 0: never. */
int main(int argc, char **argv)
{
	long signal = atoi(argv[1]), since = 0, signals = 0;
	cpu_set_t here;

	/* They take turns: to wake another processor each time takes longer than all else. */
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof here, &here);
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	do
		go(PTRACE_CONT, 0);
	while (!is_int3(regs.rip - 1));
	while (!is_int3(regs.rip)) {
		char *here = &interrupted[(regs.rip << 1 | (regs.eflags >> 6 & 1)) % sizeof interrupted];

		if (signal && since++ > APART && *here < 2) {
			interrupt(signal);
			++*here;
			signals++;
			since = 0;
		}
		go(PTRACE_SINGLESTEP, 0);
	}
	regs.rip++;
	ptrace(PTRACE_SETREGS, child, 0, &regs);
	ptrace(PTRACE_DETACH, child, 0, 0);
	printf("%ld signals\n", signals);
	return waitpid(child, NULL, 0) != child || (signal && signals < 200);
}
END
gcc -O1 step.c -o step
# interrupted OPTIONS FLAGS...
interrupted() {
	compile "${@:2}" -g -DSTEPPED often.c -o stepped || return
	CACHEPROF_OPTIONS=fixed-addresses=1:quiet=1:$1 ./step 0 ./stepped 0 && counts once || return
	CACHEPROF_OPTIONS=fixed-addresses=1:quiet=1:dump-signal=USR1:$1 ./step 10 ./stepped 1 && counts again || return
	grep -c . once && diff once again
}
check "it is interrupted anywhere" interrupted simd=avx512 -O2
check "... without AVX-512" interrupted simd=avx2 -O2
check "... with branches" interrupted simd=avx512 -O2 --branch-sim=yes
check "... that may be part of a shared object" interrupted simd=avx512 -O2 -fPIC -pie

# What a loop leaves in vector registers it finds there, all of it, and none of them is in use that was not: 4 of what
# XGETBV tells are AVX's upper halves. The loop is long enough to be gone on with twice.
cat >keeps.c <<'END'
#include <stdio.h>
#include <string.h>
static char memory[1 << 16], before[64 * 6], after[64 * 6];
static unsigned in_use(void)
{
	unsigned low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
	return low & 0x44;
}
#define EACH(insn, what) insn what(0) insn what(1) insn what(2) insn what(3) insn what(4) insn what(5)
#define FROM(n) "\t" MOVE " 64*" #n "(%0), %%" REGISTER #n "\n"
#define TO(n) "\t" MOVE " %%" REGISTER #n ", 64*" #n "(%1)\n"
int main(void)
{
	char *p = memory;
	long n = 9000;
	unsigned used;

	for (unsigned i = 0; i < sizeof before; i++)
		before[i] = i % 64 < BYTES ? (char)(i * 37 + 1) : 0;
	__asm__ volatile(EACH("", FROM) "1:\taddb %%al, (%2)\n\taddq $4, %2\n\tdecq %3\n\tjne 1b\n" EACH("", TO)
			 : : "r"(before), "r"(after), "r"(p), "r"(n) : "memory");
	used = in_use();
	printf("%d %x\n", memcmp(before, after, sizeof before), used);
	return 0;
}
END
# keeps WHAT MOVE REGISTER BYTES
keeps() {
	cacheprof gcc -O1 -DMOVE="\"$2\"" -DREGISTER="\"$3\"" -DBYTES="$4" keeps.c -o keeps &&
		CACHEPROF_OPTIONS=quiet=1:simd=avx2 ./keeps >out && cat out && grep -q "$1" out
}
if processor_has avx2 xgetbv1; then
	check "xmm registers stay, and no ymm is in use" keeps "^0 0$" movups xmm 16
	check "ymm registers stay" keeps "^0 " vmovups ymm 32
fi
if processor_has avx512f xgetbv1; then check "zmm registers stay" keeps "^0 " vmovups zmm 64; fi

if processor_has avx512f; then
	loops $from 40 wide >loops.s
	calls $from 40 >calls.c
	check "loops with references as long as a line" exact ""
	check "... without AVX-512 for what is planted" exact simd=avx2
	for cache in LL=64k,16,64 LL=64k,16,64:simd=none; do
		check "... in an LL that is not compact, $cache" exact_loops $cache
	done
	loops $from 40 lines >loops.s
	check "most that go on by a line run without checks" test "$(without_any)" -ge 30
	check "loops that go on by a line" exact ""
	for cache in simd=avx2 D1=49152,12,64 D1=49152,12,64:LL=20M,20,64:simd=avx2; do check "... $cache" exact $cache; done
	check "... whose pages are numbered" exact_loops pages=first-touch:LL=256k,16,64
	# A reference of two lines, of which LL has the first no more, where the stub's vector registers are in use.
	cat >loops.s <<-'END'
		.ident	"a compiler"
		.text
		.globl	high
		.type	high,@function
		high:	vpxord	%zmm31, %zmm31, %zmm31
		vpaddq	32(%rdi), %zmm31, %zmm0
		vmovq	%xmm0, %rax
		vzeroupper
		ret
		.size	high,.-high
		.section .note.GNU-stack,"",@progbits
	END
	cat >calls.c <<-'END'
		long high(const char *);
		static volatile char memory[64][1 << 19] __attribute__((aligned(1 << 19)));
		int main(void)
		{
			long sum = 0;
			for (int i = 0; i < 40; i++) {
				for (int others = 0; others < 18; others++)
					sum += memory[0][0] + memory[1 + (i * 18 + others) % 60][0];
				sum += memory[0][0];
				for (int k = 1; k < 16; k++)
					sum += memory[0][64 + 4096 * k];
				sum += high((const char *)memory[0]);
			}
			return sum == 12345;
		}
	END
	check "two lines beside registers that are in use" exact ""
else
	skip "loops with references as long as a line" "no AVX-512"
	skip "... without AVX-512 for what is planted" "no AVX-512"
	skip "... in an LL that is not compact, LL=64k,16,64" "no AVX-512"
	skip "... in an LL that is not compact, LL=64k,16,64:simd=none" "no AVX-512"
	skip "loops that go on by a line" "no AVX-512"
	skip "two lines beside registers that are in use" "no AVX-512"
fi
finish
