# redis: a part of its own tests: threads, children that save, Lua inside, jemalloc, modules that are shared
# objects. The servers of these tests are nobody's children, so the seconds are those of a session of ours,
# which the self-check sees, too.
package=redis
ran="a part of its tests and of those of modules, redis-benchmark"
flags=(-O2 "-O3 -march=native")
needs=tclsh
clang=

units="unit/type/string unit/type/hash unit/type/zset unit/scripting unit/functions unit/multi unit/sort
	unit/introspection unit/networking integration/aof integration/rdb integration/redis-benchmark"
modules="basics fork hooks blockedclient blockonbackground usercall datatype defrag"

# Their makefiles set CC where they are not told otherwise.
build() {
	make -s -j2 CC="$CC" OPTIMIZATION= DEBUG="$CFLAGS" MALLOC=jemalloc &&
		case $CC in
		*--self-check*) ;;
		*) make -s -C tests/modules CC="$CC" LD="$CC" ;;
		esac
}

# tests: a line for each, without its time.
tests() {
	local name
	./runtest --clients 2 $(printf -- '--single %s ' $units; printf -- '--single unit/moduleapi/%s ' $modules) \
		>test.log 2>&1
	sed 's/\x1b\[[0-9;]*m//g' test.log | sed -nE 's/ \([0-9]+ ms\)$//
		s/^\[ok\]: /PASS: /p; s/^\[(err|exception|timeout)\]: /FAIL: /p; s/^\[(skip|ignore)\]: /SKIP: /p' | sort
}

ask() {
	src/redis-cli -s redis.socket "$@"
}

# session REQUESTS: a server, which saves, and is asked for what it holds.
session() {
	local server
	rm -rf redis.socket session && mkdir session
	src/redis-server --port 0 --unixsocket "$PWD/redis.socket" --dir session >session.log &
	server=$!
	until ask ping >/dev/null 2>&1; do kill -0 $server && sleep 0.2 || return 1; done
	src/redis-benchmark -s redis.socket -n "$1" -c 5 --threads 2 --csv \
		-t set,get,incr,lpush,sadd,hset,zadd,lrange_100,mset | cut -d, -f1
	ask eval 'for i = 1, ARGV[1] do redis.call("zadd", "z", i * 7 % 101, "m" .. i) end
		return redis.call("zrange", "z", 0, 20, "withscores")' 0 "$1"
	ask eval 'return cjson.encode({1, "two", {three = cmsgpack.unpack(cmsgpack.pack(3.5))}})' 0
	ask save && ask get key:__rand_int__ && ask llen mylist
	ask sort z by nosort limit 0 5 alpha && ask shutdown nosave
	wait $server
	echo "status $?"
}

exercise() {
	if [ "$size" = large ]; then tests && session 20000; else session 50; fi
}

tally() {
	passed "$1"
}
