/* generate SEED gcc|g++|clang|clang++ a|b|flags: a program in two units, made at random, that does the same wherever
 * it runs, and flags to compile it with.
 *
 * What random assembly cannot show is what a compiler knows of its own functions: which registers a callee leaves
 * alone although it might change them, what is passed where, which of Microsoft's registers are kept, what comes back
 * by longjmp or as an exception. Here functions with random types of arguments and results call one another, within a
 * unit and across, directly, through pointers, aliases and thunks, and functions that are not instrumented and change
 * all that they may (main.c). Whatever is computed ends in mem[] and fmem[] (program.h).
 *
 * A function calls those before it only, and no more than `fuel' calls are made, so all ends. Nothing is read that
 * was not written. What programs consist of is in the tables of templates. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

#define MOST_FUNCTIONS 26
#define LEAST_FUNCTIONS 8
#define MOST_ARGUMENTS 8
#define MOST_VARIABLES 512
#define MOST_DEPTH 2 /* of statements in statements */
#define MOST_LOOPS 2

/* What something is for: compilers, one bit each. */
enum {
	GCC = 1,
	GXX = 2,
	CLANG = 4,
	CLANGXX = 8,
	C = GCC | CLANG,
	CXX = GXX | CLANGXX,
	GNU = GCC | GXX,
	LLVM = CLANG | CLANGXX,
	ALL = GNU | LLVM
};
static const char *const compilers[] = {"gcc", "g++", "clang", "clang++"};
static unsigned compiler;

/* ---- types ---- */

enum kind { INTEGER, FLOATING, SUMMABLE, OTHER };

/* Those that are more often used come more than once. */
static const struct type {
	const char *name;
	enum kind kind;
	bool avx;
} types[] = {
	{"u8", INTEGER, false}, {"u16", INTEGER, false}, {"u32", INTEGER, false}, {"u64", INTEGER, false},
	{"s32", INTEGER, false}, {"s64", INTEGER, false}, {"u64", INTEGER, false}, {"u32", INTEGER, false},
	{"s32", INTEGER, false}, {"u64", INTEGER, false}, {"s64", INTEGER, false}, {"u64", INTEGER, false},
	{"float", FLOATING, false}, {"double", FLOATING, false}, {"double", FLOATING, false},
	{"u128", SUMMABLE, false}, {"u32x4", SUMMABLE, false}, {"double_x2", SUMMABLE, false},
	{"extended", OTHER, false}, {"complex_double", OTHER, false}, {"packed_pair", OTHER, false},
	{"mixed_pair", OTHER, false}, {"in_memory", OTHER, false},
	{"u32x8", SUMMABLE, true}, {"double_x4", SUMMABLE, true},
};
#define U64 (&types[3])

static bool avx;

/* ---- chance ---- */

static uint64_t random_state;

/* Numerical Recipes' constants for a 64-bit linear congruential generator; the upper bits are used. */
static uint32_t below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

static bool chance(uint32_t percent)
{
	return below(100) < percent;
}

static const struct type *any_type(void)
{
	const struct type *t;

	do
		t = &types[below(LENGTH(types))];
	while (t->avx && !avx);
	return t;
}

static const struct type *type_of_kind(enum kind kind)
{
	const struct type *t;

	do
		t = any_type();
	while (t->kind != kind);
	return t;
}

/* ---- the program's functions ---- */

static struct function {
	unsigned number, arguments;
	const struct type *types[MOST_ARGUMENTS], *result; /* NULL: void */
	const char *attribute, *binding;
	char unit;
	bool microsoft, callback, local, alias, indirect;
} functions[MOST_FUNCTIONS];
static unsigned n_functions;

