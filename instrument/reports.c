#include "instrument/reports.h"

#include "common/diag.h"
#include "common/file.h"
#include "common/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As gas does it for make (depend.c there says: as gcc's mkdeps.c): blanks behind a backslash, with those
 * before it doubled, and $ doubled. */
static void print_quoted(FILE *out, const char *name)
{
	for (const char *c = name; *c; c++) {
		if (*c == ' ' || *c == '\t') {
			for (const char *b = c; b > name && b[-1] == '\\'; b--)
				fputc('\\', out);
			fputc('\\', out);
		} else if (*c == '$') {
			fputc('$', out);
		}
		fputc(*c, out);
	}
}

/* The rule's target is the user's object, and what was standard input is no file. */
static void name_files(const struct options *o, const char *object, const char *in)
{
	size_t len;
	char *text = file_read(o->dependencies, &len), *colon = strstr(text, object), *spooled, *named;
	FILE *out;

	if (!colon)
		die("%s: not what gas writes", o->dependencies);
	colon += strlen(object);
	spooled = o->input ? NULL : strstr(colon, in);
	out = memory_file(&named, &len);
	print_quoted(out, o->output);
	if (spooled)
		memset(spooled, ' ', strlen(in));
	fputs(colon, out);
	fclose(out);
	file_write(o->dependencies, named, len);
	free(named);
	free(text);
}

int reports_write(const struct options *o, const char *temp_dir, const char *in)
{
	struct assembler as = {.argv = o->report_argv, .temp_dir = temp_dir};
	char *object = xasprintf("%s/%s", temp_dir, REPORT_OBJECT), *said;
	int status;

	if (!o->report_argv)
		return 0;
	said = assembler_listen(&as, in, object, &status);
	if (status)
		fputs(said, stderr); /* it has been said before, but for what cannot be written */
	else if (o->dependencies)
		name_files(o, REPORT_OBJECT, in);
	free(said);
	return status;
}
