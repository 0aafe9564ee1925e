/* The grammar of statements and of AT&T operands; those in Intel syntax are for intel.c. A token's
 * location is its text; the location of a rule is the text from its first to its last token, so no
 * semantic values are needed.
 *
 * Each statement is added when its last token is shifted, before the scanner is asked for the next
 * (the rules end in states with one reduction only): the scanner may rely on p->start.
 *
 * Operands that fit none of the forms (arguments of a macro's invocation, register aliases, what
 * a later gas may bring) become one ASM_OP_OTHER; the scanner has seen to their parentheses. */
%require "3.8"
%expect 0
%define api.pure full
%define api.prefix {gram_}
%define api.value.type {char}
%define api.location.type {struct asm_text}
%locations
%param {void *scanner}
%parse-param {struct parser *p}

%code requires {
#include "asmparse/parser.h"
}

/* The names by which flex knows them. */
%code provides {
#define YYSTYPE GRAM_STYPE
#define YYLTYPE GRAM_LTYPE
}

%code {
#include <string.h>

#define YYLLOC_DEFAULT(Cur, Rhs, N)                                                                \
	((Cur) = (N) ? text_between(YYRHSLOC(Rhs, 1).p, text_end(YYRHSLOC(Rhs, N)))                \
		     : text_between(text_end(YYRHSLOC(Rhs, 0)), text_end(YYRHSLOC(Rhs, 0))))

int gram_lex(GRAM_STYPE *val, GRAM_LTYPE *loc, void *scanner);

static void add_label(struct parser *p, struct asm_text t);
static void add_blank(struct parser *p, struct asm_text upto);
static void add_linemark(struct parser *p, struct asm_text t, struct asm_text upto);
static void add_directive(struct parser *p, struct asm_text name, struct asm_text args,
			  struct asm_text upto);
static void add_assignment(struct parser *p, struct asm_text left, struct asm_text right,
			   struct asm_text upto);
static void add_prefix(struct parser *p, struct asm_text prefix, struct asm_text upto);
static void add_insn(struct parser *p, struct asm_text upto);
static void add_raw(struct parser *p, struct asm_text upto);
static void begin_insn(struct parser *p, struct asm_text prefix, struct asm_text mnemonic);
static void end_operand(struct parser *p, struct asm_text t, bool indirect);
static void add_intel(struct parser *p, struct asm_text t);
static void give_up_operands(struct parser *p, const char *first);
static struct asm_text register_name(struct asm_text t);
static void gram_error(struct asm_text *loc, void *scanner, struct parser *p, const char *why);
}

%initial-action { @$ = (struct asm_text){p->text, 0}; }

%token LABEL LINEMARK RAW_REGION SEPARATOR
%token DIRECTIVE ASSIGN ARG
%token PREFIX MNEMONIC
%token REGISTER VALUE OPERATOR DECORATION
%token PIECE_OF_INTEL

%%

file:
	%empty
|	file statement
;

statement:
	LABEL				{ add_label(p, @1); }
|	SEPARATOR			{ add_blank(p, @1); }
|	LINEMARK SEPARATOR		{ add_linemark(p, @1, @2); }
|	DIRECTIVE SEPARATOR		{ add_directive(p, @1, (struct asm_text){0}, @2); }
|	DIRECTIVE args SEPARATOR	{ add_directive(p, @1, @2, @3); }
|	ASSIGN SEPARATOR		{ add_assignment(p, @1, @1, @2); }
|	ASSIGN args SEPARATOR		{ add_assignment(p, @1, @2, @3); }
|	prefixes SEPARATOR		{ add_prefix(p, @1, @2); }
|	head SEPARATOR			{ add_insn(p, @2); }
|	head operands SEPARATOR		{ add_insn(p, @3); }
|	head intel SEPARATOR		{ add_insn(p, @3); }
|	head error SEPARATOR		{ yyerrok; give_up_operands(p, @2.p); add_insn(p, @3); }
|	RAW_REGION			{ add_raw(p, @1); }
|	prefixes RAW_REGION		{ add_raw(p, @2); }
;

