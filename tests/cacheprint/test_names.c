/* Names: demangled, substituted, shortened. */
#include "cacheprint/names.h"
#include "tests/cacheprint/suite.h"

#include <string.h>

static const char *function(const struct naming *n, const char *name, const char *file)
{
	struct text t = naming_function(n, (struct text){name, strlen(name)},
	                                (struct text){file, strlen(file)});

	return arena_string(t.at, t.len);
}

START_TEST(demangles)
{
	static const struct {
		const char *symbol, *file, *name;
	} names[] = {
	    {"main", "a.c", "main"},
	    {"_start", "a.S", "_start"},
	    {"_Z", "a.cc", "_Z"},
	    {"_ZN3foo3barEi", "a.cc", "foo::bar(int)"},
	    {"_ZN3foo3barEi.part.0", "a.cc", "foo::bar(int) [clone .part.0]"},
	    {"_ZN1AC1Ev", "a.cc", "A::A()"},
	    {"_ZN1AC2Ev", "a.cc", "A::A()"},
	    {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "a.rs", "core::fmt::Formatter::pad"},
	    {"_D1a3fooFiZi", "a.d", "a.foo(int)"},
	    {"pack__proc__2", "pack.adb", "pack.proc"},
	    {"pack__proc__2", "pack.c", "pack__proc__2"},
	    {"", "a.c", ""},
	};
	struct naming on = {.demangle = true}, off = {0};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ck_assert_str_eq(function(&on, names[i].symbol, names[i].file), names[i].name);
		ck_assert_str_eq(function(&off, names[i].symbol, names[i].file), names[i].symbol);
	}
}
END_TEST

