#include "instrument/macros.h"

#include "common/mem.h"

#include <ctype.h>
#include <string.h>
#include <uthash.h>

struct macro {
	const char *name; /* in lower case */
	UT_hash_handle hh;
};

static char *lower(struct asm_text name)
{
	char *s = arena_string(name.p, name.len);

	for (size_t i = 0; i < name.len; i++)
		s[i] = (char)tolower((unsigned char)s[i]);
	return s;
}

static struct macro *find(const struct macros *macros, const char *name, size_t len)
{
	struct macro *macro = NULL;

	HASH_FIND(hh, macros->names, name, len, macro);
	return macro;
}

static void add(struct macros *macros, struct asm_text name)
{
	struct macro *macro = arena_alloc(sizeof *macro);

	macro->name = lower(name);
	if (!find(macros, macro->name, name.len))
		HASH_ADD_KEYPTR(hh, macros->names, macro->name, name.len, macro);
}

static struct asm_text word_at(const char *p, const char *end)
{
	const char *start;

	while (p < end && strchr(" \t", *p))
		p++;
	for (start = p; p < end && !strchr(" \t,\r\n;", *p);)
		p++;
	return (struct asm_text){start, (size_t)(p - start)};
}

void macros_add(struct macros *macros, struct asm_text text)
{
	static const char directive[] = ".macro";
	const size_t n = strlen(directive);

	for (size_t i = 0; i + n < text.len; i++)
		if (asm_text_means((struct asm_text){text.p + i, n}, directive))
			add(macros, word_at(text.p + i + n, text.p + text.len));
}

void macros_add_file(struct macros *macros, const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (file->stmts[i].kind == ASM_RAW)
			macros_add(macros, file->stmts[i].text);
}

void macros_free(struct macros *macros)
{
	HASH_CLEAR(hh, macros->names);
}

bool macros_have(const struct macros *macros, struct asm_text name)
{
	return macros->names && find(macros, lower(name), name.len);
}
