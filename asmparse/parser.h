/* What the scanner, the grammar and parse.c share while a file is being read; nobody else includes
 * it. The scanner works on a copy of the text (flex writes into its buffer), but every asm_text
 * points into the caller's text. */
#ifndef ASMPARSE_PARSER_H
#define ASMPARSE_PARSER_H

#include "asmparse/asm.h"
#include "common/mem.h"

/* Bodies that are skipped up to .endm or .endr; gas counts nested ones of the same kind only. */
enum raw_block { RAW_NO_BLOCK, RAW_MACRO, RAW_REPEAT };

struct parser {
	const char *name;
	const char *text;
	size_t len;
	VEC(struct asm_stmt) stmts;

	/* The statement being read. */
	const char *start; /* where its text begins: the end of the last statement */
	uint32_t start_line;
	struct asm_text prefix, mnemonic;
	struct asm_operand operand; /* the parts found so far of the present operand */
	VEC(struct asm_operand) operands;

	struct asm_text syntax; /* as in struct asm_stmt, from the next statement on, and so is naked */
	bool naked;

	/* The scanner's own. */
	const char *copy; /* the text as flex sees it */
	const char *last; /* end of the last token of an operand */
	const char *open; /* the outermost open parenthesis */
	unsigned depth;	  /* of parentheses */
	unsigned conditions; /* that are open */
	uint32_t line;
	bool in_asm;
	bool other_syntax, code32; /* in a raw region: what is to be closed before it ends */
	enum raw_block block;
	unsigned block_depth;
	struct asm_text raw_name; /* the directive that opened the raw region */
	struct asm_text raw_mark; /* the last line mark in it */
	uint32_t raw_mark_line;
};

/* Adds a statement whose text reaches from the end of the last one to the end of upto. The caller
 * fills in the rest; the pointer is valid until the next call. */
struct asm_stmt *parser_add(struct parser *p, enum asm_kind kind, struct asm_text upto);

/* Ends the process with the message, the line that where is in (not before p->start) and a caret
 * below where. */
_Noreturn void parser_die(struct parser *p, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills in what an operand in Intel syntax is, of which it has the text; intel.c. */
void parser_read_intel(struct asm_operand *operand);

/* Whether it is a register's name, without '%', in any case of letters. */
bool parser_names_register(struct asm_text t);

/* Marks what LLVM's compilers did not compile themselves as assembly of the source's. False: the compiler is another
 * one. */
bool parser_mark_foreign(struct parser *p);

/* The place of a line of assembly; of the statements, those before that number tell of the source. */
struct loc parser_place(const struct asm_file *file, size_t before, unsigned line);

static inline const char *text_end(struct asm_text t)
{
	return t.p + t.len;
}

static inline struct asm_text text_between(const char *p, const char *end)
{
	return (struct asm_text){p, (size_t)(end - p)};
}

#endif
