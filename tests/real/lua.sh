# lua: scripts that use all of the language and its libraries; with LUA_TESTS=DIRECTORY, Lua's own
# test suite (lua-5.4.4-tests.tar.gz of www.lua.org; Debian's package does not have it) as well.
# Hashes are made repeatable: Lua takes their seed from the clock and hashes addresses.
package=lua5.4
ran="scripts of ours"
scripts=$here/lua

prepare() {
	sed -i 's/^#define point2uint(p).*/#define point2uint(p) ((unsigned)(0 * (size_t)(p)))/' \
		src/llimits.h
}

build() {
	make -s -C src CC="$CC -std=gnu99" CFLAGS='-Wall $(MYCFLAGS)' MYLIBS="-Wl,-E -ldl" \
		MYCFLAGS="$CFLAGS -DLUA_USE_LINUX '-Dluai_makeseed(L)=1u'" lua
}

exercise() {
	local script rounds=1
	if [ "$size" = large ]; then rounds=8; fi
	for script in "$scripts"/*.lua; do
		echo "== ${script##*/}"
		src/lua "$script" $rounds || return 1
	done
	if [ "$size" = large ] && [ "${LUA_TESTS:-}" ]; then
		(lua=$PWD/src/lua && cd "$LUA_TESTS" && "$lua" -e '_U=true' all.lua |
			grep 'final OK') || return 1
	fi
}

oracle() {
	local script
	for script in "$scripts"/*.lua; do equal src/lua "$script" 1 || return 1; done
}
