# Two of csmith's programs at four levels, each with the self-check; `make check-real` runs three hundred.
. "$(dirname "$0")/../tap.sh"
if command -v csmith >/dev/null && [ -e /usr/include/csmith/csmith.h ]; then
	check "csmith's programs, self-checked" "$TOP/tests/real/csmith" 2
else
	skip "csmith's programs" "csmith and libcsmith-dev are not installed"
fi
finish
