/* Clang names types of sections that gas calls unrecognized, and makes ordinary sections of: of C++20 in every file
 * (.linker-options), and where the source says #pragma comment(lib, "m"), whose section ld.lld obeys by its type. */
#include "instrument/dialect.h"

#include <string.h>

#define MARK "@llvm_"

static const struct type {
	const char *name, *number;
} types[] = {
	{"@llvm_odrtab", "@0x6fff4c00"},
	{"@llvm_linker_options", "@0x6fff4c01"},
	{"@llvm_dependent_libraries", "@0x6fff4c04"},
	{"@llvm_sympart", "@0x6fff4c05"},
	{"@llvm_offloading", "@0x6fff4c0b"},
};

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

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strlen(types[i].name) == len && !memcmp(at, types[i].name, len))
			return &types[i];
	}
	return NULL;
}

bool dialect_translate(char *text, size_t len)
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