args:
	ARG
|	args ARG
;

prefixes:
	PREFIX
|	prefixes PREFIX
;

head:
	MNEMONIC			{ begin_insn(p, (struct asm_text){0}, @1); }
|	prefixes MNEMONIC		{ begin_insn(p, @1, @2); }
;

operands:
	operand
|	operands ',' operand
;

operand:
	plain				{ end_operand(p, @1, false); }
|	'*' plain			{ end_operand(p, @2, true); }
;

intel:
	intel_operand			{ add_intel(p, @1); }
|	intel ',' intel_operand		{ add_intel(p, @3); }
;

intel_operand:
	PIECE_OF_INTEL
|	intel_operand PIECE_OF_INTEL
;

plain:
	core
|	DECORATION			{ p->operand.kind = ASM_OP_OTHER; }
|	plain DECORATION
;

core:
	REGISTER			{ p->operand.kind = ASM_OP_REGISTER; }
|	'$' expr			{ p->operand.kind = ASM_OP_IMMEDIATE; }
|	expr				{ p->operand.kind = ASM_OP_BARE; p->operand.disp = @1; }
|	place				{ p->operand.kind = ASM_OP_MEMORY; }
|	segment place			{ p->operand.kind = ASM_OP_MEMORY; }
|	segment expr			{ p->operand.kind = ASM_OP_MEMORY; p->operand.disp = @2; }
;

segment:
	REGISTER ':'			{ p->operand.segment = register_name(@1); }
;

place:
	address
|	expr address			{ p->operand.disp = @1; }
;

address:
	'(' base ')'
|	'(' base index ')'
|	'(' index ')'
;

base:
	REGISTER			{ p->operand.base = register_name(@1); }
;

index:
	',' REGISTER			{ p->operand.index = register_name(@2); }
|	',' REGISTER scale		{ p->operand.index = register_name(@2); }
|	scale
;

scale:
	',' expr			{ p->operand.scale = @2; }
;

expr:
	term
|	expr OPERATOR term
|	expr '*' term
;

term:
	VALUE
|	OPERATOR term
|	'(' expr ')'
;

%%

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

static void add_label(struct parser *p, struct asm_text t)
{
	struct asm_text name = text_between(t.p, text_end(t) - 1);

	while (is_blank(name.p[name.len - 1]))
		name.len--;
	parser_add(p, ASM_LABEL, t)->name = name;
}

/* A separator right behind a label is the label's. */
static void add_blank(struct parser *p, struct asm_text upto)
{
	struct asm_stmt *last = p->stmts.n ? &p->stmts.at[p->stmts.n - 1] : NULL;

	if (last && last->kind == ASM_LABEL && last->text.p[last->text.len - 1] == ':') {
		last->text = text_between(last->text.p, text_end(upto));
		p->start = text_end(upto);
		p->start_line = p->line;
	} else {
		parser_add(p, ASM_BLANK, upto);
	}
}

static void read_linemark(struct asm_stmt *s, struct asm_text t, uint32_t line)
{
	const char *c = t.p + 1, *quote = memchr(t.p, '"', t.len);

	s->mark_line = line;
	while (is_blank(*c))
		c++;
	for (; c < text_end(t) && *c >= '0' && *c <= '9'; c++)
		s->number = s->number * 10 + (uint32_t)(*c - '0');
	if (quote)
		s->args = text_between(quote + 1, memrchr(t.p, '"', t.len));
}

static void add_linemark(struct parser *p, struct asm_text t, struct asm_text upto)
{
	struct asm_stmt *s = parser_add(p, ASM_LINEMARK, upto);

	read_linemark(s, t, s->line);
}

/* gas finds directives by their names in lower case. */
static struct asm_text in_lower_case(struct asm_text name)
{
	size_t capital = 0;
	char *copy;

	while (capital < name.len && (name.p[capital] < 'A' || name.p[capital] > 'Z'))
		capital++;
	if (capital == name.len)
		return name;
	copy = arena_string(name.p, name.len);
	for (size_t i = capital; i < name.len; i++)
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] = (char)(copy[i] - 'A' + 'a');
	return (struct asm_text){copy, name.len};
}