static const struct {
	unsigned compilers;
	const char *text;
} attributes[] = {
	{ALL, "noinline"}, {GNU, "noipa"}, {GNU, "noclone,noinline"}, {ALL, "cold"}, {ALL, "hot"},
	{GNU, "optimize(\"Os\")"}, {GNU, "optimize(\"O3\")"}, {GNU, "noinline,optimize(\"no-ipa-ra\")"},
	{ALL, "flatten"}, {ALL, "noinline,aligned(64)"}, {ALL, "zero_call_used_regs(\"all\")"},
	{GCC, "stack_protect"}, {GNU, "noinline,optimize(\"no-omit-frame-pointer\")"},
};

static void choose_functions(void)
{
	n_functions = LEAST_FUNCTIONS + below(MOST_FUNCTIONS - LEAST_FUNCTIONS + 1);
	for (unsigned i = 0; i < n_functions; i++) {
		struct function *f = &functions[i];
		unsigned attribute = below(2 * LENGTH(attributes));

		f->number = i;
		f->unit = "ab"[below(2)];
		f->local = chance(55);
		f->microsoft = chance(compiler & GCC ? 20 : 6);
		f->arguments = f->microsoft ? below(6) : below(below(4) ? 4 : MOST_ARGUMENTS + 1);
		for (unsigned k = 0; k < f->arguments; k++)
			f->types[k] = f->microsoft ? type_of_kind((enum kind)below(2)) : any_type();
		f->result = f->microsoft ? type_of_kind((enum kind)below(2)) : any_type();
		if (!below(12))
			f->result = NULL;
		if (!f->microsoft && chance(25)) {
			f->callback = true;
			f->arguments = 1;
			f->types[0] = f->result = U64;
		}
		if (attribute < LENGTH(attributes) && attributes[attribute].compilers & compiler)
			f->attribute = attributes[attribute].text;
		if (f->local)
			continue;
		f->binding = chance(20) ? "weak" : chance(20) ? "visibility(\"hidden\")" : NULL;
		f->alias = compiler & C && chance(12);
		f->indirect = compiler & C && !f->microsoft && !f->alias && !f->binding && chance(12);
	}
}

/* The function that is being made, and what it has. */
static const struct function *current;
static struct variable {
	const struct type *type; /* NULL: a loop's counter */
	char letter; /* of its name: v, argument a, counter i */
	unsigned number;
} variables[MOST_VARIABLES], pending;
static unsigned n_variables, labels, label, depth, loops, indent;

/* A variable of the kind, or NULL. */
static const struct variable *variable_of(bool (*wanted)(const struct variable *))
{
	const struct variable *found = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < n_variables; i++)
		if (wanted(&variables[i]) && !below(++n))
			found = &variables[i];
	return found;
}

static bool is_value(const struct variable *v)
{
	return v->type;
}

static bool is_integer(const struct variable *v)
{
	return v->type && v->type->kind == INTEGER;
}

static bool is_floating(const struct variable *v)
{
	return v->type && v->type->kind == FLOATING;
}

static bool is_summable(const struct variable *v)
{
	return v->type && (v->type->kind == SUMMABLE || v->type->kind == FLOATING);
}

static bool is_counter(const struct variable *v)
{
	return !v->type;
}

static bool is_result(const struct variable *v)
{
	return v->type && v->type == current->result;
}

/* One of the functions that the current one may call, or NULL. */
static const struct function *callee(bool (*wanted)(const struct function *))
{
	const struct function *found = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < current->number; i++)
		if ((functions[i].unit == current->unit || !functions[i].local) && wanted(&functions[i]) && !below(++n))
			found = &functions[i];
	return found;
}

static bool is_function(const struct function *f)
{
	(void)f;
	return true;
}

static bool is_callback(const struct function *f)
{
	return f->callback;
}

/* It may be called last, by a jump. */
static bool is_like_current(const struct function *f)
{
	return f->result == current->result && f->microsoft == current->microsoft;
}

/* ---- templates ---- */

static const char tabs[] = "\t\t\t\t\t\t\t\t";

static void expand(const char *text);

static const char *one_of(const char *const *texts, unsigned n)
{
	return texts[below(n)];
}

static void print_variable(const struct variable *v)
{
	printf("%c%u", v->letter, v->number);
}

