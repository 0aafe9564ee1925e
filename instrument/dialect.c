/* Clang names types of sections that gas calls unrecognized, and makes ordinary sections of: of C++20 in every file
 * (.linker-options), and where the source says #pragma comment(lib, "m"), whose section ld.lld obeys by its type.
 *
 * The padding of a call for the address of a thread-local variable clang writes as prefixes on lines of their own, of
 * each of which gas warns. */
#include "instrument/dialect.h"

#include <string.h>

#define MARK "@llvm_"

static const struct type {
	const char *name, *number;
	const char *next; /* what it begins with, where the name has meant something else as well */
} types[] = {
	{"@llvm_odrtab", "@0x6fff4c00", ""},
	{"@llvm_linker_options", "@0x6fff4c01", ""},
	{"@llvm_dependent_libraries", "@0x6fff4c04", ""},
	{"@llvm_sympart", "@0x6fff4c05", ""},
	{"@llvm_bb_addr_map", "@0x6fff4c08", "\t.quad"}, /* before clang 15, without a version */
	{"@llvm_bb_addr_map", "@0x6fff4c0a", ""},
	{"@llvm_offloading", "@0x6fff4c0b", ""},
	{"@llvm_jt_sizes", "@0x6fff4c0d", ""},
	{"@llvm_call_graph", "@0x6fff4c0f", ""},
};

static bool begins(const char *at, const char *with)
{
	return !strncmp(at, with, strlen(with));
}

static size_t line_length(const char *at)
{
	return strcspn(at, "\n");
}

/* Whether the line with at begins with .section. */
static bool names_section(const char *text, const char *at)
{
	static const char directive[] = ".section";
	const char *line = at;

	while (line > text && line[-1] != '\n')
		line--;
	line += strspn(line, " \t");
	return !strncmp(line, directive, sizeof directive - 1);
}

/* The type whose name stands there, whole; or NULL. */
static const struct type *type_at(const char *at)
{
	size_t len = strcspn(at, ", \t\n");
	const char *next = at + line_length(at);

	next += *next == '\n';
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const struct type *type = &types[i];

		if (strlen(type->name) == len && !memcmp(at, type->name, len) && begins(next, type->next))
			return type;
	}
	return NULL;
}

static bool translate_types(char *text, size_t len)
{
	char *end = text + len;
	bool any = false;

	for (char *at = text; (at = memmem(at, (size_t)(end - at), MARK, strlen(MARK))); at++) {
		const struct type *type = type_at(at);

		if (!type || !names_section(text, at))
			continue;
		memset(at, ' ', strlen(type->name));
		memcpy(at, type->number, strlen(type->number));
		any = true;
	}
	return any;
}

#define PREFIX "\tdata16\n"
#define PREFIX_LEN (sizeof PREFIX - 1)

/* Whether the line asks for a variable's address, or calls for it. */
static bool is_lookup(const char *line)
{
	size_t len = line_length(line);

	return memmem(line, len, "@TLSGD", 6) || (begins(line, "\tcall") && memmem(line, len, "__tls_get_addr", 14));
}

/* Writes n prefixes in such a way that gas does not warn, and what follows them stays where it was: on the line of what
 * follows or, since gas takes no prefix twice, as data. */
static bool pad(char *at, size_t n)
{
	static const char one[] = "\ndata16 ", two[] = "\t.value 0x6666\n\n", rex[] = "\trex64\n";
	const char *behind = at + n * PREFIX_LEN;
	size_t more = begins(behind, rex) ? sizeof rex - 1 : 0;

	if (n > 2 || !is_lookup(behind + more))
		return false;
	if (n == 2)
		memcpy(at, two, sizeof two - 1);
	else
		memcpy(at, one, sizeof one - 1);
	return true;
}

static bool translate_padding(char *text, size_t len)
{
	char *end = text + len, *at = text;
	bool any = false;

	while ((at = memmem(at, (size_t)(end - at), PREFIX, PREFIX_LEN))) {
		size_t n = 1;

		while (begins(at + n * PREFIX_LEN, PREFIX))
			n++;
		if (at == text || at[-1] == '\n')
			any |= pad(at, n);
		at += n * PREFIX_LEN;
	}
	return any;
}

bool dialect_translate(char *text, size_t len)
{
	bool any = translate_types(text, len);

	return translate_padding(text, len) || any;
}