static void add_directive(struct parser *p, struct asm_text name, struct asm_text args,
			  struct asm_text upto)
{
	struct asm_stmt *s = parser_add(p, ASM_DIRECTIVE, upto);

	s->name = in_lower_case(name);
	s->args = args;
	if (asm_text_means(name, ".intel_syntax"))
		p->syntax = args.p ? args : text_between(text_end(name), text_end(name));
	else if (asm_text_means(name, ".att_syntax"))
		p->syntax = (struct asm_text){0};
	else
		return;
	p->naked = !p->syntax.p && asm_text_is(args, "noprefix");
}

/* Both "=" and "==" are named "="; the arguments are the whole assignment. */
static void add_assignment(struct parser *p, struct asm_text left, struct asm_text right,
			   struct asm_text upto)
{
	const char *sign = text_end(left) - 1;

	if (sign[-1] == '=')
		sign--;
	add_directive(p, text_between(sign, sign + 1), text_between(left.p, text_end(right)), upto);
}

static void add_prefix(struct parser *p, struct asm_text prefix, struct asm_text upto)
{
	struct asm_stmt *s = parser_add(p, ASM_INSN, upto);

	s->name = prefix;
	s->prefix_only = true;
}

/* Intel syntax has its operands the other way round. */
static void turn_operands(struct parser *p)
{
	for (size_t i = 0, n = p->operands.n; i < n / 2; i++) {
		struct asm_operand o = p->operands.at[i];

		p->operands.at[i] = p->operands.at[n - 1 - i];
		p->operands.at[n - 1 - i] = o;
	}
}

static void add_insn(struct parser *p, struct asm_text upto)
{
	struct asm_stmt *s = parser_add(p, ASM_INSN, upto);
	size_t size = p->operands.n * sizeof *p->operands.at;

	if (p->syntax.p)
		turn_operands(p);

	s->name = p->mnemonic;
	s->prefix = p->prefix;
	s->n_operands = (uint32_t)p->operands.n;
	if (size)
		s->operands = memcpy(arena_alloc(size), p->operands.at, size);
}

static void add_raw(struct parser *p, struct asm_text upto)
{
	struct asm_stmt *s = parser_add(p, ASM_RAW, upto);

	s->name = p->raw_name;
	if (p->raw_mark.p)
		read_linemark(s, p->raw_mark, p->raw_mark_line);
	p->raw_name = p->raw_mark = (struct asm_text){0};
}

static void begin_insn(struct parser *p, struct asm_text prefix, struct asm_text mnemonic)
{
	p->prefix = prefix;
	p->mnemonic = mnemonic;
	p->operands.n = 0;
}

static void end_operand(struct parser *p, struct asm_text t, bool indirect)
{
	p->operand.text = t;
	p->operand.indirect = indirect;
	VEC_PUSH(&p->operands, p->operand);
	p->operand = (struct asm_operand){0};
}

static void add_intel(struct parser *p, struct asm_text t)
{
	VEC_PUSH(&p->operands, (struct asm_operand){.text = t});
	parser_read_intel(&p->operands.at[p->operands.n - 1]);
}

/* Replaces the operands by one that begins at first and reaches to the last token. */
static void give_up_operands(struct parser *p, const char *first)
{
	p->operands.n = 0;
	p->operand = (struct asm_operand){.kind = ASM_OP_OTHER};
	end_operand(p, text_between(first, p->last), false);
}

/* Without the '%' and blanks behind it. */
static struct asm_text register_name(struct asm_text t)
{
	const char *c = t.p + (*t.p == '%');

	while (is_blank(*c))
		c++;
	return text_between(c, text_end(t));
}

/* The grammar goes on after every error; running out of stack is told by the result of the
 * parser. */
static void gram_error(struct asm_text *loc, void *scanner, struct parser *p, const char *why)
{
	(void)loc, (void)scanner, (void)p, (void)why;
}
