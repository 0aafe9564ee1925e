// D: the collector moves nothing but must find every pointer, in registers and on the stacks of threads.
import core.memory, core.thread, std.stdio, std.algorithm, std.array, std.conv, std.range;

class Node { Node left, right; int value; this(int v) { value = v; } }
Node build(int depth) { auto n = new Node(depth); if (depth) { n.left = build(depth - 1); n.right = build(depth - 1); } return n; }
int sum(Node n) { return n is null ? 0 : n.value + sum(n.left) + sum(n.right); }
shared int total;

void work(int id)
{
	import core.atomic;
	int mine;
	foreach (i; 0 .. 20) {
		auto tree = build(8);
		if (i % 5 == 0) GC.collect();
		mine += sum(tree);
		string s = iota(id, id + 10).map!(x => x.to!string).join(",");
		mine += cast(int)s.length;
	}
	atomicOp!"+="(total, mine);
}

void main()
{
	Thread[] threads;
	foreach (id; 0 .. 4) { threads ~= (int k) { return new Thread({ work(k); }); }(id); threads[$ - 1].start(); }
	foreach (t; threads) t.join();
	writeln(total);
	int[string] count;
	foreach (word; "a b c a b a".split) count[word]++;
	writeln(count["a"], count["b"], count["c"]);
	auto fiber = new Fiber({ foreach (i; 0 .. 3) { writeln("fiber ", i); Fiber.yield(); } });
	while (fiber.state != Fiber.State.TERM) fiber.call();
	try { throw new Exception("x"); } catch (Exception e) { writeln(e.msg); } finally { writeln("finally"); }
}
