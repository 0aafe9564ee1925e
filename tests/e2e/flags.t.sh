# One program, one flag after the other: with each, the instrumented program prints and returns what the
# native one does, its profile has counts of main, and its self-check finds no difference.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
programs=$TOP/tests/e2e/programs

# run PROGRAM: its standard output and status, in PROGRAM.out.
run() {
	"./$1" >"$1.out" 2>"$1.err"
	echo "status $?" >>"$1.out"
}

# counted: the last profile has executed instructions of a function main.
counted() {
	awk '/^fn=/ { mine = /=main$/ } mine && /^[0-9]/ && $2 > 0 { found = 1 } END { exit !found }' \
		cacheprof.out
}

# same SOURCE FLAG...: and nothing is said of it.
same() {
	local source=$programs/$1
	shift
	rm -f native ours checked cacheprof.out
	"${CC:-gcc}" -w -O2 "$@" "$source" -o native -lm &&
		cacheprof "${CC:-gcc}" -w -O2 "$@" "$source" -o ours -lm 2>said &&
		cacheprof --self-check "${CC:-gcc}" -w -O2 "$@" "$source" -o checked -lm 2>>said || { cat said; return 1; }
	! grep cacheprof: said || return 1
	run native && run ours && counted && run checked || return 1
	diff native.out ours.out && diff native.out checked.out && diff native.err ours.err
}