static void number(void)
{
	static const unsigned bits[] = {3, 8, 16, 32, 60};

	printf("%luull", ((uint64_t)below(1u << 31) << 31 | below(1u << 31)) >> (62 - bits[below(LENGTH(bits))]));
}

static void small_number(void)
{
	printf("%u", below(100));
}

static void counter(void)
{
	const struct variable *v = variable_of(is_counter);

	if (v)
		print_variable(v);
	else
		small_number();
}

/* Less than 512, of counters that are less than 300. */
static void place(void)
{
	static const char *const texts[] = {"$c + $#", "($c * 3 + $#) % 512", "($c * 17 + $#) % 512", "$c"};
	const struct variable *v = variable_of(is_integer);

	if (v && chance(50)) {
		printf("(u64)");
		print_variable(v);
		printf(" %% 512");
	} else if (loops) {
		expand(one_of(texts, LENGTH(texts)));
	} else {
		printf("%u", below(512));
	}
}

/* 64 bits. */
static void value(void)
{
	static const char *const texts[] = {"mem[$i]", "mem[$i]", "from_double(fmem[$i])", "(u64)$c"};
	const struct variable *v = variable_of(chance(75) ? is_integer : is_value);
	unsigned kind = below(100);

	if (v && kind < 60) {
		printf("from_%s(", v->type->name);
		print_variable(v);
		putchar(')');
	} else if (kind < 85) {
		expand(one_of(texts, LENGTH(texts)));
	} else {
		number();
	}
}

static void expression(void)
{
	static const char *const texts[] = {"$u + $u", "$u ^ $u", "$u * $u", "$u - $u", "($u & $u)", "$u",
					    "($u >> ($u & 31))", "($u / ($u | 1))", "($u < $u ? $u : $u)"};

	expand(one_of(texts, LENGTH(texts)));
}

static void floating(void)
{
	const struct variable *v = variable_of(is_floating);

	if (v && chance(60))
		print_variable(v);
	else if (chance(60))
		expand("fmem[$i]");
	else
		printf("%u.%u", below(4), below(1000));
}

static void changed(void)
{
	print_variable(variable_of(is_integer));
}

static void doubled(void)
{
	const struct variable *v = variable_of(is_summable);

	print_variable(v);
	printf(" += ");
	print_variable(v);
}

static void assignment(void)
{
	static const char *const texts[] = {"=", "+=", "^=", "-="};

	printf("%s", one_of(texts, LENGTH(texts)));
}

static void sign(void)
{
	putchar("+-*"[below(3)]);
}

static void comparison(void)
{
	static const char *const texts[] = {"<", ">", "==", "!="};

	printf("%s", one_of(texts, LENGTH(texts)));
}

/* A variable that is there when the statement has ended. */
static void declare(const struct type *type)
{
	pending = (struct variable){type, 'v', labels++};
	printf("%s ", type->name);
	print_variable(&pending);
}

static void declare_integer(void)
{
	declare(type_of_kind(INTEGER));
}

static void declare_floating(void)
{
	declare(type_of_kind(FLOATING));
}

static void declare_any(void)
{
	const struct type *t = any_type();

	declare(t);
	printf(" = to_%s(", t->name);
	expression();
	putchar(')');
}

static void call(const struct function *f)
{
	printf("%s%u(", chance(20) ? "pointer_" : "f", f->number);
	for (unsigned k = 0; k < f->arguments; k++) {
		printf("%sto_%s(", k ? ", " : "", f->types[k]->name);
		value();
		putchar(')');
	}
	putchar(')');
}

static void call_any(void)
{
	printf("(void)");
	call(callee(is_function));
}

static void call_and_keep(void)
{
	const struct function *f = callee(is_function);

	if (f->result) {
		declare(f->result);
		printf(" = ");
	}
	call(f);
}

static void name_callback(void)
{
	printf("f%u", callee(is_callback)->number);
}

static void print_label(void)
{
	printf("%u", label);
}

