# The HTML report: self-contained, harmless, and used in a headless Chromium by
# tests/cacheprint/html/drive.js.
. "$(dirname "$0")/../tap.sh"
cp -r "$TOP"/tests/cacheprint/golden/data/. .
find . -type f -exec touch -d 2024-01-01 {} +
find . -name '*.out' -exec touch -d 2024-01-02 {} +

# A profile of 20,000 functions, one file of which has 10,000 lines.
make_large() {
	awk 'BEGIN {
		print "cmd: ./large\nevents: Ir Dr D1mr DLmr Dw D1mw DLmw"
		for (f = 0; f < 200; f++) {
			print "fl=src/file" f ".c"
			for (i = 0; i < 100; i++) {
				print "fn=function_" f "_" i
				row(i + 1, (f * 7919 + i * 104729) % 1000)
			}
		}
		print "fl=src/long.c\nfn=long_function"
		for (i = 1; i <= 10000; i++) row(i, i % 97)
		for (j = 1; j <= 7; j++) s = s " " t[j]
		print "summary:" s
	}
	function row(line, n,   j, c, s) {
		for (j = 1; j <= 7; j++) { c = n * (8 - j); t[j] += c; s = s " " c }
		print line s
	}' >large.out
	sed -i '/^fl=src\/file199.c/,/^fl=src\/long.c/{/^fn=function_199_99$/,/^[0-9]/d}' large.out
	awk 'BEGIN { for (i = 1; i <= 10000; i++) print "\tstatement(" i ", \"<&>\");" }' >src/long.c
	awk '/^[0-9]/ { for (i = 2; i <= NF; i++) t[i] += $i } !/^summary/ { print }
		END { s = "summary:"; for (i = 2; i <= 8; i++) s = s " " t[i]; print s }' large.out >l && mv l large.out
	touch -d 2024-01-01 src/long.c
}

# Nothing is fetched and nothing can be: no address, and a policy that forbids it.
is_self_contained() {
	! sed '/^<script type="application\/json"/,/^<\/script>/d' "$1" | grep -E 'https?:|//[a-z]|@import|url\(' &&
		grep -q "Content-Security-Policy.*default-src 'none'" "$1"
}

# drive KIND REPORT: the lines of TAP that the driven page leaves.
drive() {
	sed '$d' "$2" | sed '$d' >driven.html
	{
		printf '<script>\nconst KIND = "%s";\n' "$1"
		cat "$TOP/tests/cacheprint/html/drive.js"
		printf '</script>\n</body>\n</html>\n'
	} >>driven.html
	timeout 600 "$chromium" --headless --no-sandbox --disable-gpu --window-size=1200,800 \
		--user-data-dir="$T/chromium" --virtual-time-budget=60000 --dump-dom \
		"file://$T/driven.html" 2>chromium.log | sed -n '/^TAP$/,/^END$/{/^TAP$\|^END$/!p}'
}

# driven KIND REPORT: each check of the page is one here. Where it was too slow, the best of three runs
# counts: other processes run, too.
driven() {
	local i
	for i in 1 2 3; do
		drive "$1" "$2" >"$1.tap"
		grep -qE '^not ok .* (in )?less than ' "$1.tap" || break
	done
	check "$1: the page was driven" [ -s "$1.tap" ]
	while IFS= read -r line; do
		case $line in
		ok*) check "${line#*- }" true ;;
		not*) check "${line#*- }" false ;;
		*) echo "$line" ;;
		esac
	done <"$1.tap"
}

make_large
check "small report" cacheprint -f level2.out -I . --html small.html
check "odd report" cacheprint -f odd.out --html odd.html
check "diff report" cacheprint --diff v1.out v2.out --mod-filename='s,/v[12]/,/,' -I v2 --before=v1 --html diff.html
check "large report" cacheprint -f large.out --html large.html --threshold=0
printf 'cmd: x\nevents: I1mr Dr D1mr Dw D1mw\nfl=x.c\nfn=f\n1 1 2 3 4 5\nsummary: 1 2 3 4 5\n' >partial.out
printf 'cmd: x\nevents: Dr D1mr Dw D1mw\nfl=x.c\nfn=f\n0 1 1 4 5\n1 1 0 0 0\nsummary: 2 1 4 5\n' >once.out
printf 'cmd: x\nevents: Dr D1mr Dw D1mw\nfl=y.c\nfn=f\n1 1 1 0 0\nsummary: 1 1 0 0\n' >other.out
echo 'int f(void) { return 1; }' >x.c
touch -d 2024-01-01 x.c
check "report of misses without references" cacheprint -f partial.out --html partial.html
check "report of a file in one of two runs" cacheprint --diff once.out other.out --html once.html
strings=NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
{
	printf 'cmd: x\nevents: Dr D1mr Dw D1mw\n'
	printf 'fl=v.h\nfn=_ZNSt6vectorI%sSaIS5_EE9push_backERKS5_\n1 9 9 0 0\n' $strings
	printf 'fl=w.h\nfn=_ZNSt6vectorI%sSaIS5_EE9push_backEOS5_\n1 8 8 0 0\n' $strings
	printf 'fl=x.c\nfn=main\n1 1 1 0 0\nsummary: 18 18 0 0\n'
} >names.out
check "report of long names" cacheprint -f names.out --html names.html
check "... as they are, if so told" bash -c '
	cacheprint -f names.out --full-names --html full.html; ! grep "\"s\":" full.html && grep -q "\"s\":" names.html'
mkdir dir
check "a directory" cacheprint -f level2.out --html dir
check "... has index.html" [ -s dir/index.html ]
check "standard output" bash -c 'cacheprint -f level2.out -I . --html - | cmp - small.html'
for r in small odd diff large partial once; do
	check "$r: self-contained" is_self_contained $r.html
	check "$r: nothing ends the script early" [ "$(grep -c '</script>' $r.html)" -eq 2 ]
done
check "not in the profile: status 1" fails cacheprint -f level2.out --html x.html nosuch.c

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$chromium" ]; then
	skip "reports in a browser" "no Chromium is installed"
	finish
fi
for r in small odd diff large partial once names; do driven $r $r.html; done
finish
