/* The displacement of an operand as gas reads it: a number, a symbol plus a number, or more. */
#ifndef INSTRUMENT_EXPRESSION_H
#define INSTRUMENT_EXPRESSION_H

#include "asmparse/asm.h"

enum expression_kind {
	EXPRESSION_NUMBER, /* no symbol in it */
	EXPRESSION_SYMBOL, /* symbol + addend; one that is more complicated is the symbol whole, in
			    * parentheses, with addend 0 */
	EXPRESSION_PLACE,  /* "." is in it: it means something else elsewhere */
};

enum expression_kind expression_split(struct asm_text text, struct asm_text *symbol,
				      int64_t *addend);

/* Whether the symbol has the suffix ("@GOTPCREL"), in any case. */
bool expression_has_suffix(struct asm_text symbol, const char *suffix);

/* The first name or number in [*p, end), without its quotes; *p goes behind it. Empty at the end. */
struct asm_text expression_next_name(const char **p, const char *end);

/* The symbol without the suffix. */
struct asm_text expression_strip_suffix(struct asm_text symbol, const char *suffix);

/* The name that is written so, in quotes or not. */
struct asm_text expression_unquoted(struct asm_text t);

#endif
