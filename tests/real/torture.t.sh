# Seventy programs of gcc's testsuite, a few of each kind, if `make check-real` has fetched them.
. "$(dirname "$0")/../tap.sh"
if [ -d "$BUILD/real/testsuite" ]; then
	check "programs of gcc's testsuite" "$TOP/tests/real/torture" --sample=5
else
	skip "programs of gcc's testsuite" "make check-real fetches it"
fi
finish
