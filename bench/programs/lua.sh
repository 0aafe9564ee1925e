# lua runs small programs: n-body, queens, fannkuch, matrices, a calculator. (language.lua of the real test
# spends half its time in libc and the kernel, which are not counted.)
. "$real/lua.sh"
command=(src/lua "$scripts/programs.lua" $((6 * percent)))
