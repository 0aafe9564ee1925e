#include "instrument/include.h"

#include "common/diag.h"
#include "common/file.h"
#include "common/mem.h"
#include "instrument/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gas has no limit; a file that includes itself must end somewhere. */
#define MAX_DEPTH 50

struct includer {
	const struct assembler *as;
	FILE *out;
	unsigned depth;
	bool marks, any;
};

static bool is_include(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE && asm_text_means(s->name, ".include");
}

/* What a compiler wrote tells its lines by .loc: marks would be in the way. */
static bool is_by_hand(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (file->stmts[i].kind == ASM_DIRECTIVE && asm_text_is(file->stmts[i].name, ".loc"))
			return false;
	return true;
}

/* In the arena; NULL: there is no such file, or no line mark can name it. */
static const char *named_file(const char *directory, struct asm_text name)
{
	char *path = xasprintf("%s%s%.*s", directory ? directory : "", directory ? "/" : "", (int)name.len, name.p);
	const char *kept = access(path, R_OK) || strpbrk(path, "\"\\\n") ? NULL : arena_string(path, strlen(path));

	free(path);
	return kept;
}

/* gas looks in the directories of -I in their order, and then takes the name as it is (binutils 2.40, read.c,
 * s_include). */
static const char *find_file(const struct includer *in, struct asm_text name)
{
	const char *found = NULL;

	for (char **arg = in->as->argv + 1; *arg && !found; arg++) {
		if (strncmp(*arg, "-I", 2))
			continue;
		if ((*arg)[2])
			found = named_file(*arg + 2, name);
		else if (arg[1])
			found = named_file(*++arg, name);
	}
	return found ? found : named_file(NULL, name);
}

/* The next line is that one. */
static void print_mark(const struct includer *in, unsigned line, const char *name)
{
	if (in->marks)
		fprintf(in->out, "\n# %u \"%s\"\n", line, name);
	else
		putc('\n', in->out);
}

static void print_file(struct includer *in, const struct asm_file *file);

/* Returns false if the directive remains. */
static bool print_included(struct includer *in, const struct asm_file *file, size_t i)
{
	const struct asm_stmt *s = &file->stmts[i];
	struct loc here = asm_place(file, i);
	const char *path = NULL;
	size_t len;
	char *text;

	if (in->depth < MAX_DEPTH && s->args.len > 2 && s->args.p[0] == '"')
		path = find_file(in, (struct asm_text){s->args.p + 1, s->args.len - 2});
	if (!path)
		return false;
	text = file_read(path, &len);
	in->depth++;
	print_mark(in, 1, path);
	print_file(in, asm_parse(path, text, len));
	print_mark(in, (here.source ? here.source_line : here.line) + (s->text.p[s->text.len - 1] == '\n'),
		   here.source ? here.source : here.file);
	in->depth--;
	in->any = true;
	return true;
}

static void print_file(struct includer *in, const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (!is_include(&file->stmts[i]) || !print_included(in, file, i))
			fwrite(file->stmts[i].text.p, 1, file->stmts[i].text.len, in->out);
}

static bool is_same(const struct asm_file *file, const struct assembler *as, const char *text, size_t len)
{
	trial_write(as, "listed.s", file->text, file->len);
	trial_write(as, "expanded.s", text, len);
	if (!trial_assemble(as, "listed.s", "listed.o", NULL))
		return false;
	if (trial_expanded(as))
		return true;
	warn("%s: what it includes cannot be written out: what that refers to is counted in part", file->name);
	return false;
}

const struct asm_file *include(const struct asm_file *file, const struct assembler *as)
{
	struct includer in = {.as = as};
	char *text = NULL;
	size_t len, n = 0;

	while (n < file->n && !is_include(&file->stmts[n]))
		n++;
	if (n == file->n)
		return file;
	in.marks = is_by_hand(file);
	in.out = memory_file(&text, &len);
	print_file(&in, file);
	fclose(in.out);
	return in.any && is_same(file, as, text, len) ? asm_parse(file->name, text, len) : file;
}
