/* gas keeps a current and a previous section and a stack of such pairs; .section, .text and their
 * like set current and previous, .previous swaps them, .pushsection and .popsection use the stack
 * (Using as, chapters Section, Previous, PushSection). A subsection is the same section. */
#include "instrument/switches.h"

#include "instrument/expression.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

struct seen_section {
	struct asm_text name;
	bool data;
	UT_hash_handle hh;
};

static struct asm_text text_of(const char *s)
{
	return (struct asm_text){s, strlen(s)};
}

static struct asm_text trim(struct asm_text t)
{
	while (t.len && strchr(" \t", *t.p))
		t.p++, t.len--;
	while (t.len && strchr(" \t", t.p[t.len - 1]))
		t.len--;
	return t;
}

/* Cuts the first comma-separated argument off *rest; commas in quotes do not separate. */
static struct asm_text next_arg(struct asm_text *rest)
{
	struct asm_text arg = *rest;
	bool quoted = false;

	for (size_t i = 0; i < rest->len; i++) {
		if (rest->p[i] == '"')
			quoted = !quoted;
		if (rest->p[i] == ',' && !quoted) {
			arg.len = i;
			rest->p += i + 1, rest->len -= i + 1;
			return trim(arg);
		}
	}
	rest->p += rest->len, rest->len = 0;
	return trim(arg);
}

/* Sections that hold no code when they are named without flags. */
static const char *const data_names[] = {
    ".data",	    ".bss",	   ".rodata",	     ".tdata", ".tbss",	 ".debug",	 ".note",
    ".comment",	    ".eh",	   ".sdata",	     ".ctors", ".dtors", ".stab",	 ".ldata",
    ".lbss",	    ".lrodata",	   ".gnu.version",   ".gnu.warning",	 ".gcc_except_table",
    ".init_array",  ".fini_array", ".preinit_array",
};

static bool names_data(struct asm_text name)
{
	for (size_t i = 0; i < sizeof data_names / sizeof *data_names; i++) {
		size_t len = strlen(data_names[i]);

		if (name.len >= len && !memcmp(name.p, data_names[i], len))
			return true;
	}
	return false;
}

static bool remembered_data(const struct switches *s, struct asm_text name)
{
	const struct seen_section *seen;

	HASH_FIND(hh, s->seen, name.p, name.len, seen);
	return seen ? seen->data : names_data(name);
}

static void remember(struct switches *s, struct asm_text name, bool data)
{
	struct seen_section *seen;

	HASH_FIND(hh, s->seen, name.p, name.len, seen);
	if (!seen) {
		seen = xalloc(1, sizeof *seen);
		seen->name = name;
		HASH_ADD_KEYPTR(hh, s->seen, seen->name.p, seen->name.len, seen);
	}
	seen->data = data;
}

/* "name, subsection" is no way to call a section that .section understands. */
static struct place named_place(struct switches *s, struct asm_text args)
{
	struct asm_text rest = args, name = next_arg(&rest);
	struct asm_text flags = next_arg(&rest);
	struct place place = {.directive = args, .name = expression_unquoted(name)};

	if (!flags.len || *flags.p != '"') {
		place.directive = name;
		place.data = remembered_data(s, place.name);
		return place;
	}
	place.data = !memchr(flags.p, 'x', flags.len);
	remember(s, place.name, place.data);
	return place;
}

/* ".pushsection name, subsection, "flags"..." is ".section name, "flags"..." in its effect. */
static struct place pushed_place(struct switches *s, struct asm_text args)
{
	struct asm_text rest = args, name = next_arg(&rest), after = rest, second = next_arg(&rest);
	char *both;
	int len;

	if (!second.len || *second.p == '"' || !trim(rest).len)
		return named_place(s, args);
	len = (int)trim(rest).len;
	both = arena_alloc(name.len + 1 + after.len + 1);
	memcpy(both, name.p, name.len);
	both[name.len] = ',';
	memcpy(both + name.len + 1, trim(rest).p, len);
	return named_place(s, (struct asm_text){both, name.len + 1 + len});
}

static void enter(struct switches *s, struct place place)
{
	s->previous = s->now;
	s->now = place;
}

static void to_named(struct switches *s, struct asm_text args)
{
	enter(s, named_place(s, args));
}

static void to_pushed(struct switches *s, struct asm_text args)
{
	VEC_PUSH(&s->stack, s->now);
	VEC_PUSH(&s->stack, s->previous);
	enter(s, pushed_place(s, args));
}

static void to_popped(struct switches *s, struct asm_text args)
{
	(void)args;
	if (s->stack.n < 2)
		return;
	s->previous = s->stack.at[--s->stack.n];
	s->now = s->stack.at[--s->stack.n];
}

static void to_previous(struct switches *s, struct asm_text args)
{
	(void)args;
	enter(s, s->previous);
}

static void to_subsection(struct switches *s, struct asm_text args)
{
	(void)args;
	enter(s, s->now);
}

static void to_text(struct switches *s, struct asm_text args)
{
	(void)args;
	enter(s, (struct place){.directive = text_of(".text"), .name = text_of(".text")});
}

static void to_data(struct switches *s, struct asm_text args)
{
	(void)args;
	enter(s, (struct place){.directive = text_of(".data"), .name = text_of(".data"), .data = true});
}

struct directive {
	const char *name;
	void (*go)(struct switches *s, struct asm_text args);
};

static const struct directive directives[] = {
    {".section", to_named},	{".text", to_text},
    {".data", to_data},		{".bss", to_data},
    {".previous", to_previous}, {".pushsection", to_pushed},
    {".popsection", to_popped}, {".subsection", to_subsection},
    {".struct", to_data},	{".offset", to_data},
    {".sect", to_named},	{".section.s", to_named},
    {".sect.s", to_named},
};

void switches_begin(struct switches *s)
{
	*s = (struct switches){0};
	to_text(s, (struct asm_text){0});
	s->previous = s->now;
}

static const struct directive *directive_of(const struct asm_stmt *stmt)
{
	/* No other directive begins with these letters so often that it would be worth it. */
	if (stmt->kind != ASM_DIRECTIVE || !memchr("stdbpo", stmt->name.p[1], 6))
		return NULL;
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (asm_text_is(stmt->name, directives[i].name))
			return &directives[i];
	return NULL;
}

bool switches_at(const struct asm_stmt *stmt)
{
	return directive_of(stmt);
}

bool switches_follow(struct switches *s, const struct asm_stmt *stmt)
{
	const struct directive *directive = directive_of(stmt);

	if (directive)
		directive->go(s, stmt->args);
	return directive;
}

void switches_end(struct switches *s)
{
	struct seen_section *seen, *next;

	VEC_FREE(&s->stack);
	HASH_ITER(hh, s->seen, seen, next) {
		HASH_DEL(s->seen, seen);
		free(seen);
	}
}

bool is_debug_section(struct asm_text name)
{
	while (name.len && (*name.p == '"' || *name.p == ' '))
		name.p++, name.len--;
	return (name.len >= 6 && !memcmp(name.p, ".debug", 6)) ||
	       (name.len >= 10 && !memcmp(name.p, ".gnu.debug", 10));
}
