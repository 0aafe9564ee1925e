#include "instrument/reports.h"

#include "common/diag.h"
#include "common/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file; the caller frees it. */
static void read_text(const char *path, char **text)
{
	FILE *in = fopen(path, "re");
	size_t room = 0;

	*text = NULL;
	if (!in)
		die("cannot open %s:", path);
	if (getdelim(text, &room, '\0', in) < 0)
		die("cannot read %s:", path);
	fclose(in);
}

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
	char *text, *colon, *spooled;
	FILE *out;

	read_text(o->dependencies, &text);
	colon = strstr(text, object);
	if (!colon)
		die("%s: not what gas writes", o->dependencies);
	colon += strlen(object);
	spooled = o->input ? NULL : strstr(colon, in);
	out = fopen(o->dependencies, "we");
	if (!out)
		die("cannot write %s:", o->dependencies);
	print_quoted(out, o->output);
	if (spooled)
		memset(spooled, ' ', strlen(in));
	fputs(colon, out);
	if (fclose(out))
		die("cannot write %s:", o->dependencies);
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
