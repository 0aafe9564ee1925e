// Exceptions through instrumented frames: out of a callback that libc calls, from a signal handler at an
// instruction that traps (-fnon-call-exceptions), rethrown, past destructors.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static int destroyed;

struct guard {
	std::string held = "something that does not fit into the string itself";
	~guard() { destroyed += held.size() > 20; }
};

static int numbers[64];

static int compare(const void *a, const void *b)
{
	guard g;
	int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);

	if (x == 13 || y == 13)
		throw std::runtime_error("unlucky " + std::to_string(x + y - 13 > 0));
	return x < y ? -1 : x > y;
}

static __attribute__((noinline)) int sorted(int n)
{
	guard g;

	std::qsort(numbers, n, sizeof *numbers, compare);
	return numbers[0];
}

static __attribute__((noinline)) int deep(int n)
{
	guard g;

	try {
		return n ? deep(n - 1) + numbers[n] : sorted(64);
	} catch (const std::exception &) {
		if (n == 5)
			throw;
		throw std::logic_error("level " + std::to_string(n));
	}
}

static void on_fault(int)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_UNBLOCK, &set, nullptr);
	throw 42;
}

static __attribute__((noinline)) int trapped(const int *p)
{
	guard g;

	try {
		return *p + numbers[1];
	} catch (int caught) {
		return caught;
	}
}

int main()
{
	for (int i = 0; i < 64; i++)
		numbers[i] = 64 - i;
	std::signal(SIGSEGV, on_fault);
	for (int round = 0; round < 3; round++) {
		try {
			std::printf("%d\n", deep(8));
		} catch (const std::exception &e) {
			std::printf("%s, %d destroyed\n", e.what(), destroyed);
		}
		std::printf("%d", trapped(nullptr));
		std::printf(" %d, %d destroyed\n", trapped(numbers), destroyed);
	}
}
