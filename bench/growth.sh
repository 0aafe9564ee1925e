# Work that grows: what it costs, natively and instrumented, is recorded beside how much it is. Each round has all
# points, since the machine is faster at times than at others.

# points X...: the same, smaller where everything is.
points() {
	local x
	for x; do echo $((x * percent > 100 ? x * percent / 100 : 1)); done
}

# in_rounds COMMAND X...: COMMAND X for each X, in each round.
in_rounds() {
	local round x
	for round in $(seq "$rounds"); do
		for x in "${@:2}"; do "$1" "$x"; done
	done
}

# grow AXIS X: runs the loaded program, which is built; X says how much work its command has.
grow() {
	local way
	for way in native level2; do
		ran "$way" || die "$name fails at $1 $2 ($way): $(tail -n 5 "$work/err")"
		record growth "$1" -O2 "$way" "$2" "$cpu"
	done
}

both_built() {
	built -O2 native
	built -O2 level2
}

# AXIS_of X: one point of grow_AXIS.

input_of() {
	local percent=$1
	load bzip2
	grow input $((100 * $1))
}

grow_input() {
	load bzip2
	source_of || return 0
	both_built
	# shellcheck disable=SC2046 # words
	in_rounds input_of $(points 25 50 100 150 200)
}

memory_of() {
	command=(./program "$1")
	grow memory "$1"
}

grow_memory() {
	load touch
	source_of
	both_built
	# shellcheck disable=SC2046
	in_rounds memory_of $(points 100 200 400 600 800)
}

threads_of() {
	command=(./program "$1" $((percent / 4 > 0 ? percent / 4 : 1)) far)
	grow threads "$1"
}

grow_threads() {
	load threads
	source_of
	both_built
	in_rounds threads_of 1 2 4 6 8
}

# functions N: a program of N functions, called one after the other, each so often.
functions() {
	awk -v n="$1" -v calls=$((20 * percent)) 'BEGIN {
		print "#include <stdio.h>\nstatic unsigned data[1024];"
		for (i = 0; i < n; i++)
			printf "static __attribute__((noipa)) unsigned f%d(unsigned x)\n{\n" \
				"\tfor (unsigned k = 0; k < 16; k++) {\n" \
				"\t\tif (x & 1)\n\t\t\tx = 3 * x + %d;\n\t\telse\n\t\t\tx = x / 2 ^ data[(x + k) %% 1024];\n" \
				"\t\tdata[k + %d] += x;\n\t}\n\treturn x;\n}\n", i, i * 7 + 1, i % 1000
		print "static unsigned (*const all[])(unsigned) = {"
		for (i = 0; i < n; i++) print "\tf" i ","
		printf "};\nint main(void)\n{\n\tunsigned sum = 0;\n" \
			"\tfor (unsigned i = 0; i < %d; i++)\n\t\tfor (unsigned call = 0; call < %d; call++)\n" \
			"\t\t\tsum += all[i](call);\n\tprintf(\"%%u\\n\", sum);\n\treturn 0;\n}\n", n, calls
	}'
}

# statements N: one function of N statements with branches and references.
statements() {
	awk -v n="$1" 'BEGIN {
		print "unsigned f(unsigned *a, unsigned x)\n{\n\tunsigned s = 0;\n"
		for (i = 0; i < n; i++)
			printf "\tif (x & a[%d])\n\t\ts += %d * a[s %% 64];\n\telse\n\t\ta[x %% 64] ^= s + %d;\n" \
				"\tx = x * 5 + s;\n", i % 50, i * 3 + 1, i
		print "\treturn s;\n}"
	}'
}

functions_of() {
	command=(./"$1")
	grow functions "$1"
	compile_in_turn growth compile-functions "$1" "$work/source/functions/$1.c" 1
}

grow_functions() {
	local all x
	name=functions package='' stdin=/dev/null
	all=$(points 500 1000 2000 3000 4000)
	mkdir -p "$work/source/functions"
	for x in $all; do functions "$x" >"$work/source/functions/$x.c"; done
	build() { for x in $all; do $CC $CFLAGS -o "$x" "$x.c"; done; }
	both_built
	# shellcheck disable=SC2086
	in_rounds functions_of $all
}

statements_of() {
	compile_in_turn growth assemble-statements "$1" "$work/statements.$1.s" 1
}

# The assembly of one function: gcc's own time for that function grows faster than the function.
grow_statements() {
	local all x
	all=$(points 2000 4000 6000 8000 12000)
	for x in $all; do
		statements "$x" >"$work/statements.c"
		gcc -O1 -g1 -S "$work/statements.c" -o "$work/statements.$x.s"
	done
	# shellcheck disable=SC2086
	in_rounds statements_of $all
}

print_of() {
	print_in_turn growth "$1" 1
}

grow_print() {
	# shellcheck disable=SC2046
	in_rounds print_of $(points 1000 2500 5000 7500 10000)
}

growth() {
	local axis
	for axis in input memory functions threads statements print; do
		say "what grows: $axis"
		"grow_$axis"
	done
}