START_TEST(substitutes)
{
	static const struct {
		const char *expression, *name, *result;
	} cases[] = {
	    {"s/version[0-9]/versionN/", "/p/version1/a.c", "/p/versionN/a.c"},
	    {"s/a/b/", "aaa", "baa"},
	    {"s/a/b/g", "aaa", "bbb"},
	    {"s/A/b/gi", "aaa", "bbb"},
	    {"s#/home/[^/]*/#/#", "/home/me/a.c", "/a.c"},
	    {"s/\\/x\\//\\/y\\//", "/x/a.c", "/y/a.c"},
	    {"s/(\\w+)-(\\w+)/$2-$1/", "one-two", "two-one"},
	    {"s/(\\w+)-(\\w+)/\\2-\\1/", "one-two", "two-one"},
	    {"s/b/[$&]/", "abc", "a[b]c"},
	    {"s/b/\\$1/", "abc", "a$1c"},
	    {"s/b(x)?/[$1]/", "abc", "a[]c"},
	    {"s/x//", "abc", "abc"},
	    {"s/abc//", "abc", ""},
	    {"s/^/a very long beginning, long enough to need another buffer/", "x",
	     "a very long beginning, long enough to need another bufferx"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct naming n = {0};

		ck_assert_ptr_null(naming_substitute(&n.functions, cases[i].expression));
		ck_assert_str_eq(function(&n, cases[i].name, ""), cases[i].result);
	}
}
END_TEST

START_TEST(refuses_bad_expressions)
{
	static const char *const cases[][2] = {
	    {"", "an expression like s/old/new/ is needed"},
	    {"s", "an expression like s/old/new/ is needed"},
	    {"x/a/b/", "an expression like s/old/new/ is needed"},
	    {"sabcba", "an expression like s/old/new/ is needed"},
	    {"s/a/b", "a delimiter is missing: s/old/new/"},
	    {"s/a\\/b/", "a delimiter is missing: s/old/new/"},
	    {"s/a/b/e", "only the flags g, i, m, s and x are known"},
	    {"s/(/b/", "missing closing parenthesis at character 2 of '('"},
	};
	substitution_list list = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_str_eq(naming_substitute(&list, cases[i][0]), cases[i][1]);
	ck_assert_uint_eq(list.n, 0);
}
END_TEST

START_TEST(shortens)
{
	ck_assert_str_eq(names_shorten("short", 5), "short");
	ck_assert_str_eq(names_shorten("0123456789", 9), "012...789");
	ck_assert_str_eq(names_shorten("0123456789", 8), "012...89");
	ck_assert_str_eq(names_shorten("0123456789", 3), "0123456789");
	ck_assert_str_eq(names_shorten("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc", 5),
	                 "\xc3\xa4...\xc3\xbc");
	ck_assert_str_eq(names_shorten("0123456789", SIZE_MAX), "0123456789");
}
END_TEST

START_TEST(fits)
{
	static const struct {
		const char *name;
		size_t width;
		const char *expected;
	} cases[] = {
	    {"a::b<int>::c(int)", 17, "a::b<int>::c(int)"},
	    {"a::b<int, a::b<char> >::c(int, long)", 30, "a::b<...>::c(int, long)"},
	    {"a::b<int, a::b<char> >::c(std::map<int, int> const&)", 40, "a::b<...>::c(std::map<...> const&)"},
	    {"a::b<int, a::b<char> >::c(int, long, unsigned long) const", 30, "a::b<...>::c(...) const"},
	    {"bool operator< <int, char>(a<int> const&, long)", 42, "bool operator< <...>(a<...> const&, long)"},
	    {"a::operator->(b<unsigned long, char>)", 30, "a::operator->(b<...>)"},
	    {"a::operator()(b<unsigned long, char>) const", 30, "a::operator()(b<...>) const"},
	    {"cooperator<unsigned long>::f(int)", 25, "cooperator<...>::f(int)"},
	    {"(anonymous namespace)::f(unsigned long, unsigned long)", 40, "(anonymous namespace)::f(...)"},
	    {"f(unsigned long, char)::{lambda(int)#1}::operator()() const", 50,
	     "f(...)::{lambda(...)#1}::operator()() const"},
	    {"a<(1>0), &b::operator->, 3>::f(unsigned, long, char)", 20, "a<...>::f(...)"},
	    {"void a<int, long, char>::f(int) [clone .part.0]", 40, "void a<...>::f(int) [clone .part.0]"},
	    {"<alloc::vec::Vec<u8, Global> as core::ops::Drop>::drop", 50,
	     "<alloc::vec::Vec<...> as core::ops::Drop>::drop"},
	    {"a < b and that is no name of a function", 20, "a < b and...function"},
	    {"g<long, long, long>(int) inlined into a<int, long>::f(char)", 50,
	     "g<...>(int) inlined into a<int, long>::f(char)"},
	    {"std::pair<int, int> a::b<int, char>::c<long>(unsigned, long)", 25, "a::b<...>::c<...>(...)"},
	    {"bool (anonymous namespace)::operator== <a<int>, b<long> >(int, long)", 46,
	     "(anonymous namespace)::operator== <...>(...)"},
	    {"a_name_that_is_too_long_even<unsigned>::that_is_sure(int)", 30, "...ong_even::that_is_sure(int)"},
	    {"std::b<int, char>::c<long>(unsigned, long) [clone .isra.0]", 28, "std::b<...>::c<...>(...)"},
	    {"void std::b<int, char>::construct<long>(unsigned, long)", 20, "std::b::construct"},
	    {"std::b<int, char>::construct<long>(unsigned, long)", 14, "...::construct"},
	    {"a_name_that_is_too_long_even_so_without_a_template(int)", 30, "a_name_that_is...template(int)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_str_eq(names_fit(cases[i].name, cases[i].width), cases[i].expected);
}
END_TEST

START_TEST(bares)
{
	static const char *const cases[][2] = {
	    {"main", "main"},
	    {"foo.part.0", "foo"},
	    {"ns::A::f(int)", "f"},
	    {"std::vector<A::B<(int)1> >::push(int)", "push"},
	    {"void ns::f<int, B<char> >(int)", "f"},
	    {"A::~A()", "~A"},
	    {"operator()(int)", "operator"},
	    {"???", ""},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text bare = names_bare(cases[i][0]);

		ck_assert_str_eq(arena_string(bare.at, bare.len), cases[i][1]);
	}
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
	    demangles, substitutes, refuses_bad_expressions, shortens, fits, bares,
	};

	return RUN_SUITE("names", tests);
}
