# gdb on an instrumented program shows what it shows on the native one: the lines that it stops at,
# the frames, the values.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
here=$TOP/tests/e2e/gdb

# Steps to the end. Functions without lines, libc's too, are stepped over.
stepping() {
	printf '%s\n' "break main" run "while 1" "$1" end
}

# Stops in functions, looks around, goes on; until the end.
breaking() {
	printf 'break %s\n' "$@"
	printf '%s\n' run bt "info args" finish next "while 1" continue bt "info args" up "info locals" \
		down finish end
}

# session PROGRAM <COMMANDS: without what differs by nature: addresses
session() {
	{
		printf 'set %s\n' "pagination off" "confirm off" "width 0" \
			"debug-file-directory $T/none" "startup-with-shell off"
		cat
	} >commands
	timeout -k 1 60 gdb -nx -q -batch -x commands "$1" 2>&1 |
		sed -E 's/(reakpoint [0-9]+) at 0x[0-9a-f]+/\1/; s/0x[0-9a-f]{7,}/ADDRESS/g; s/process [0-9]+//'
}

# alike LINES COMMAND...: native and instrumented program in one session; at least so many lines.
alike() {
	"${@:2}" >script
	cp native program && session ./program <script >native.log
	cp ours program && session ./program <script >ours.log
	diff native.log ours.log && [ "$(wc -l <ours.log)" -ge "$1" ]
}

build() {
	"${@:1}" -o native && cacheprof "${@:1}" -o ours
}

for flags in "-O0 -g" "-O2 -g"; do
	check "C, $flags: builds" build gcc $flags "$here/stepped.c"
	for how in step next until; do check "... $how" alike 15 stepping $how; done
	check "... break, bt, finish" alike 60 breaking push recursive compare average choose mix
	check "C++, $flags: builds" build g++ $flags "$here/stepped.cc"
	for how in step next; do check "... $how" alike 15 stepping $how; done
	check "... break, bt, finish" alike 30 breaking square::area filled counter::~counter __cxa_throw
done

# From the runtime, the user's frames: what it was called by, with their values. In so small a cache
# every check goes there.
frames() {
	build gcc -O0 -g "$here/stepped.c" || return 1
	printf '%s\n' "break recursive if n == 1" run "break cacheprof_check_all" continue bt >script
	CACHEPROF_OPTIONS=quiet=1:D1=512,1,64 session ./ours <script >log
	cat log
	sed -En 's/^#0 .* in (cacheprof_check_all) .*/\1/p; s/^#[0-9]+ .*(recursive \(n=.\)|main) .*/\1/p' \
		log >frames
	printf '%s\n' cacheprof_check_all "recursive (n=1)" "recursive (n=2)" "recursive (n=3)" \
		main | diff - frames
}
check "the runtime's callers" frames

# A breakpoint is where a routine of the runtime returns to: nothing depends on the instruction that it hides.
finishes() {
	build gcc -O0 -g "$here/stepped.c" || return 1
	export CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:out=profile
	echo run >script && session ./ours <script >log && mv profile alone || return 1
	printf '%s\n' "break *cacheprof_fetch" run "set \$n = 0" "while \$n++ < 8" finish continue end delete continue >script
	session ./ours <script >log
	cat log
	[ "$(grep -c 'in cacheprof_slow' log)" -eq 8 ] && grep -q 'in cacheprof_slow_stepping ' log &&
		grep -q 'exited normally' log && diff alone profile
}
check "finish from the runtime" finishes
finish
