# cacheprof.o as a guest: what it shows to the program that it is linked into, and what it needs.
. "$(dirname "$0")/../tap.sh"
object=$BUILD/lib/cacheprof/cacheprof.o

# A make of its own, whatever the one that runs the tests was told.
make_runtime() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CACHE \
		make --no-print-directory -C "$TOP" BUILD="$T/build" "$@"
}

# nothing COMMAND...: the command prints nothing, and ends well or finds nothing (1, as grep says it).
nothing() {
	local out status=0
	out=$("$@") || status=$?
	echo "$out"
	[ -z "$out" ] && [ "$status" -le 1 ]
}

# exported: what a program shows of the runtime to its shared objects
exported() {
	echo 'int main(void) { return 0; }' >main.c
	gcc -rdynamic main.c "$object" -o program 2>&1 &&
		nm -D --defined-only program | grep cache
}

# needed: what the linker does not make and no other part of the runtime may bring
needed() {
	nm -u "$object" | grep -Ev ' (_GLOBAL_OFFSET_TABLE_|__(start|stop)_cacheprof_(chunks|data))$'
}

# vectors: instructions of compiled code that use a vector register
vectors() {
	for source in "$TOP"/runtime/*.c; do
		objdump -d --no-show-raw-insn "$BUILD/runtime/$(basename "$source" .c).o"
	done | grep -E '%[xyz]mm|%k[0-7]|%st'
}

# built: what is looked at below is there, and those that look at it see something
built() {
	for source in "$TOP"/runtime/*.c; do
		objdump -f "$BUILD/runtime/$(basename "$source" .c).o" | grep -q 'format elf64' || { echo "$source"; return 1; }
	done
	objdump -d "$object" | grep -qw ret && nm -u "$object" | grep -q _GLOBAL_OFFSET_TABLE_ &&
		nm --defined-only --extern-only "$object" | grep -q ' cacheprof_' &&
		readelf -SW "$object" | grep -q text && gcc -rdynamic -xc - -o shows <<<'int main(void) { return 0; }' &&
		nm -D --defined-only shows | grep -qw main
}

check "is there" built
check "needs nothing" nothing needed
check "defines only cacheprof_ names" \
	nothing sh -c "nm --defined-only --extern-only '$object' | grep -v ' cacheprof_'"
check "exports nothing" nothing exported
check "has no debug information" nothing sh -c "readelf -SW '$object' | grep debug"
# The program's code lies where it would without it.
aligned() {
	local part
	for part in "$BUILD"/lib/cacheprof/*.o; do
		[ "$(readelf -SW "$part" | sed -n 's/.* \.text  *PROGBITS .* //p')" -eq 16 ] || { echo "$part"; return 1; }
	done
}
check "its code is aligned as that of the start files" aligned
check "needs no executable stack" \
	sh -c "readelf -SW '$object' | grep 'note.GNU-stack  *PROGBITS.* 00  *0'"
check "can be unwound through" sh -c "readelf -SW '$object' | grep -w eh_frame"
check "uses no vector registers" nothing vectors

check "builds" make_runtime runtime
cp "$T/build/lib/cacheprof/cacheprof.o" default.o
check "is built only once" nothing make_runtime runtime
check "CACHE= makes another one" make_runtime runtime CACHE="32768 32 2"
check "which differs" fails cmp -s default.o "$T/build/lib/cacheprof/cacheprof.o"
check "is built only once with CACHE=" nothing make_runtime runtime CACHE="32768 32 2"
check "a cache that is none is refused" fails make_runtime runtime CACHE="3000 32 2"
check "the default comes back" make_runtime runtime
check "as it was" cmp default.o "$T/build/lib/cacheprof/cacheprof.o"
check "cleancache removes it" make_runtime cleancache
check "really" fails test -e "$T/build/lib/cacheprof/cacheprof.o"
check "cachesim makes it" make_runtime cachesim
check "as it was, again" cmp default.o "$T/build/lib/cacheprof/cacheprof.o"
finish