static void iterations(void)
{
	static const unsigned outer[] = {3, 7, 20, 60, 200, 300}, inner[] = {2, 5, 30};

	printf("%u", loops ? inner[below(LENGTH(inner))] : outer[below(LENGTH(outer))]);
}

static void few_iterations(void)
{
	printf("%u", 1 + below(6));
}

static void counter_type(void)
{
	static const char *const texts[] = {"u32", "int", "u64", "long"};

	printf("%s", one_of(texts, LENGTH(texts)));
}

static void statement(void);

static void block(void)
{
	unsigned keep = n_variables;

	printf("{\n");
	depth++;
	indent++;
	for (unsigned n = 1 + below(4); n--;)
		statement();
	indent--;
	depth--;
	n_variables = keep;
	printf("%.*s}", (int)indent, tabs);
}

/* What loops that are instrumented in ways of their own consist of: references that go on by constants. */
static void strided(void)
{
	static const char *const texts[] = {
		"fmem[$c] += fmem[$c + $#] * 1.5; ", "mem[$c * 2 % 1024] += $c; ", "mem[$c + 7] ^= mem[$c + $#]; ",
		"((u8 *)mem)[$c * 3 + $#] += (u8)$c; ", "((u32 *)mem)[$c + 3] = ((u32 *)mem)[$c * 2] + 1; ",
		"sum += mem[$c * 3]; ", "sum += ((u16 *)mem)[$c]; ", "fsum += fmem[$c]; ",
		"if (mem[$c] & 1) sum ^= $c; ", "mem[$c + 300] = sum; ", "sum += mem[$c]; ",
	};

	printf("{ ");
	for (unsigned n = 1 + below(4); n--;)
		expand(one_of(texts, LENGTH(texts)));
	putchar('}');
}

static void loop(void (*body)(void))
{
	unsigned keep = n_variables;

	variables[n_variables++] = (struct variable){NULL, 'i', label};
	loops++;
	body();
	loops--;
	n_variables = keep;
}

static void strided_loop(void)
{
	loop(strided);
}

static void loop_of_statements(void)
{
	loop(block);
}

static void cases(void)
{
	for (unsigned k = 0, n = 4 + below(6); k < n; k++) {
		printf("%.*scase %u: ", (int)indent, tabs, k);
		block();
		printf("%s\n", chance(75) ? " break;" : "");
	}
}

/* clang++ does not take two of the last in a function. */
static void assembly(void)
{
	static const char *const texts[] = {
		"asm(\"addq %1, %0\" : \"+r\"(t$N) : \"r\"($u) : \"cc\");",
		"asm volatile(\"\" : \"+r\"(t$N) :: \"rax\", \"rcx\", \"rdx\", \"rsi\", \"rdi\", \"r8\", \"r9\", \"r10\", "
		"\"r11\", \"cc\", \"memory\");",
		"asm(\"rorq %%cl, %0\" : \"+r\"(t$N) : \"c\"($u) : \"cc\");",
		"asm volatile(\"leaq -128(%%rsp), %%rsp; pushq %0; popq %0; leaq 128(%%rsp), %%rsp\" : \"+r\"(t$N));",
		"asm volatile(\"movq %1, %%xmm7; movq %%xmm7, %0\" : \"=r\"(t$N) : \"m\"(mem[$#]) : \"xmm7\");",
		"asm volatile(\"xorl %%ecx, %%ecx; cpuid\" : \"=a\"(t$N) : \"a\"(0) : \"rbx\", \"rcx\", \"rdx\"); t$N = 0;",
		"asm(\"cmpq %2, %1; setb %b0\" : \"+r\"(t$N) : \"r\"($u), \"m\"(mem[7]) : \"cc\");",
		"bool less; asm(\"cmpq %2, %1\" : \"=@ccb\"(less) : \"r\"(t$N), \"m\"(mem[8])); t$N += less;",
		"asm goto(\"testq %0, %0; jz %l1\" :: \"r\"(t$N) : \"cc\" : zero$N); mem[5]++; zero$N:;",
	};

	expand(one_of(texts, LENGTH(texts) - (compiler == CLANGXX)));
}

