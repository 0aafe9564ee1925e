# cacheprint's golden tests: tests/cacheprint/golden/NAME.cmd is run in a copy of golden/data;
# what it prints, and its status unless 0, must be NAME.expected. UPDATE=1 writes the expectation.
. "$(dirname "$0")/../tap.sh"
golden=$TOP/tests/cacheprint/golden

# run NAME: what the user sees, standard error first.
run() {
	local status
	bash "$golden/$1.cmd" >"$T/stdout" 2>"$T/stderr"
	status=$?
	sed 's/^/stderr: /' "$T/stderr"
	sed "s/cacheprint $(cat "$TOP/VERSION")/cacheprint VERSION/" "$T/stdout"
	[ "$status" -eq 0 ] || echo "status: $status"
}

golden() {
	run "$1" >"$T/got"
	if [ -n "${UPDATE:-}" ]; then
		cp "$T/got" "$golden/$1.expected"
	fi
	diff -u "$golden/$1.expected" "$T/got"
}

# Sources must be older than the profiles, or there are warnings.
cp -r "$golden/data" data
find data -type f -exec touch -d '2024-01-01' {} +
find data -name '*.out' -exec touch -d '2024-01-02' {} +
cd data || exit 1

for cmd in "$golden"/*.cmd; do
	name=$(basename "$cmd" .cmd)
	check "$name" golden "$name"
done
# valid_json PROFILE...: as some other program reads it.
valid_json() {
	if command -v jq >/dev/null; then
		cacheprint "$@" --json | jq -e '.version == 1 and (.files | length) > 0'
	else
		cacheprint "$@" --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["files"]'
	fi
}
if command -v jq >/dev/null || command -v python3 >/dev/null; then
	for p in level1 level2 two odd cxx; do check "$p: JSON is valid" valid_json -f $p.out; done
	check "diff: JSON is valid" valid_json --diff v1.out v2.out
else
	skip "JSON is valid" "neither jq nor python3 is installed"
fi
# A million count lines: a second on an idle machine (0.2 s when this was written).
make_million() {
	awk 'BEGIN {
		print "cmd: ./million\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw"
		for (f = 0; f < 1000; f++) {
			print "fl=src/file" f ".c\nfn=function" f
			for (i = 1; i <= 1000; i++)
				print i " 4321234 17 3 1234567 12345 678 765432 23456 789"
		}
		print "summary: 4321234000000 17000000 3000000 1234567000000 12345000000 678000000" \
			" 765432000000 23456000000 789000000"
	}' >million.out
}
make_million
check "a million count lines" timeout 100 cacheprint -f million.out -o million.txt
check "... all of them" grep -q "1,000,000 program points" million.txt
# It is stopped while it writes.
stopped() {
	local begun status
	for _ in 1 2 3 4 5; do
		cacheprint -f million.out --json -o million.json &
		until begun=$(compgen -G 'million.json.??????') || ! kill -0 $! 2>/dev/null; do :; done
		kill -TERM $! 2>/dev/null
		wait $!
		status=$?
		[ -n "$begun" ] && [ "$status" -eq 143 ] && break
		rm -f million.json
	done
	[ "$status" -eq 143 ] && [ ! -e million.json ] && ! compgen -G 'million.json.*'
}
check "nothing is left behind by SIGTERM" stopped
stopped_at_once() {
	ended_behind mkstemp cacheprint -f level2.out --json -o at-once.json && ! compgen -G 'at-once.json*'
}
if command -v gdb >/dev/null; then
	check "... that comes as soon as there is something" stopped_at_once
else
	skip "... that comes as soon as there is something" "no gdb"
fi

# Every option of --help is in the manual page.
is_documented() {
	local option
	for option in $(cacheprint --help | grep -oE -- '--[a-z-]+' | sort -u); do
		sed 's/\\//g' "$TOP/docs/cacheprint.1" | grep -qF -- "$option" || { echo "$option" && return 1; }
	done
}
check "the manual page has all options" is_documented
if command -v man >/dev/null; then
	check "the manual page has no mistakes" \
		[ -z "$(man --warnings -l "$TOP/docs/cacheprint.1" 2>&1 >/dev/null)" ]
else
	skip "the manual page has no mistakes" "there is no man"
fi
check "--version" [ "$(cacheprint --version)" = "cacheprint $(cat "$TOP/VERSION")" ]
finish
