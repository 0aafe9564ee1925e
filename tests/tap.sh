# TAP for shell tests: source it, call ok/not_ok through `check NAME COMMAND...`, end with `finish`.
# A private directory $T is made, entered and removed. $TOP is the project, $BUILD the build tree.
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH="$BUILD/bin:$PATH"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
tap_n=0 tap_failed=0

# check NAME COMMAND...: passes when the command does; its output is shown when it fails.
check() {
	local name=$1
	shift
	tap_n=$((tap_n + 1))
	if "$@" >"$T/.tap" 2>&1; then
		echo "ok $tap_n - $name"
	else
		echo "not ok $tap_n - $name"
		echo "# $*"
		head -n 30 "$T/.tap" | sed 's/^/# /'
		tap_failed=$((tap_failed + 1))
	fi
}

# skip NAME REASON
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

# fails COMMAND...: turns a command's failure into success, if it is one of its own: not that it is not there, or died
# of a signal, or that grep and cmp had nothing to look at.
fails() {
	local status=0
	"$@" || status=$?
	case $1 in
	grep | cmp) [ "$status" -eq 1 ] ;;
	*) [ "$status" -gt 0 ] && [ "$status" -lt 126 ] ;;
	esac
}

# silently COMMAND...: nothing is said.
silently() {
	"$@" >said 2>&1 && [ ! -s said ] || { cat said; false; }
}

# ended_behind FUNCTION COMMAND...: the command, which gets SIGTERM as it comes back from the function.
ended_behind() {
	printf '%s\n' "set breakpoint pending on" "set startup-with-shell off" "handle SIGTERM nostop noprint pass" \
		"break $1" run finish "signal SIGTERM" >script
	gdb -nx -q -batch -x script --args "${@:2}" >ended 2>&1
	cat ended
	grep -q 'terminated with signal SIGTERM' ended
}

# processor_has FLAG...: as /proc/cpuinfo names them.
processor_has() {
	local flag
	for flag; do grep -qw "$flag" /proc/cpuinfo || return 1; done
}

# totals_of PROFILE EVENT...: of the whole program.
totals_of() {
	awk -v events="${*:2}" '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
		/^summary:/ { n = split(events, e); for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), $at[e[i]]; print "" }' "$1"
}

# sums_of PROFILE FUNCTION EVENT...: of the function's lines.
sums_of() {
	awk -v name="fn=$2" -v events="${*:3}" '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i; n = split(events, e) }
		/^fn=/ { here = $0 == name }
		/^[0-9]/ && here { for (i = 1; i <= n; i++) sum[i] += $at[e[i]] }
		END { for (i = 1; i <= n; i++) printf "%s%.0f", (i > 1 ? " " : ""), sum[i]; print "" }' "$1"
}

# by_function PROFILE: a line for each function with its events, for files whose lines differ.
by_function() {
	awk '/^fn=/ { fn = $0 } /^[0-9]/ { for (i = 2; i <= NF; i++) sum[fn, i] += $i; fns[fn] }
		END { for (fn in fns) { printf "%s", fn; for (i = 2; i <= 14; i++) printf " %d", sum[fn, i]; print "" } }' "$1" | sort
}

finish() {
	echo "1..$tap_n"
	[ "$tap_failed" -eq 0 ]
	exit
}