/* What a letter behind a dollar stands for in a template. */
static void (*const letters[128])(void) = {
	['#'] = small_number, ['u'] = value, ['e'] = expression, ['f'] = floating, ['c'] = counter, ['i'] = place,
	['v'] = changed, ['d'] = doubled, ['o'] = assignment, ['s'] = sign, ['q'] = comparison,
	['I'] = declare_integer, ['F'] = declare_floating, ['A'] = declare_any,
	['g'] = call_any, ['G'] = call_and_keep, ['k'] = name_callback,
	['N'] = print_label, ['n'] = iterations, ['m'] = few_iterations, ['t'] = counter_type,
	['b'] = block, ['l'] = strided_loop, ['L'] = loop_of_statements, ['w'] = cases, ['a'] = assembly,
};

static void expand(const char *text)
{
	for (; *text; text++)
		if (*text == '$')
			letters[(unsigned char)*++text]();
		else
			putchar(*text);
}

/* ---- statements ---- */

enum needs {
	INTEGERS = 1, /* a variable */
	SUMMABLES = 2, /* a variable */
	CALLEES = 4,
	CALLBACKS = 8,
	DEPTH = 16,
	LOOP = 32,
	SYSTEM_V = 64 /* the function that it is in */
};

static const struct statement {
	unsigned weight, compilers, needs;
	const char *text;
} statements[] = {
	{170, ALL, 0, "$I = $e;"},
	{70, ALL, 0, "$F = $f $s $f;"},
	{50, ALL, 0, "$A;"},
	{70, ALL, 0, "mem[$i] $o $e;"},
	{40, ALL, 0, "fmem[$i] = $f $s $f * 0.5;"},
	{50, ALL, INTEGERS, "$v $o $e;"},
	{40, ALL, SUMMABLES, "$d;"},
	{130, ALL, CALLEES, "$G;"},
	{15, ALL, 0, "mem[1] ^= outside($u);"},
	{15, ALL, 0, "fmem[2] = outside_double($f) + $f;"},
	{10, ALL, 0, "mem[3] += outside_variadic($#, $u, (double)$f, $u, (double)$f, $u, $u, $u, $u, 1ull, 2ull);"},
	{30, ALL, CALLBACKS, "mem[4] += call_back($k, $u);"},
	{45, ALL, DEPTH, "if ($u $q $u) $b"},
	{45, ALL, DEPTH, "if ($u $q $u) $b else $b"},
	{50, ALL, DEPTH | LOOP, "for ($t i$N = 0; i$N < $n; i$N++) $l"},
	{50, ALL, DEPTH | LOOP, "for ($t i$N = 0; i$N < $m; i$N++) $L"},
	{30, ALL, DEPTH, "switch ($u % 9) {\n$wdefault: mem[9]++; }"},
	{15, ALL, 0, "{ u64 *p = (u64 *)alloca(8 * ($u % 40 + 1)); p[0] = $u; sink = sink ^ p[0]; }"},
	{25, ALL, 0, "{ u64 t$N = $u; $a mem[$#] += t$N; }"},
	{12, C, CALLEES,
	 "{ jmp_buf here, *outer = way_out; way_out = &here; if (!setjmp(here)) { $g; if (sink & 1) longjmp(here, 1); } "
	 "else mem[11] += 3; way_out = outer; }"},
	{10, C, 0, "if (way_out && ($u & 7) == 3) longjmp(*way_out, 2);"},
	{10, GCC, SYSTEM_V,
	 "u64 own$N = $u; auto u64 nested$N(u64); u64 nested$N(u64 z) { own$N += z; return own$N ^ mem[z % 64]; } "
	 "mem[12] += call_back(nested$N, $u) + own$N + nested$N(5);"},
	{8, C | GXX, 0,
	 "{ static void *const ways[] = {&&x$N, &&y$N, &&z$N}; u32 n = 0; goto *ways[$u % 3]; "
	 "x$N: mem[20]++; if (n++ < 5) goto *ways[(mem[21] + n) % 3]; "
	 "y$N: mem[21] += 3; if (n++ < 4) goto *ways[(mem[20] + n) % 3]; z$N: mem[22]--; }"},
	{3, C, 0, "raise(SIGUSR1);"},
	{10, CXX, 0, "guard g$N(100 + $#, $u);"},
	{10, CXX, DEPTH | CALLEES,
	 "try { guard g(100 + $#, $u); $g; $b } catch (thrown &t) { mem[60] += t.v + sum; }"},
	{10, CXX, DEPTH | CALLEES, "try { guard g(100 + $#, $u); $g; $b } catch (...) { mem[61] += 3 ^ sum; }"},
	{10, CXX, DEPTH | CALLEES,
	 "try { $g; $b } catch (thrown_double &t) { fmem[61] += t.d; throw thrown{3}; }"},
	{10, CXX, DEPTH | CALLEES,
	 "try { $g; $b } catch (thrown &t) { mem[62]++; if (t.v & 1) throw; } catch (thrown_double &) { mem[63] ^= sum; }"},
	{6, CXX, 0, "if (($u & 7) == 3) throw thrown{$u};"},
	{6, CXX, 0, "if (($u & 7) == 3) throw thrown_double{$f};"},
	{10, CXX, 0, "{ base o($u); mem[64] += by_base(o, $u); }"},
	{10, CXX, 0, "{ left o($u); mem[64] += by_base(o, $u); }"},
	{10, CXX, 0, "{ right o($u); mem[65] += by_base(o, $u) ^ by_other(o, $u); }"},
	{10, CXX, 0,
	 "{ u64 own = $u; auto f = [&](u64 z) { own += z; if ((z & 31) == 5) throw thrown{z}; return own ^ sum; }; "
	 "mem[66] += f($u) + own; }"},
};

