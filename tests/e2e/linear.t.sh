# What takes time in proportion to a file's length, whatever is in it. Each of these files took more than the
# limit when its time grew with the square, and most several times as much.
. "$(dirname "$0")/../tap.sh"

most=15 # seconds of CPU time of each process

# What is around a compiler's text.
begin() { printf '\t.file\t"x.c"\n\t.text\n'; }
end() { printf '\t.ident\t"GCC: (GNU) 12"\n'; }
# function_of NAME <BODY
function_of() {
	printf '\t.text\n\t.globl\t%s\n\t.type\t%s, @function\n%s:\n' "$1" "$1" "$1"
	cat
	printf '\tret\n\t.size\t%s, .-%s\n' "$1" "$1"
}
# repeat N LINES: with 0 to N - 1 in place of ~
repeat() {
	python3 -c 'import sys
for i in range(int(sys.argv[1])): sys.stdout.write(sys.argv[2].replace("~", str(i)))' "$1" "$(printf %b "$2")"$'\n'
}

# quick NAME FLAG...: x.s is instrumented in time
quick() {
	check "$1" bash -c 'ulimit -c 0; ulimit -t '$most'; cacheprof "$@" gcc -SA x.s -o x.sA' - "${@:2}"
	rm -f x.s x.sA
}

{ begin; { printf '\tjmp\t.L99999\n.L0:\n\tmovl\t(%%rsi), %%eax\n\tret\n'; awk 'BEGIN { for (i = 1; i < 100000; i++)
	printf ".L%d:\n\tmovl\t(%%rdi), %%eax\n\tjmp\t.L%d\n", i, i - 1 }'; } | function_of f; end; } >x.s
quick "100,000 blocks that jump back to the one before"
{ begin; printf '\t.type\tf0, @function\nf0:\n\tret\n'; awk 'BEGIN { for (i = 1; i < 150000; i++)
	printf "\t.type\tf%d, @function\nf%d:\n\tcall\tf%d\n\tret\n", i, i, i - 1 }'
	printf '\t.type\tr, @gnu_indirect_function\nr:\n\tcall\tf149999\n\tret\n'; end; } >x.s
quick "what an ifunc's resolver calls, 150,000 deep"
# Who calls whom has nothing to do with where they stand.
{ begin; python3 -c 'import random
order = list(range(60000))
random.Random(1).shuffle(order)
callee = dict(zip(order, order[1:]))
for i in range(60000):
	to = f"f{callee[i]}" if i in callee else "exit"
	print(f"\t.type\tf{i}, @function\nf{i}:\n\tcall\t{to}\n\tret")'; end; } >x.s
quick "60,000 functions that may not return" --level1
{ begin; repeat 300000 '\tmovq\t$f, ~(%rdi)\n' | function_of f; end; } >x.s
quick "300,000 pointers to functions, stored" --level1
{ begin; repeat 150000 '.L~:\n\tjmp\t*%rax\n' | function_of f; printf '\t.section\t.rodata\n'
	repeat 150000 '\t.quad\t.L~\n'; end; } >x.s
quick "150,000 indirect jumps to as many labels" --level1
{ begin; repeat 150000 '\t.type\th~, @function\nh~:\n\tret\n'
	repeat 150000 '\tmovabsq\t$h~, %rax\n\tcall\t*%rax\n' | function_of f; end; } >x.s
quick "150,000 calls of far functions" --level1

# sections N: with a function each
sections() { repeat "$1" '\t.section\t.text.f~,"ax",@progbits\n\t.type\tf~, @function\nf~:\n\tret\n\t.size\tf~, .-f~\n'; }
{ begin; sections 40000; printf '\t.data\n'; repeat 1000000 '\t.zero\t8\n'; end; } >x.s
quick "40,000 sections and a million .zero" --level1
{ begin; sections 40000; repeat 600000 '\t.section\t.other\n\t.long\t~\n\t.data\n'; end; } >x.s
quick "40,000 sections and 600,000 that say no flags" --level1
{ awk 'BEGIN { for (r = 0; r < 100; r++) for (i = 0; i < 10000; i++)
	printf "\t.section\t.text.f%d,\"ax\",@progbits\n\t.byte\t0x90\n", i }'; end; } >x.s
quick "10,000 sections of bytes, in turn" --level1
{ begin; sections 40000; printf '\t.text\n\t.type\tg, @function\ng:\n.Lg:\n\tret\n\t.size\tg, .-g\n.Lnone:\n\tnop\n'
	printf '\t.section\t.gcc_except_table,"a",@progbits\n\t.uleb128\t.Lg-g\n'
	repeat 1000000 '\t.uleb128\t.Lnone-g\n'; end; } >x.s
quick "40,000 functions and a table that names no place in them" --level1 --plain-copies=yes

{ begin; repeat 40000 '\t.macro\tx~\n\t.endm\n'; repeat 300000 '\tpushfq\n' | function_of f; end; } >x.s
quick "40,000 macros" --level1
{ begin; printf '\t.set\ta0, f\n'; for i in {1..8}; do
	printf '\t.set\ta%d, 0' $i; for k in {1..24}; do printf '+(a%d-f)' $((i - 1)); done; printf '+f\n'; done
	printf '\tnop\n' | function_of f; printf '\t.data\n\t.byte\ta8-f\n'; end; } >x.s
quick "symbols that stand for sums of symbols" --level1
{ begin; repeat 200000 '\t.warning\t"nobody expects warning number ~ of so many warnings"\n'
	printf '\tnop\n' | function_of f; end; } >x.s
check "200,000 warnings" bash -c 'ulimit -c 0; ulimit -t '$most'; cacheprof gcc -c x.s'
{ begin; printf '\t.file\t1 "x.c"\n'; repeat 100000 '\t.loc\t1 ~\nlabel~:\n\tcall\tmemcpy~\n' | sed 's/memcpy.*/memcpy/' | function_of f; end; } >x.s
quick "100,000 calls of memcpy" --libc-model=yes
finish
