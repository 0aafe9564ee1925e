# lua5.1: Lua's own test suite. Of Debian's source packages gopher-lua has one, that of Lua 5.1 (of Lua 5.4's
# none; lua.sh runs that where it is told of one).
package=lua5.1
ran="its own test suite"
suite=golang-github-yuin-gopher-lua

# What gopher-lua made of it, and what holds only where long has 32 bits: a syntax of Lua 5.2, negative
# numbers in other bases, strings of 4 GB.
prepare() {
	mkdir suite && "$here/fetch" "$suite" "$sources" &&
		tar -xf "$sources/${suite}_"*.orig.tar.* -C suite --strip-components=2 --wildcards '*/_lua5.1-tests' &&
		sed -i 's/ do; / do /' suite/pm.lua &&
		sed -i "/tonumber('[^']*-[^']*', [0-9]*)/d" suite/math.lua &&
		sed -i '/^local longs/,/"overflow"/d' suite/big.lua
}

build() {
	make -s -C src CC="$CC -std=gnu99" CFLAGS='-Wall $(MYCFLAGS)' MYLIBS="-Wl,-E -ldl" \
		MYCFLAGS="$CFLAGS -DLUA_USE_POSIX -DLUA_USE_DLOPEN" lua
}

# What the self-check, a thousand times as slow, can run in seconds.
quick="calls closure db events literals locals math nextvar pm strings vararg"

# Compared without names of temporary files, times and the amount of memory.
exercise() {
	local name
	export LUA_PATH='./?.lua;;' LUA_INIT="package.path = '?;' .. package.path"
	cd suite || return 1
	if [ "$size" = medium ]; then
		for name in $quick; do ../src/lua "$name.lua" || return 1; done
	else
		../src/lua all.lua
	fi >said && sed -E '/^.tmp.lua_/d; /^(test done on|total time)/d; / total memory:/d; s/ in [0-9.]+ sec//' said
}

tally() {
	grep -qx 'final OK !!!' "$1" && echo "final OK, $(grep -cx OK "$1") parts OK"
}
