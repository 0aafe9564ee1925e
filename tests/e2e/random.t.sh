#!/bin/bash
# Programs in assembly made at random (random/generate.c), in which any register may be in use anywhere: they do what
# they do natively, all ways to instrument them count the same, and no check finds a difference.
#
# SEEDS="FROM TO": which are made; each with the vector instructions that the processor has.
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
read -r from to <<<"${SEEDS:-1 12}"
gcc -O1 -o generate "$TOP/tests/e2e/random/generate.c" && gcc -O1 -c "$TOP/tests/e2e/random/main.c" -o main.o || exit 1

# Options of cacheprof and gcc on which it depends what is planted, and of the run.
ways=(
	"--level1" "--level1 -fPIC" "--level1 --plain-copies=yes"
	"--level2" "--level2 -fPIC" "--level2 --plain-copies=yes" "--level2 --branch-sim=yes" "--level2 -fPIC --branch-sim=yes"
	"--self-check" "--self-check -fPIC" "--self-check --branch-sim=yes simd=none" "--self-check simd=avx2"
)

# way WORD...: one.s, whose output natively is in native; the first way's totals are in first.
way() {
	local options=() flags=() run=quiet=0 word
	for word; do
		case $word in --*) options+=("$word") ;; -*) flags+=("$word") ;; *) run=$word ;; esac
	done
	rm -f cacheprof.out
	cacheprof "${options[@]}" gcc "${flags[@]}" -c one.s -o one.o && cacheprof "${options[@]}" gcc one.o main.o -o one || return
	if ! CACHEPROF_OPTIONS=$run timeout 60 ./one >printed 2>err || ! diff native printed; then
		cat err
		return 1
	fi
	case $* in --self-check*) grep "self-check: 0 differences" err || return ;; esac
	totals_of cacheprof.out Ir Dr Dw >counts && [ -s counts ] || return
	if [ -e first ]; then diff first counts; else mv counts first; fi
}

# seed N VECTORS: in all ways.
seed() {
	local w
	rm -f first
	./generate "$1" "$2" >one.s && gcc one.s main.o -o one && timeout 60 ./one >native && [ -s native ] || return
	for w in "${ways[@]}"; do
		# shellcheck disable=SC2086 # words
		way $w || { echo "$w" && return 1; }
	done
}

kinds=(sse)
if processor_has avx2; then kinds+=(avx); fi
if processor_has avx512f avx512vl avx512bw avx512dq; then kinds+=(avx512); fi
for ((i = from; i <= to; i++)); do
	for kind in "${kinds[@]}"; do check "$kind, seed $i" seed "$i" "$kind"; done
done
finish
