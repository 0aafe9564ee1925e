// D: exceptions with destructors and scope guards, ranges, closures, module constructors.
import core.stdc.stdio, std.algorithm, std.array, std.conv, std.exception, std.range;
class Oops : Exception { this(string s) { super(s); } }
struct Guard { int n; ~this() { printf("~%d\n", n); } }
int deep(int n) { auto g = Guard(n); scope(failure) printf("failed %d\n", n); if (n == 2) throw new Oops("bottom"); return deep(n + 1) + 1; }
shared static this() { printf("static this\n"); }
shared static ~this() { printf("static ~this\n"); }
int main(string[] args)
{
	try deep(0); catch (Oops e) printf("%.*s\n", cast(int)e.msg.length, e.msg.ptr);
	auto a = iota(1000).map!(x => x * 7 % 101).filter!(x => x & 1).array;
	sort(a);
	printf("%d %d\n", cast(int)a.length, a[$ / 2]);
	int[string] t; foreach (i; 0 .. 300) t[to!string(i % 17)] += i;
	int s; foreach (k; t.keys.sort) s = s * 31 + t[k];
	printf("%d\n", s);
	int delegate(int) f; int c = 3; f = (int x) => x ? f(x - 1) + c : 0;
	printf("%d\n", f(30));
	try { int[] z = new int[3]; int k = cast(int)args.length + 5; z[k] = 1; } catch (Throwable e) printf("range\n");
	return 5;
}
