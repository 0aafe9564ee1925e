/* C++: exceptions through frames of ours and of libraries, constructors, coroutines, virtual bases,
 * thread-local vectors, threads. */
#include <coroutine>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>
struct Loud {
	int n;
	Loud(int n) : n(n)
	{
		std::printf("+%d\n", n);
	}
	~Loud()
	{
		std::printf("-%d\n", n);
	}
};
static Loud late(3);
__attribute__((init_priority(200))) static Loud early(1);
__attribute__((constructor)) static void c_constructor()
{
	std::printf("constructor\n");
}
__attribute__((destructor)) static void c_destructor()
{
	std::printf("destructor\n");
}
struct Generator {
	struct promise_type {
		int value;
		Generator get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend()
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			throw;
		}
	};
	std::coroutine_handle<promise_type> h;
	~Generator()
	{
		h.destroy();
	}
};
static Generator squares(int n)
{
	Loud guard(50);
	for (int i = 0; i < n; i++)
		co_yield i *i;
	throw std::runtime_error("no more");
}
struct Base {
	virtual ~Base()
	{
	}
	virtual int f(int) = 0;
};
struct One : Base {
	int f(int x) override
	{
		return x + 1;
	}
};
struct Two : virtual Base {
	std::string s = "two";
	int f(int x) override
	{
		return x * (int)s.size();
	}
};
struct Three : One, Two {
	int f(int x) override
	{
		return One::f(x) + Two::f(x);
	}
};
static int deep(int n)
{
	Loud l(100 + n);
	if (n == 3)
		throw std::out_of_range("deep");
	return deep(n + 1) + l.n;
}
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	if (x == 7 && y != 7)
		throw x;
	return x - y;
}
thread_local std::vector<int> mine;
int main(int argc, char **)
{
	try {
		deep(0);
	} catch (const std::logic_error &e) {
		std::printf("%s %s\n", e.what(), typeid(e).name());
	}
	int v[] = {5, 7, 1, 9, 3};
	try {
		std::qsort(v, 5, sizeof *v, compare);
	} catch (int x) {
		std::printf("caught %d\n", x);
	}
	try {
		auto g = squares(4);
		for (;;) {
			g.h.resume();
			std::printf("%d\n", g.h.promise().value);
		}
	} catch (std::exception &e) {
		std::printf("%s\n", e.what());
	}
	std::vector<std::unique_ptr<Base>> all;
	all.emplace_back(new One);
	all.emplace_back(new Two);
	for (auto &b : all)
		std::printf("%d %d\n", b->f(argc + 4), dynamic_cast<Two *>(b.get()) != nullptr);
	Three t;
	std::printf("%d\n", t.f(2));
	std::map<std::string, int> m;
	for (int i = 0; i < 200; i++)
		m["k" + std::to_string(i % 37)] += i;
	int s = 0;
	for (auto &[k, x] : m)
		s = s * 31 + x + (int)k.size();
	std::function<int(int)> f = [&](int x) { return x ? f(x - 1) + s % 7 : 0; };
	std::printf("%d %d\n", s, f(20));
	std::vector<std::thread> ts;
	int sums[4];
	for (int i = 0; i < 4; i++)
		ts.emplace_back([i, &sums] {
			for (int k = 0; k < 1000; k++)
				mine.push_back(k ^ i);
			int x = 0;
			for (int k : mine)
				x += k;
			sums[i] = x;
			try {
				throw i;
			} catch (int k) {
				sums[i] += k;
			}
		});
	for (auto &t : ts)
		t.join();
	for (int x : sums)
		std::printf("%d\n", x);
	try {
		try {
			throw 1;
		} catch (...) {
			throw;
		}
	} catch (int) {
		std::printf("again\n");
	}
	return 4;
}