static bool possible(const struct statement *s)
{
	return s->compilers & compiler && (!(s->needs & INTEGERS) || variable_of(is_integer)) &&
	       (!(s->needs & SUMMABLES) || variable_of(is_summable)) &&
	       (!(s->needs & CALLEES) || callee(is_function)) && (!(s->needs & CALLBACKS) || callee(is_callback)) &&
	       (!(s->needs & DEPTH) || depth < MOST_DEPTH) && (!(s->needs & LOOP) || loops < MOST_LOOPS) &&
	       (!(s->needs & SYSTEM_V) || !current->microsoft);
}

static void statement(void)
{
	const struct statement *s = NULL;
	unsigned weight = 0, keep = label;

	for (unsigned i = 0; i < LENGTH(statements); i++)
		if (possible(&statements[i])) {
			weight += statements[i].weight;
			if (below(weight) < statements[i].weight)
				s = &statements[i];
		}
	label = labels++;
	printf("%.*s", (int)indent, tabs);
	expand(s->text);
	putchar('\n');
	label = keep;
	if (pending.type) {
		variables[n_variables++] = pending;
		pending.type = NULL;
	}
}

/* ---- units ---- */

static void prototype(const struct function *f, const char *name)
{
	printf("%s%s %s%u(", f->microsoft ? "__attribute__((ms_abi)) " : "", f->result ? f->result->name : "void", name,
	       f->number);
	for (unsigned k = 0; k < f->arguments; k++)
		printf("%s%s a%u", k ? ", " : "", f->types[k]->name, k);
	printf("%s)", f->arguments ? "" : "void");
}

