# The sources keep to what tools/lint looks at, and it would say if they did not.
. "$(dirname "$0")/../tap.sh"

check "includes and lines are as HACKING.md says" "$TOP/tools/lint"

# A tree of empty rooms.
mkdir -p tree && cd tree && mkdir asmparse cachegen cacheprint common driver include instrument runtime && cd .. || exit 1
for room in asmparse cachegen cacheprint common driver include instrument runtime; do
	echo '#include "include/site.h"' >tree/$room/x.c
done
check "what a room may include" silently "$TOP/tools/lint" tree

# says FILE TEXT WORDS: of such a file the words are said, and the status is not 0.
says() {
	local status=0
	printf '%s\n' "$2" >>"tree/$1" || return 1
	"$TOP/tools/lint" tree >out 2>&1 || status=$?
	rm "tree/$1"
	cat out
	[ "$status" -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && grep -qF "$3" out
}
check "the runtime includes none of the tools' headers" \
	says runtime/y.c '#include "common/mem.h"' 'runtime/y.c:1:#include "common/mem.h"'
check "nor does cacheprint any of the runtime's" \
	says cacheprint/y.h '#include "runtime/runtime.h"' 'cacheprint/y.h:1:#include "runtime/runtime.h"'
check "nor the parser any of who uses it" \
	says asmparse/y.y '#include "instrument/unit.h"' 'asmparse/y.y:1:#include "instrument/unit.h"'
check "120 columns" says common/y.c "$(printf '\t%0113d' 0)" "common/y.c:1: 121 columns"
finish
