// A program to be stepped through: virtual and member functions, templates, lambdas, exceptions.
#include <cstdio>
#include <stdexcept>

// A call that stays one, whatever a compiler finds out about the program.
#define APART __attribute__((noipa))

struct shape {
	virtual ~shape() = default;
	virtual long area() const = 0;
};

struct square : shape {
	long side;

	explicit square(long s) : side(s)
	{
	}
	APART long area() const override
	{
		return side * side;
	}
};

struct counter {
	long *total;

	~counter()
	{
		++*total;
	}
};

template <typename T, int N> struct stack {
	T held[N];
	int used = 0;

	APART void push(T value)
	{
		if (used == N)
			throw std::length_error("full");
		held[used++] = value;
	}
	APART T sum() const
	{
		T total{};

		for (T value : held)
			total += value;
		return total;
	}
};

APART static long filled(stack<long, 4> &s, const shape &from, long *count)
{
	for (int i = 0; i < 6; i++) {
		counter counted{count};

		s.push(from.area() + i);
	}
	return s.sum();
}

int main()
{
	stack<long, 4> s;
	square nine(3);
	long count = 0;
	auto twice = [&count](long by) {
		count += by;
		return count * 2;
	};

	/* Or what gdb prints of it is what was on the stack before. */
	s.held[0] = s.held[1] = s.held[2] = s.held[3] = 0;
	try {
		count += filled(s, nine, &count);
	} catch (const std::exception &e) {
		std::printf("%s %ld\n", e.what(), s.sum());
	}
	std::printf("%ld %ld\n", twice(3), count);
}
