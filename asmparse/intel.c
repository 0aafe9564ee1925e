/* Operands in Intel syntax, as gas 2.40 reads them (config/tc-i386-intel.c): sums of registers, numbers and symbols
 * in any order, in brackets or not, behind words that say how large what they name is:
 *
 *	QWORD PTR table[rip+8]	DWORD BCST [rsp + rcx*4 - 16]	fs:[0]	OFFSET FLAT:name	SHORT label
 *
 * The parts are those of AT&T syntax. What is a sum otherwise than these, or has operators that AT&T syntax writes in
 * another way, is ASM_OP_OTHER. */
#include "asmparse/parser.h"

#include <ctype.h>
#include <string.h>

enum token { END, NAME, NUMBER, DECORATION, SIGN };

struct term {
	struct asm_text text; /* from its first token to its last */
	struct asm_text reg, number;
	unsigned n_registers, n_factors;
};

struct reader {
	const char *p, *end;
	enum token token;
	struct asm_text text; /* of the token */
	struct asm_operand *operand;
	struct term term;
	bool negative;
	unsigned depth; /* of parentheses */
	unsigned n_terms, n_registers, n_names; /* n_terms: those of the displacement */
	bool memory, offset, odd;
};

/* ---- words ---- */

static bool is_segment(struct asm_text t)
{
	static const char *const names[] = {"cs", "ds", "es", "fs", "gs", "ss"};

	return ASM_TEXT_AMONG(t, names);
}

/* AT&T syntax has signs for these. */
static bool is_operator(struct asm_text t)
{
	static const char *const names[] = {"and", "or", "xor", "not", "shl", "shr", "mod",
					    "eq",  "ne", "lt",	"le",  "gt",  "ge"};

	return ASM_TEXT_AMONG(t, names);
}

/* ---- tokens ---- */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || strchr("_.$@?", c) || (unsigned char)c >= 0x80;
}

static enum token kind_of(const char *p)
{
	if (isdigit((unsigned char)*p) || *p == '\'')
		return NUMBER;
	if (in_name(*p) || *p == '%' || *p == '"')
		return NAME;
	return *p == '{' ? DECORATION : SIGN;
}

/* Behind the quote that closes what p opens. */
static const char *behind(const struct reader *r, const char *p, char quote)
{
	const char *close = memchr(p + 1, quote, (size_t)(r->end - p - 1));

	return close ? close + 1 : r->end;
}

static const char *end_of_token(const struct reader *r, const char *p)
{
	if (*p == '"' || *p == '{')
		return behind(r, p, *p == '"' ? '"' : '}');
	if (*p == '\'') {
		p += p + 1 < r->end && p[1] == '\\' ? 3 : 2;
		p = p < r->end ? p : r->end;
		return p < r->end && *p == '\'' ? p + 1 : p;
	}
	if (!in_name(*p) && *p != '%')
		return p + 1;
	for (p++; p < r->end && in_name(*p);)
		p++;
	return p;
}

/* "1f" and "20b" name labels. */
static bool is_local_label(struct asm_text t)
{
	size_t n = 0;

	while (n < t.len && isdigit((unsigned char)t.p[n]))
		n++;
	return n && n + 1 == t.len && (t.p[n] == 'b' || t.p[n] == 'f');
}

static void step(struct reader *r)
{
	const char *p = r->p;

	while (p < r->end && isspace((unsigned char)*p))
		p++;
	r->token = END;
	r->text = text_between(p, p);
	if (p < r->end) {
		r->token = kind_of(p);
		r->text = text_between(p, end_of_token(r, p));
		if (r->token == NUMBER && is_local_label(r->text))
			r->token = NAME;
	}
	r->p = text_end(r->text);
}

static bool at_sign(const struct reader *r, char c)
{
	return r->token == SIGN && *r->text.p == c;
}

/* What follows the present token. */
static struct reader next(const struct reader *r)
{
	struct reader ahead = *r;

	step(&ahead);
	return ahead;
}

/* ---- terms ---- */

/* All terms of the displacement so far, and one more. */
static struct asm_text sum(struct asm_text terms, struct asm_text term, bool negative)
{
	char *all;

	if (!terms.len && !negative)
		return term;
	all = arena_alloc(terms.len + 1 + term.len);
	if (terms.len)
		memcpy(all, terms.p, terms.len);
	all[terms.len] = negative ? '-' : '+';
	memcpy(all + terms.len + 1, term.p, term.len);
	return (struct asm_text){all, terms.len + 1 + term.len};
}

static void end_register(struct reader *r)
{
	struct asm_operand *o = r->operand;
	const struct term *t = &r->term;

	if (t->n_registers > 1 || t->n_factors > 2 || r->negative || (t->n_factors == 2 && !t->number.p)) {
		r->odd = true;
	} else if (t->n_factors == 1 && !o->base.p) {
		o->base = t->reg;
	} else if (!o->index.p) {
		o->index = t->reg;
		o->scale = t->number;
	} else {
		r->odd = true;
	}
	r->n_registers++;
}

