# Parts of cacheprof that only stand in, so that the driver is tested alone; source it after tap.sh.
# $PARTS is a --cacheprofdir whose assembler appends "AS=... ANN=... ARGUMENTS" to $LOG, runs the real one and adds the
# section by which the driver knows our objects, and whose runtime is an object with the symbol standin_runtime.
PARTS=$T/parts
LOG=$T/log
export PARTS LOG CACHEPROFDIR=$PARTS
mkdir -p "$PARTS/libexec/cacheprof" "$PARTS/lib/cacheprof"
cat >"$PARTS/libexec/cacheprof/instead-of-as" <<'AS'
#!/usr/bin/env bash
echo "AS=$CACHEPROF_AS ANN=$CACHEPROF_ANN $*" >>"$LOG"
for ((i = 1; i < $#; i++)); do
	if [ "${!i}" = -o ]; then i=$((i + 1)) out=${!i}; fi
done
case " $CACHEPROF_ANN " in
*" annotate "*)
	{ echo "# annotated"; cat "${!#}"; } >"$out"
	exit
	;;
esac
"$CACHEPROF_AS" "$@" || exit
if [ -f "${out:-}" ]; then objcopy --add-section cacheprof_chunks=/dev/null "$out"; fi
AS
chmod +x "$PARTS/libexec/cacheprof/instead-of-as"
echo 'int standin_runtime;' | gcc -x c -c - -o "$PARTS/lib/cacheprof/cacheprof.o"
cp "$PARTS/lib/cacheprof/cacheprof.o" "$PARTS/lib/cacheprof/cacheprof_shared.o"
ar rc "$PARTS/lib/cacheprof/ends.a"
for part in show selfcheck trace; do
	echo "int standin_$part;" | gcc -x c -c - -o "$PARTS/lib/cacheprof/$part.o"
done

mkdir work
cd work || exit 1
echo 'int f(int x) { return x + 1; } int main(void) { return f(-1); }' >foo.c
echo 'int bar(int x) { return x + 2; }' >bar.c

# said WORD...: the annotator was told each WORD since the last look.
said() {
	local word status=0
	for word; do grep -qE "ANN=([^ ]+ )*$word( |\$)" "$LOG" || status=1; done
	rm -f "$LOG"
	return $status
}

# assembled N: our assembler ran N times since the last look.
assembled() {
	local n
	n=$(cat "$LOG" 2>/dev/null | wc -l)
	rm -f "$LOG"
	[ "$n" -eq "$1" ] || { echo "assembled $n times, not $1"; return 1; }
}

# has_runtime FILE
has_runtime() {
	nm "$1" | grep -q ' standin_runtime$'
}

# has_lines FILE: it has a line table.
has_lines() {
	readelf -SW "$1" | grep -q '\.debug_line'
}

# quiet COMMAND...: it succeeds without a word. Starts $LOG anew.
quiet() {
	local words
	rm -f "$LOG"
	words=$("$@" 2>&1) && [ -z "$words" ] || { echo "$words"; return 1; }
}

# status N COMMAND...: it ends with that status.
status() {
	local wanted=$1 got
	shift
	"$@"
	got=$?
	[ "$got" -eq "$wanted" ] || { echo "status $got, not $wanted"; return 1; }
}

# complains PATTERN COMMAND...: it fails and its standard error has the pattern.
complains() {
	local pattern=$1 words
	shift
	if words=$("$@" 2>&1 >/dev/null); then return 1; fi
	grep -qE -e "$pattern" <<<"$words" || { echo "$words"; return 1; }
}

# prints PATTERN COMMAND...: it succeeds and its standard output has the pattern.
prints() {
	local pattern=$1 words
	shift
	words=$("$@") || return 1
	grep -qE -e "$pattern" <<<"$words" || { echo "$words"; return 1; }
}
