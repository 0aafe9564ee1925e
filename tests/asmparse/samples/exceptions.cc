// Exceptions, templates, virtual calls, thread-local and static initialisation.
#include <map>
#include <stdexcept>
#include <string>

struct shape {
	virtual double area() const = 0;
	virtual ~shape() = default;
};

struct square : shape {
	double side;
	explicit square(double s) : side(s) { if (s < 0) throw std::invalid_argument("side;#"); }
	double area() const override { return side * side; }
};

thread_local std::string last = "none";

template <class T> T total(const std::map<std::string, T> &m)
{
	T sum{};
	for (const auto &[k, v] : m) {
		last = k;
		sum += v;
	}
	return sum;
}

double caf\u00e9(double x)
{
	try {
		square s(x);
		return s.area() + total(std::map<std::string, double>{{"a", x}});
	} catch (const std::exception &e) {
		return e.what()[0];
	} catch (...) {
		throw;
	}
}
