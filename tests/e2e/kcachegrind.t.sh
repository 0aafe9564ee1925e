# KCachegrind opens a profile of ours, on a display of its own: it tells each line that it does not
# understand, and its title has the command once the profile is read.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
for tool in kcachegrind Xvfb xwininfo dbus-run-session; do
	if ! command -v "$tool" >/dev/null; then
		skip "KCachegrind" "no $tool"
		finish
	fi
done

export HOME=$T/home XDG_RUNTIME_DIR=$T/runtime QT_QPA_PLATFORM=xcb
mkdir -p "$HOME/.config" "$XDG_RUNTIME_DIR" && chmod 700 "$XDG_RUNTIME_DIR"
printf '[TipOfDay]\nRunOnStart=false\n' >"$HOME/.config/kcachegrindrc"
mkfifo display
Xvfb -displayfd 3 -screen 0 1200x800x24 3>display 2>/dev/null &
server=$!
read -r number <display
export DISPLAY=:$number

# opens PROFILE: KCachegrind has it in its title, and nothing to complain of.
opens() {
	local viewer title= i
	dbus-run-session -- kcachegrind "$1" >log 2>&1 &
	viewer=$!
	for ((i = 0; i < 100 && !${#title}; i++)); do
		sleep 0.3
		title=$(LC_ALL=C.UTF-8 xwininfo -root -tree 2>/dev/null | grep -F "$1 [./traverse" || true)
	done
	sleep 0.3
	kill "$viewer" 2>/dev/null
	wait "$viewer" 2>/dev/null
	echo "$title"
	cat log
	[ "$title" ] && ! grep -E '^(Loading|Error)|Invalid' log
}
cp "$TOP/examples/traverse.c" .
for level in 1 2; do
	check "level $level: profile" bash -c "cacheprof --level$level gcc -O -o traverse traverse.c &&
		CACHEPROF_OPTIONS=quiet=1:out=level$level.out ./traverse"
	check "level $level: KCachegrind opens it" opens level$level.out
done
sed 's/^fn=main/gn=main/' level2.out >broken.out
check "it would tell a line that it does not know" fails opens broken.out
kill "$server"
wait "$server" 2>/dev/null
finish
