#!/bin/bash
# Programs in C and C++ made at random (random_c/generate.c), in which functions call one another in all sorts of
# ways: compiled with random flags they do what they do natively, all ways to instrument them count the same, and no
# check finds a difference.
#
# SEEDS="FROM TO": which are made, by each compiler.
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
read -r from to <<<"${SEEDS:-26 28}"
here=$TOP/tests/e2e/random_c
gcc -O1 -o generate "$here/generate.c" || exit 1

ways=("--self-check --branch-sim=yes" "--level2" "--level2 --branch-sim=yes" "--level1 --plain-copies=yes")

# way COMPILER WORD...: what it does natively is in native; the first way's totals are in first.
way() {
	rm -f cacheprof.out
	cacheprof "${@:2}" "$1" "${flags[@]}" -I"$here" "${units[@]}" main.o -o program || return
	if ! CACHEPROF_OPTIONS=quiet=0 timeout 120 ./program >printed 2>err || ! diff native printed; then
		cat err
		return 1
	fi
	case $* in *--self-check*) grep "self-check: 0 differences" err || return ;; esac
	totals_of cacheprof.out Ir Dr Dw >counts && [ -s counts ] || return
	if [ -e first ]; then diff first counts; else mv counts first; fi
}

# seed N COMPILER: in all ways.
seed() {
	local w unit suffix=c c_compiler=$2
	case $2 in
	g++) suffix=cc c_compiler=gcc ;;
	clang++) suffix=cc c_compiler=clang ;;
	esac
	units=("a.$suffix" "b.$suffix")
	for unit in a b; do ./generate "$1" "$2" $unit >$unit.$suffix || return; done
	read -ra flags <<<"$(./generate "$1" "$2" flags)"
	echo "${flags[@]}"
	rm -f first
	$c_compiler "${flags[@]}" -fexceptions -I"$here" -c "$here/main.c" -o main.o || return
	"$2" "${flags[@]}" -I"$here" "${units[@]}" main.o -o natively && timeout 60 ./natively >native && [ -s native ] || return
	for w in "${ways[@]}"; do
		# shellcheck disable=SC2086 # words
		way "$2" $w || { echo "$w" && return 1; }
	done
}

try() { # SEED COMPILER
	if command -v "$2" >/dev/null; then
		check "$2, seed $1" seed "$1" "$2"
	else
		skip "$2, seed $1" "no $2"
	fi
}

for ((i = from; i <= to; i++)); do
	for compiler in gcc g++ clang clang++; do try "$i" $compiler; done
done
# Functions of Microsoft's convention that nothing outside the unit calls, by -flto, and that call __savms64.
[ -n "$SEEDS" ] || try 639 gcc
finish
