# lua runs what its real test runs: tables, strings, closures, small programs.
. "$real/lua.sh"
command=(src/lua -e "arg = {$((percent * 2 / 100 + 1))}
	for _, name in ipairs {'language', 'libraries', 'programs'} do dofile('$scripts/' .. name .. '.lua') end")