# The address sanitizer of gcc 13 and later puts stack frames where nothing can be executed, nested functions neither.
export ASAN_OPTIONS=detect_stack_use_after_return=0
# Nested functions need an executable stack, which ld.lld and mold give to nobody who does not ask.
stack="-Wl,-z,execstack"
while read -r source flags; do
	case $flags in
	*-fuse-ld=*)
		linker=ld.${flags##*-fuse-ld=} linker=${linker%% *}
		command -v "$linker" >/dev/null || { skip "$source $flags" "there is no $linker"; continue; }
		;;
	esac
	# shellcheck disable=SC2086 # several options in one line
	check "$source $flags" same $source $stack $flags
done <<'END'
everything.c
everything.c -O0
everything.c -Os
everything.c -O3 -funroll-all-loops -march=native
everything.c -fsplit-stack
everything.c -fstack-protector-strong
everything.c -fstack-clash-protection
everything.c -fcf-protection=full
everything.c -fcf-protection=full -mmanual-endbr
everything.c -fnon-call-exceptions -fexceptions
everything.c -fno-asynchronous-unwind-tables
everything.c -ffunction-sections -fdata-sections -Wl,--gc-sections
everything.c -freorder-blocks-and-partition
everything.c -fpatchable-function-entry=5,2
distances.c
distances.c -O0
entrances.c -fcf-protection=none
entrances.c -fcf-protection=full -fPIC
everything.c -finstrument-functions
everything.c -fzero-call-used-regs=all
everything.c -fsanitize=undefined
everything.c -fsanitize=address
everything.c -fsanitize=thread
everything.c --coverage
everything.c -g -gsplit-dwarf
everything.c -g -gz
everything.c -gdwarf-4
everything.c -g3 -gdwarf-2
everything.c -fno-pic -no-pie
everything.c -fPIC
everything.c -fno-plt
everything.c -static
everything.c -static-pie
everything.c -mcmodel=medium -mlarge-data-threshold=4
everything.c -mcmodel=large
everything.c -mcmodel=large -fPIC
everything.c -mno-red-zone
everything.c -mavx512f
everything.c -mstackrealign -mpreferred-stack-boundary=5
everything.c -mindirect-branch=thunk -fcf-protection=none
everything.c -mindirect-branch=thunk -mfunction-return=thunk -fcf-protection=none
everything.c -mindirect-branch=thunk-inline -mfunction-return=thunk-inline -fcf-protection=none
everything.c -mindirect-branch=thunk-inline -mindirect-branch-register -fcf-protection=none
everything.c -mindirect-branch=thunk -fno-plt -fno-pic -no-pie -fcf-protection=none
everything.c -mindirect-branch=thunk-inline -fno-plt -fno-pic -no-pie -fcf-protection=none
everything.c -mharden-sls=all
everything.c -Wa,-mlfence-before-ret=yes,-mlfence-before-indirect-branch=all
everything.c -mforce-indirect-call
everything.c -Wa,-mbranches-within-32B-boundaries
everything.c -mavx -Wa,-msse-check=error
everything.c -Wa,-madd-bnd-prefix
everything.c -Wa,-madd-bnd-prefix -fPIC -g
everything.c -Wa,-malign-branch-boundary=64,-malign-branch=jcc+fused+jmp+call+ret+indirect
everything.c -flto
everything.c -flto -ffat-lto-objects
everything.c -flto=auto -fno-fat-lto-objects
everything.c -pipe
everything.c -fverbose-asm
everything.c -fuse-ld=bfd
everything.c -fuse-ld=gold
everything.c -fuse-ld=gold -no-pie
everything.c -fuse-ld=gold -static
everything.c -fuse-ld=lld -no-pie
everything.c -fuse-ld=mold
everything.c -fuse-ld=mold -static
gotos.c
gotos.c -O0 -fno-pic -no-pie
gotos.c -fno-pic -no-pie
gotos.c -mcmodel=large
gotos.c -mindirect-branch=thunk -fcf-protection=none
gotos.c -mindirect-branch=thunk-inline -fcf-protection=none
symbols.c
symbols.c -fno-pic -no-pie
symbols.c -static
symbols.c -static-pie
symbols.c -ffunction-sections -Wl,--gc-sections,--sort-section=name
symbols.c -ffunction-sections -Wl,--icf=all -fuse-ld=gold
symbols.c -Wl,-z,now,-z,norelro
symbols.c -rdynamic -Wl,--emit-relocs
symbols.c -s
symbols.c -fuse-ld=lld -no-pie
symbols.c -fuse-ld=mold -Wl,--icf=all
END

# What each thread has a copy of is one section, whatever puts it together.
with_branches() {
	gcc -w -O2 "$programs/symbols.c" -o native && run native &&
		cacheprof --branch-sim=yes --self-check gcc -w -O2 "$@" "$programs/symbols.c" -o ours && run ours &&
		diff native.out ours.out && counted
}
for linker in bfd gold lld mold; do
	if command -v ld.$linker >/dev/null; then
		check "with branches, ld.$linker" with_branches -fuse-ld=$linker
	else
		skip "with branches, ld.$linker" "there is no ld.$linker"
	fi
done

# The self-check cannot see a block that nobody took for one; Cachegrind does.
immediates() {
	"$TOP/tests/oracle/compare" --cflags='-O2 -fno-pic -no-pie' "$programs/gotos.c"
}
if command -v valgrind >/dev/null; then
	check "targets that are immediates: Cachegrind's counts" immediates
else
	skip "targets that are immediates" "there is no valgrind"
fi

# fed_back [cacheprof OPTION...]: what a program prints whose branches are as its own counts of a run have them.
fed_back() {
	rm -f ./*.gcda
	"$@" gcc -w -O2 $stack -fprofile-generate "$programs/everything.c" -o fed -lm && run fed &&
		"$@" gcc -w -O2 $stack -fprofile-use -Werror=missing-profile -Werror=coverage-mismatch \
			"$programs/everything.c" -o fed -lm && run fed
}

feedback() {
	fed_back && mv fed.out native.out && rm -f cacheprof.out && fed_back cacheprof --self-check && counted &&
		diff native.out fed.out
}
check "everything.c -fprofile-generate, -fprofile-use" feedback

# What looks for addresses in registers and memory finds none that the caches hold.
leaks() {
	local program
	gcc -g -O2 "$@" "$programs/leak.c" -o native && cacheprof gcc -g -O2 "$@" "$programs/leak.c" -o ours || return 1
	for program in native ours; do
		./$program 2>err
		echo "status $?" >$program.out
		sed -n 's/.*\(Direct leak of .* allocated\) from.*/\1/p' err >>$program.out
	done
	cat native.out && diff native.out ours.out
}
for flags in -fsanitize=leak -fsanitize=address; do
	check "leaks are found: $flags" leaks "$flags"
done

# The assembler's own response files: one that gcc passes on as it is.
echo "--noexecstack --defsym ANSWER=42" >as.args
printf '.if ANSWER == 42\n.text\n.globl answer\n.type answer,@function\nanswer: mov $ANSWER,%%eax\nret\n.size answer,.-answer\n.endif\n' >answer.s
echo 'int answer(void); int main(void) { return answer() - 42; }' >ask.c
response() { rm -f cacheprof.out; cacheprof gcc -Wa,@as.args ask.c answer.s -o ask && ./ask && grep -q '^fn=answer$' cacheprof.out; }
check "a response file for the assembler" response

refused() {
	! cacheprof gcc "$@" "$programs/gotos.c" -o refused 2>err && [ ! -e refused ] && cat err &&
		[ "$(grep -c . err)" -ge 1 ]
}
for flags in -m32 -mx32 -pg; do check "$flags is refused" refused $flags; done
to_leave() { refused "$1" && grep -q 'leave it away' err && [ "$(grep -c . err)" -eq 1 ]; }
for flags in -Wa,-mlfence-after-load=yes -Wa,-R -Wa,--scfi=experimental; do
	check "$flags is refused, to be left away" to_leave $flags
done
# Places are relocations that gas has no operand for: it is given addresses, which are none any more in the object. A list of
# .reloc takes gas a time that grows with the number of sections, too.
cat >placed.c <<'END'
int counted[100];
int placed(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += counted[i % 100] > i ? n : counted[i % 50];
	return sum;
}
END
has_places() {
	cacheprof --branch-sim=yes gcc -O1 "$@" -c placed.c -o placed.o && readelf -rW placed.o >relocations &&
		grep -qE 'DTPOFF32 .*cacheprof_data' relocations && ! grep -E '_32S? .*cacheprof_' relocations
}
for flags in "" -fPIC -fno-pie; do
	# shellcheck disable=SC2086 # or none
	check "places are relocations $flags" has_places $flags
done
check "... by way of annotated assembly" eval 'cacheprof gcc -O1 -SA placed.c && ! grep -F .reloc placed.sA &&
	cacheprof gcc -c placed.sA -o again.o && readelf -rW again.o >relocations && ! grep -E "_32S? .*cacheprof_" relocations'
check "... of an object that is not kept" cacheprof gcc -O1 -c placed.c -o /dev/null
finish