static void end_term(struct reader *r)
{
	if (r->term.n_registers) {
		end_register(r);
	} else if (r->term.text.p) {
		r->operand->disp = sum(r->operand->disp, r->term.text, r->negative);
		r->n_terms++;
	}
	r->term = (struct term){0};
	r->negative = false;
}

static void add_to_term(struct reader *r)
{
	struct term *t = &r->term;

	t->text = text_between(t->text.p ? t->text.p : r->text.p, text_end(r->text));
}

static void add_factor(struct reader *r)
{
	add_to_term(r);
	if (!r->depth)
		r->term.n_factors++;
}

/* "st(1)" is one register; elsewhere none stands in parentheses. */
static void add_register(struct reader *r)
{
	struct asm_text name = r->text;

	r->odd |= r->depth > 0;
	if (asm_text_means(name, "st") || asm_text_means(name, "%st"))
		while (r->p < r->end && !at_sign(r, ')'))
			step(r);
	add_factor(r);
	r->term.n_registers++;
	r->term.reg = *name.p == '%' ? (struct asm_text){name.p + 1, name.len - 1} : name;
}

/* Words before what they tell of. */
static bool take_word(struct reader *r)
{
	static const char *const places[] = {"short", "near", "far"};
	static const char *const sizes[] = {"ptr", "bcst"}; /* words behind them */
	struct reader ahead = next(r);

	if (ahead.token == NAME && ASM_TEXT_AMONG(ahead.text, sizes)) {
		r->memory |= !ASM_TEXT_AMONG(r->text, places);
		step(r);
	} else if (asm_text_means(r->text, "offset")) {
		r->offset = true;
		if (ahead.token == NAME && asm_text_means(ahead.text, "flat")) {
			step(r);
			step(r);
		}
	} else if (ahead.token == SIGN && *ahead.text.p == ':') {
		r->operand->segment = *r->text.p == '%' ? (struct asm_text){r->text.p + 1, r->text.len - 1} : r->text;
		r->odd |= !is_segment(r->operand->segment);
		r->memory = true;
		step(r);
	} else {
		return (ahead.token == NAME || ahead.token == NUMBER) && ASM_TEXT_AMONG(r->text, places);
	}
	return true;
}

static void take_name(struct reader *r)
{
	if (take_word(r))
		return;
	if ((*r->text.p == '%' || parser_names_register(r->text))) {
		add_register(r);
		return;
	}
	r->odd |= is_operator(r->text);
	r->n_names++;
	add_factor(r);
}

static void take_sign(struct reader *r)
{
	switch (*r->text.p) {
	case '[':
	case ']':
		r->odd |= r->depth > 0;
		end_term(r);
		r->memory = true;
		break;
	case '+':
	case '-':
		if (r->depth || (r->term.text.p && text_end(r->term.text)[-1] == '*')) {
			add_to_term(r);
			break;
		}
		if (r->term.text.p)
			end_term(r);
		r->negative ^= *r->text.p == '-';
		break;
	case '(':
		if (!r->depth++)
			r->term.n_factors++;
		add_to_term(r);
		break;
	case ')':
		r->depth -= r->depth > 0;
		add_to_term(r);
		break;
	case '*':
		add_to_term(r);
		break;
	default:
		r->odd |= r->term.n_registers > 0;
		add_to_term(r);
	}
}

static void take_number(struct reader *r)
{
	if (!r->depth)
		r->term.number = r->text;
	add_factor(r);
}

static enum asm_operand_kind kind(const struct reader *r)
{
	if (r->odd || (!r->n_terms && !r->n_registers))
		return ASM_OP_OTHER;
	if (r->memory)
		return ASM_OP_MEMORY;
	if (r->n_registers)
		return r->n_terms || r->n_registers > 1 ? ASM_OP_OTHER : ASM_OP_REGISTER;
	return r->offset || !r->n_names ? ASM_OP_IMMEDIATE : ASM_OP_BARE;
}

void parser_read_intel(struct asm_operand *o)
{
	struct reader r = {.p = o->text.p, .end = text_end(o->text), .operand = o};

	for (step(&r); r.token != END; step(&r)) {
		if (r.token == NAME)
			take_name(&r);
		else if (r.token == NUMBER)
			take_number(&r);
		else if (r.token == SIGN)
			take_sign(&r);
	}
	end_term(&r);
	o->kind = kind(&r);
	if (o->kind == ASM_OP_REGISTER || o->kind == ASM_OP_OTHER)
		o->segment = o->base = o->index = o->scale = o->disp = (struct asm_text){0};
}
