// Names of C++, constructors and destructors that are one function by two names, virtual calls, exceptions.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
	virtual ~shape() {}
	virtual long area() const = 0;
};

struct square : shape {
	long side;
	explicit square(long side) : side(side) {}
	long area() const override { return side * side; }
};

struct named : square {
	std::string name;
	explicit named(long side) : square(side), name(std::to_string(side)) {}
	long area() const override
	{
		if (side % 100 == 7)
			throw std::out_of_range(name);
		return square::area() + static_cast<long>(name.size());
	}
};

int main()
{
	std::vector<std::unique_ptr<shape>> shapes;
	long sum = 0;

	for (int i = 0; i < 1000; i++) {
		if (i % 2)
			shapes.emplace_back(new named(i));
		else
			shapes.emplace_back(new square(i));
	}
	for (const auto &s : shapes) {
		try {
			sum += s->area();
		} catch (const std::out_of_range &) {
			sum--;
		}
	}
	printf("%ld\n", sum);
}
