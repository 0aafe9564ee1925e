/* The syntax tree of an assembly file: a list of statements whose texts, one after the other, are
 * the file, byte for byte. The only header of this module that others include.
 *
 * gas syntax (binutils 2.40, "Using as", chapters Syntax and i386-Dependent), AT&T operands, as
 * gcc, clang, gnat, gdc and gccgo write it and as people write it by hand. */
#ifndef ASMPARSE_ASM_H
#define ASMPARSE_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/diag.h"

/* A piece of the file's text; not ended by a NUL. p is NULL where there is none. */
struct asm_text {
	const char *p;
	size_t len;
};

enum asm_kind {
	ASM_BLANK,     /* nothing but white space and comments */
	ASM_LABEL,     /* name: (also numeric, also quoted); name without the colon */
	ASM_DIRECTIVE, /* .name args; also "sym = expr" and "sym == expr", whose name is "=" and
			* whose args are all of it */
	ASM_INSN,      /* [prefixes] mnemonic operands; also an invocation of a macro */
	ASM_LINEMARK,  /* # 12 "file.S" 1 (cpp) or # 12: line number and file */
	ASM_RAW,       /* passed through, a barrier: .macro/.rept/.irp/.irpc bodies with their
			* opening and closing lines, .code16/.code32 regions, one statement each,
			* named after what opened it; what follows .end; a line that begins like no
			* statement, without a name. Excluded .if branches are NOT raw: they parse
			* as usual */
};

enum asm_operand_kind {
	ASM_OP_REGISTER,  /* %rax, %st(1), with decorations {%k1}{z}; the '%' may be missing where gas is told so */
	ASM_OP_IMMEDIATE, /* $expr; in Intel syntax a number or OFFSET expr */
	ASM_OP_MEMORY,    /* seg:disp(base,index,scale), with decorations; in Intel syntax what has brackets, PTR or
			   * a segment */
	ASM_OP_BARE,      /* an expression alone: a branch's target or an absolute address */
	ASM_OP_OTHER,     /* {sae}, {rn-sae} and whatever else gas may know */
};

struct asm_operand {
	enum asm_operand_kind kind;
	bool indirect;		   /* '*' before it */
	struct asm_text text;	   /* the whole operand, without '*' */
	struct asm_text segment;   /* "fs", without '%' and ':' */
	struct asm_text disp;	   /* displacement expression of a memory or bare operand, as AT&T syntax has it:
				    * in Intel syntax it may be put together of several pieces */
	struct asm_text base;	   /* "rax", without '%' */
	struct asm_text index;	   /* "rcx", without '%' */
	struct asm_text scale;	   /* "8" */
};

struct asm_stmt {
	enum asm_kind kind;
	uint32_t line;		/* physical line of the file on which it begins, from 1 */
	struct asm_text text;	/* all of it: leading blanks to the separator (newline or ';')
				 * with comments, so that the texts tile the file */
	struct asm_text name;	/* label, directive (with the dot, in lower case) or mnemonic */
	struct asm_text args;	/* a directive's arguments, trimmed, without comment; of a line mark the
				 * file name, without quotes, or NULL */
	struct asm_text prefix; /* ASM_INSN: "rep", "lock; " ... as written before the mnemonic on
				 * the same statement, or NULL. A statement that holds nothing but
				 * prefixes ("rep", "lock", "data16", "rex64", "notrack", "bnd",
				 * "addr32", {vex} and their like) has them as its mnemonic and
				 * prefix_only set: it belongs to the next statement */
	bool prefix_only;
	struct asm_text syntax;	/* Intel: "noprefix", "prefix" or "", the argument of .intel_syntax; AT&T: NULL */
	bool naked;		/* behind .att_syntax noprefix: registers need no '%' */
	bool in_asm;		/* between gcc's #APP and #NO_APP; in LLVM's output, outside its functions, too */
	uint32_t mark_line;	/* ASM_LINEMARK, and ASM_RAW in which there are line marks, the last of which holds
				 * behind it: the physical line of the mark. 0: there is none */
	uint32_t number;	/* the line number that it gives to the next line */
	uint32_t n_operands;
	struct asm_operand *operands; /* in AT&T order */
};

struct asm_file {
	const char *name; /* as given, for messages */
	const char *text; /* not owned */
	size_t len;
	struct asm_stmt *stmts;
	size_t n;
	bool llvm; /* the compiler is LLVM's */
};

/* Parses text (len bytes; no NUL is needed behind it); the tree points into text and lives in the
 * arena. An unclosed string, comment, parenthesis or macro, and a control byte outside of strings
 * and comments, are syntax errors; what gas alone can judge is none. On a syntax error it reports
 * "foo.s:345: error: ..." with the line and a caret and ends the process with EXIT_FAILED. When the
 * text came from a compiler, the source place that the last .loc or line mark gives goes first:
 * "foo.c:12: (foo.s:345) error: ...". Time and memory are linear in len. */
struct asm_file *asm_parse(const char *name, const char *text, size_t len);

/* Writes the statements' texts: the file again, byte for byte. Returns false on a write error. */
bool asm_print(const struct asm_file *file, FILE *out);

/* Dumps for --ddump-preparsed (kind and text of each statement) and --ddump-parsed (also names,
 * operands and their parts), one statement a line. */
void asm_dump_preparsed(const struct asm_file *file, FILE *out);
void asm_dump_parsed(const struct asm_file *file, FILE *out);

/* The place of a statement, for messages: with that in the source if the text came from a compiler, as above.
 * Takes time as long as the file. */
struct loc asm_place(const struct asm_file *file, size_t stmt);

/* Whether a text is, or begins with, a string. */
bool asm_text_is(struct asm_text t, const char *s);
bool asm_text_begins(struct asm_text t, const char *s);

/* Whether a text is a word, or one of n words, to gas: case makes no difference. */
bool asm_text_means(struct asm_text t, const char *word);
bool asm_text_among(struct asm_text t, const char *const *words, size_t n);
#define ASM_TEXT_AMONG(text, words) asm_text_among(text, words, sizeof(words) / sizeof *(words))

/* Whether two texts are equal. */
bool asm_text_same(struct asm_text a, struct asm_text b);

#endif