/* What the unit sees of a function: itself, an alias or a resolver where it is defined, a pointer to it. */
static void declaration(const struct function *f, char unit)
{
	bool defined = f->unit == unit;

	printf("%s", f->local ? "static " : "");
	if (f->attribute)
		printf("__attribute__((%s)) ", f->attribute);
	if (f->binding)
		printf("__attribute__((%s)) ", f->binding);
	prototype(f, "f");
	printf(";\n");
	if (f->indirect && defined) {
		printf("static ");
		prototype(f, "chosen_");
		printf(";\nstatic void *choose_%u(void) { return (void *)chosen_%u; }\n", f->number, f->number);
		prototype(f, "f");
		printf(" __attribute__((ifunc(\"choose_%u\")));\n", f->number);
	}
	if (f->alias) {
		printf("extern __typeof(f%u) alias_%u", f->number, f->number);
		if (defined)
			printf(" __attribute__((alias(\"f%u\")))", f->number);
		printf(";\n");
	}
	printf("static __typeof(f%u) *volatile pointer_%u = %s%u;\n", f->number, f->number, f->alias ? "alias_" : "f",
	       f->number);
}

static void last_statement(void)
{
	const struct function *f = callee(is_like_current);
	const struct variable *v = variable_of(is_result);

	printf("\tmem[30] += sum;\n\tfmem[30] += fsum;\n");
	if (!current->result && !f)
		return;
	printf(current->result ? "\treturn " : "\t");
	if (f && (!current->result || chance(40))) {
		call(f);
	} else if (v && chance(50)) {
		print_variable(v);
	} else {
		printf("to_%s(", current->result->name);
		expression();
		putchar(')');
	}
	printf(";\n");
}

static void definition(const struct function *f)
{
	current = f;
	n_variables = 0;
	for (unsigned k = 0; k < f->arguments; k++)
		variables[n_variables++] = (struct variable){f->types[k], 'a', k};
	printf("\n%s", f->local || f->indirect ? "static " : "");
	prototype(f, f->indirect ? "chosen_" : "f");
	printf("\n{\n\tu64 sum = 0;\n\tdouble fsum = 0;\n\n\tif (fuel-- < 0)\n\t\treturn");
	if (f->result)
		printf(" to_%s(1)", f->result->name);
	printf(";\n");
	for (unsigned n = 1 + below(9); n--;)
		statement();
	last_statement();
	printf("}\n");
}

/* Calls all functions of the unit. */
static void run(char unit)
{
	static const unsigned fuels[] = {300, 1000, 3000};
	static struct function last;

	last.number = n_functions;
	last.unit = unit;
	current = &last;
	n_variables = 0;
	printf("\n");
	if (unit == 'a')
		printf("static void on_signal(int number)\n{\n\tmem[40] += (u64)number;\n\tfmem[40] = fmem[40] * 0.5 + 1;\n}\n\n");
	printf("void run_%c(void)\n{\n", unit);
	if (unit == 'a')
		printf("\tsignal(SIGUSR1, on_signal);\n");
	for (unsigned i = 0; i < n_functions; i++) {
		const struct function *f = &functions[i];

		if (f->unit != unit)
			continue;
		printf("\tfuel = %u;\n\t%s", fuels[below(LENGTH(fuels))], compiler & CXX ? "try { " : "");
		if (f->result)
			printf("mem[50] = mem[50] * 31 + from_%s(", f->result->name);
		call(f);
		printf("%s;\n", f->result ? ")" : "");
		if (compiler & CXX)
			printf("\t} catch (thrown &t) { mem[51] += t.v; } catch (thrown_double &t) { fmem[51] += t.d; }\n");
	}
	printf("}\n");
}

static void unit(char name)
{
	printf("#include \"program.h\"\n\n");
	for (unsigned i = 0; i < n_functions; i++)
		if (functions[i].unit == name || !functions[i].local)
			declaration(&functions[i], name);
	indent = 1;
	for (unsigned i = 0; i < n_functions; i++)
		if (functions[i].unit == name)
			definition(&functions[i]);
	run(name);
}

/* ---- flags ---- */

static const char *const levels[] = {"-O0", "-O1", "-O2", "-O2", "-O3", "-Os", "-Og", "-O2", "-O3", "-O2"};
static const char *const vectors[] = {"-mavx2", "-march=native", "-mavx"};

