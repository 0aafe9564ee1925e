# program.awk FILE, with -v rounds=N: what awk has, with sums of all that comes out. For tests/real/mawk.sh.

function swap(a, i, j, t) { t = a[i]; a[i] = a[j]; a[j] = t }

function quick(a, low, high, i, last) {
	if (low >= high) return
	swap(a, low, int((low + high) / 2))
	last = low
	for (i = low + 1; i <= high; i++) if (a[i] < a[low]) swap(a, ++last, i)
	swap(a, low, last)
	quick(a, low, last - 1)
	quick(a, last + 1, high)
}

function queens(n, row, column, found, c) {
	if (row == n) return 1
	for (c = 0; c < n; c++) {
		if (used["c", c] || used["+", row + c] || used["-", row - c]) continue
		used["c", c] = used["+", row + c] = used["-", row - c] = 1
		found += queens(n, row + 1, c)
		delete used["c", c]
		delete used["+", row + c]
		delete used["-", row - c]
	}
	return found + 0
}

# times(A, B): of numbers as long as they are
function times(a, b, i, j, n, m, d, carry, text) {
	n = length(a)
	m = length(b)
	for (i = 0; i < n; i++) {
		carry = 0
		for (j = 0; j < m || carry; j++) {
			carry += d[i + j] + substr(a, n - i, 1) * (j < m ? substr(b, m - j, 1) : 0)
			d[i + j] = carry % 10
			carry = int(carry / 10)
		}
	}
	for (i = 0; i in d; i++) text = d[i] text
	sub(/^0+/, "", text)
	return text
}

function distance(a, b, i, j, n, m, d, cost, least) {
	n = length(a)
	m = length(b)
	for (i = 0; i <= n; i++) d[i, 0] = i
	for (j = 0; j <= m; j++) d[0, j] = j
	for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
		cost = substr(a, i, 1) != substr(b, j, 1)
		least = d[i - 1, j] + 1 < d[i, j - 1] + 1 ? d[i - 1, j] + 1 : d[i, j - 1] + 1
		d[i, j] = least < d[i - 1, j - 1] + cost ? least : d[i - 1, j - 1] + cost
	}
	return d[n, m]
}

function sieve(n, i, j, marked, count) {
	for (i = 2; i <= n; i++) {
		if (i in marked) continue
		count++
		for (j = i * i; j <= n; j += i) marked[j]
	}
	return count
}

# added TEXT: into a sum that depends on order
function added(text, i, n) {
	n = length(text)
	for (i = 1; i <= n; i++) total = (total * 31 + index(letters, substr(text, i, 1))) % 1000003
}

# value: of an expression of numbers, + - * / ^ and brackets, in `rest`
function value(v) {
	v = product()
	while (match(rest, /^[ ]*[-+]/)) v = take() ~ /[+]/ ? v + product() : v - product()
	return v
}
function product(v, by) {
	v = power()
	while (match(rest, "^ *[*/]")) {
		if (take() ~ /[*]/) v *= power()
		else v = (by = power()) == 0 ? "none" : v / by
	}
	return v
}
function power(v) {
	v = single()
	return match(rest, /^ *\^/) && take() != "" ? v ^ power() : v
}
function single(v) {
	if (match(rest, /^ *-/)) { take(); return -single() }
	if (!match(rest, /^ *[(]/)) return match(rest, /^ *[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?/) ? take() + 0 : "nothing"
	take()
	v = value()
	if (match(rest, /^ *[)]/)) take()
	return v
}
function take(text) {
	text = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	return text
}

BEGIN {
	for (i = 32; i < 127; i++) letters = letters sprintf("%c", i)
	OFMT = "%.9g"
	CONVFMT = "%.7g"
	printf "%5.2f|%-8s|%08d|%+e|%x|%o|%c|%.3s|%*d|%g|%i|%%\n", 3.14159, "left", 42, 12345.678, 255, 8, 65, "abcdef", 6, 7, 1e-10, -3.9
	print 0.1 + 0.2, 1e6, 1e20, 2 ^ 53, -7 % 3, 10 / 4, "3x" + 4, "10" < "9", 10 < 9, "a" "b" > "/dev/stdout"
	print length("text"), index("haystack", "st"), substr("text", 0, 2), substr("text", -1), toupper("aBc"), tolower("ABC")
	print sin(1), cos(1), atan2(-0, -1), exp(1), log(10), sqrt(2), int(-3.7)
	srand(1)
	print srand(7)
	print queens(5 + (rounds > 1) * 2, 0), sieve(1000 * rounds)
	for (n = f = "1"; n <= 20 + rounds; n++) f = times(f, n)
	print f
	n = split("1+2*3 (1+2)*3 2^3^2 -2^2 10/4/5 1e3-.5e1 ((((7)))) 8/(4-4) 2*-3 (1+2", expressions, / /)
	for (i = 1; i <= n; i++) { rest = expressions[i]; printf "%s=%s ", expressions[i], value() }
	print ""
	for (i = 0; i < 200 * rounds; i++) numbers[i] = (i * 7919) % 10007 * (i % 2 ? 1 : -0.5)
	quick(numbers, 0, i - 1)
	for (j = 1; j < i; j++) if (numbers[j - 1] > numbers[j]) print "not sorted at", j
	print numbers[0], numbers[int(i / 2)], numbers[i - 1]
	for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) { a[i, j] = i + j; b[i, j] = i - j }
	for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) for (k = 0; k < 10; k++) c[i, j] += a[i, k] * b[k, j]
	for (key in c) { split(key, part, SUBSEP); sum += c[key] * (part[1] + 2 * part[2]) }
	print sum, ("3" SUBSEP "4") in c, (10, 10) in c
	while (("printf 'one two\\nthree\\n'" | getline line) > 0) print "read", line, NR
	close("printf 'one two\\nthree\\n'")
	do { n = n / 2; if (n < 1) break } while (1)
	print n
}

NR > 400 * rounds { exit }

NR == 5, NR == 9 { print NR ": " $2 " " NF; $3 = "changed"; NF = 4; print }

/^[a-m].*[0-9]+ [^aeiou]+$/ { matched++ }
$1 ~ /(ab|ba|[xyz]{2})+/ { doubled++ }
$0 ~ "[.]?" $1 "$" { again++ }

{
	for (i = 1; i <= NF; i++) count[$i]++
	line = $0
	changed += gsub(/[aeiou]+/, "<&>", line)
	changed += gsub(/<(a|e)>|o+\>/, "\\&-", line)
	while (match(line, /[0-9]+/)) { digits += substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH) }
	if (NR % 10 == 0) added($0)
	if (NR % 20 == 0) apart += distance($1, $2) + distance($2 $3, $3 $2)
	fields += split($0, letter, /[ ,]*[aeiou]/) + split($1, letter, "")
	words = words (NR % 100 ? "" : $1 ",")
}

END {
	print NR, matched, doubled, again + 0, changed, digits, total, apart, fields, length(words)
	for (word in count) { distinct++; if (count[word] > most) most = count[word] }
	print distinct, most
	for (word in count) print count[word], word | "sort -k1nr -k2 | head -n 12"
	close("sort -k1nr -k2 | head -n 12")
	n = split(words, list, ",")
	quick(list, 1, n)
	for (i = 1; i <= n && i < 20; i++) printf "%s%s", list[i], i % 5 ? " " : "\n"
	printf "\n%s\n", toupper(substr(words, 1, 60))
	for (i = 0; i < 3000 * rounds; i++) { text = text sprintf("%d,", i * i % 97); if (length(text) > 2000) text = substr(text, 500) }
	print length(text), substr(text, 1, 30), system("exit 3")
}
