#include "instrument/expression.h"

#include "common/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a walk over the terms has found so far. */
struct split {
	const char *p, *end;
	bool simple; /* a sum of numbers and one symbol */
	bool place;
	int sign;
	unsigned n_symbols;
	struct asm_text symbol;
	int64_t addend;
};

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || strchr("_.$\"", c) || (unsigned char)c >= 0x80;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || strchr("_.$@?", c) || (unsigned char)c >= 0x80;
}

static void take_symbol(struct split *s)
{
	const char *start = s->p;

	if (*s->p == '"')
		for (s->p++; s->p < s->end && *s->p != '"';)
			s->p++;
	for (s->p++; s->p < s->end && in_name(*s->p);)
		s->p++;
	s->symbol = (struct asm_text){start, s->p - start};
	s->n_symbols++;
	s->place |= s->symbol.len == 1 && *start == '.';
	s->simple &= s->sign > 0;
}

/* Whether the digits here are 1f or 1b, the label 1 next ahead or behind. */
static bool is_local_label(const char *p, const char *end)
{
	while (p < end && isdigit((unsigned char)*p))
		p++;
	return p < end && (*p == 'f' || *p == 'b') && (p + 1 == end || !in_name(p[1]));
}

static void take_number(struct split *s)
{
	char digits[72], *end;
	size_t n = 0;

	while (s->p + n < s->end && n < sizeof digits - 1 && isalnum((unsigned char)s->p[n]))
		n++;
	memcpy(digits, s->p, n);
	digits[n] = '\0';
	if (n > 2 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'b')
		s->addend += s->sign * (int64_t)strtoull(digits + 2, &end, 2);
	else
		s->addend += s->sign * (int64_t)strtoull(digits, &end, 0);
	s->simple &= !*end;
	s->p += n;
}

/* One term behind its signs. */
static void take_term(struct split *s)
{
	if (isdigit((unsigned char)*s->p) && !is_local_label(s->p, s->end))
		take_number(s);
	else if (isdigit((unsigned char)*s->p) || begins_name(*s->p))
		take_symbol(s);
	else {
		s->simple = false;
		s->p++;
	}
}

static void take_operators(struct split *s)
{
	bool operator= s->p == s->end;

	s->sign = 1;
	for (; s->p < s->end && strchr(" \t+-", *s->p); s->p++) {
		operator|= * s->p == '+' || * s->p == '-';
		if (*s->p == '-')
			s->sign = -s->sign;
	}
	s->simple &= operator;
}

static struct asm_text in_parentheses(struct asm_text t)
{
	char *p = arena_alloc(t.len + 3);

	p[0] = '(';
	memcpy(p + 1, t.p, t.len);
	p[t.len + 1] = ')';
	return (struct asm_text){p, t.len + 2};
}

enum expression_kind expression_split(struct asm_text text, struct asm_text *symbol,
				      int64_t *addend)
{
	struct split s = {.p = text.p, .end = text.p + text.len};

	take_operators(&s);
	s.simple = true;
	while (s.p < s.end) {
		take_term(&s);
		take_operators(&s);
	}
	if (s.place)
		return EXPRESSION_PLACE;
	if (!s.n_symbols)
		return EXPRESSION_NUMBER;
	s.simple &= s.n_symbols == 1;
	*symbol = s.simple ? s.symbol : in_parentheses(text);
	*addend = s.simple ? s.addend : 0;
	return EXPRESSION_SYMBOL;
}

static bool at_suffix(struct asm_text symbol, size_t i, const char *suffix)
{
	size_t len = strlen(suffix);

	return i + len <= symbol.len && !strncasecmp(symbol.p + i, suffix, len) &&
	       (i + len == symbol.len || !isalnum((unsigned char)symbol.p[i + len]));
}

bool expression_has_suffix(struct asm_text symbol, const char *suffix)
{
	for (size_t i = 0; i < symbol.len; i++)
		if (symbol.p[i] == '@' && at_suffix(symbol, i, suffix))
			return true;
	return false;
}

struct asm_text expression_strip_suffix(struct asm_text symbol, const char *suffix)
{
	size_t len = strlen(suffix);

	if (symbol.len >= len && at_suffix(symbol, symbol.len - len, suffix))
		symbol.len -= len;
	return symbol;
}

struct asm_text expression_unquoted(struct asm_text t)
{
	if (t.len >= 2 && *t.p == '"' && t.p[t.len - 1] == '"')
		t.p++, t.len -= 2;
	return t;
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '.' || c == '$' || (c & 0x80);
}

static const char *end_of_name(const char *p, const char *end)
{
	while (p < end && name_char(*p))
		p++;
	return p;
}

struct asm_text expression_next_name(const char **p, const char *end)
{
	const char *start = *p;

	while (start < end && !name_char(*start) && *start != '"')
		start++;
	if (start < end && *start == '"') {
		const char *quote;

		start++;
		quote = memchr(start, '"', (size_t)(end - start));
		*p = quote ? quote + 1 : end;
		return (struct asm_text){start, (size_t)((quote ? quote : end) - start)};
	}
	*p = end_of_name(start, end);
	return (struct asm_text){start, (size_t)(*p - start)};
}