static const struct {
	unsigned percent, compilers;
	const char *text;
} flags[] = {
	{20, ALL, "-fPIC"},
	{20, ALL, "-fpie"},
	{6, LLVM, "-mcmodel=large -fno-pie -no-pie"},
	{10, ALL, "-fno-plt"},
	{10, ALL, "-mno-red-zone"},
	{15, ALL, "-fno-omit-frame-pointer"},
	{10, ALL, "-fstack-protector-all"},
	{15, ALL, "-fcf-protection=full"},
	{10, ALL, "-fstack-clash-protection"},
	{15, ALL, "-ffunction-sections"},
	{6, C | CLANGXX, "-mstackrealign"},
	{15, ALL, "-funroll-loops"},
	{6, ALL, "-fno-jump-tables"},
	{20, ALL, "-g"},
	{12, GNU, "-fnon-call-exceptions -fexceptions"},
	{10, C, "-fexceptions"},
	{10, GNU, "-fno-ipa-ra"},
	{10, ALL, "-fno-tree-vectorize"},
	{8, C, "-fno-asynchronous-unwind-tables"},
	{4, GNU, "-fzero-call-used-regs=used"},
	{10, GNU, "-fno-reorder-blocks-and-partition"},
	{10, GNU, "-fno-semantic-interposition"},
	{6, GNU, "-maccumulate-outgoing-args"},
	{5, GNU, "-fharden-conditional-branches"},
	{6, GNU, "-fno-shrink-wrap"},
	{40, GNU, "-mcall-ms2sysv-xlogues"},
	{10, GNU, "-fcaller-saves -fno-ipa-icf"},
	{4, GCC, "-fpatchable-function-entry=3,1"},
	{6, GNU, "-freorder-blocks-algorithm=stc"},
	{35, GCC, "-mindirect-branch=thunk-inline -mforce-indirect-call -fcf-protection=none"},
	{35, GXX, "-mindirect-branch=thunk -mforce-indirect-call -fcf-protection=none"}, /* inline: no exceptions */
	{4, GCC, "-fsplit-stack -mindirect-branch=keep -mno-force-indirect-call"}, /* or gcc 12 fails */
	{6, GNU, "-mcmodel=large -fno-pie -no-pie -mindirect-branch=keep"},
	{8, GNU, "-mtune=k8"},
	{5, GNU, "-mtune=atom"},
	{10, GNU, "-fschedule-insns"},
	{4, GNU, "-fno-function-cse"},
	{3, GNU, "-ftrapv"},
	{3, GNU, "-ffixed-r11"},
	{8, GNU, "-flto"},
	{3, GNU, "-flive-patching -fno-lto"},
	{6, CLANGXX, "-mretpoline"},
	{4, CLANGXX, "-mspeculative-load-hardening"}, /* not with longjmp */
	{3, LLVM, "-mlvi-hardening"},
	{30, LLVM, "-fno-integrated-as"},
	{20, CLANG, "-mllvm -enable-ipra"}, /* not with -mretpoline */
	{5, LLVM, "-mllvm -enable-shrink-wrap=false"},
};

static void print_flags(void)
{
	printf("-w -fno-strict-aliasing %s", one_of(levels, LENGTH(levels)));
	if (avx)
		printf(" %s", one_of(vectors, LENGTH(vectors)));
	for (unsigned i = 0; i < LENGTH(flags); i++)
		if (flags[i].compilers & compiler && chance(flags[i].percent))
			printf(" %s", flags[i].text);
	printf("\n");
}

int main(int argc, char *argv[])
{
	if (argc == 4)
		for (unsigned i = 0; i < LENGTH(compilers); i++)
			if (!strcmp(argv[2], compilers[i]))
				compiler = 1u << i;
	if (!compiler) {
		fprintf(stderr, "generate SEED gcc|g++|clang|clang++ a|b|flags\n");
		return 1;
	}
	random_state = strtoul(argv[1], NULL, 10) * 0x9e3779b97f4a7c15;
	avx = chance(40);
	choose_functions();
	if (!strcmp(argv[3], "flags"))
		print_flags();
	else
		unit(*argv[3]);
	return 0;
}
