/* gcc reads response files itself; we read them only to know what they say. libiberty has the very
 * routine, but its xrealloc and ours cannot be linked together. */
#include "common/response.h"

#include "common/diag.h"
#include "common/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files that name one another in a circle end here, as in gcc. */
enum { MOST_FILES = 2000 };

typedef VEC(char *) strings;

struct expansion {
	strings words;
	unsigned files;
};

/* The text of a file, never freed because its words point into it, or NULL: it cannot be read. */
static char *read_whole(const char *path)
{
	FILE *in = fopen(path, "r");
	struct stat st;
	char *text = NULL;
	size_t room = 0;

	if (!in)
		return NULL;
	if (!fstat(fileno(in), &st) && !S_ISDIR(st.st_mode) && getdelim(&text, &room, '\0', in) < 0)
		text = xstrdup("");
	fclose(in);
	return text;
}

/* Takes one word off *from, unquoted in its place, or returns NULL at the end of the text. */
static char *next_word(char **from)
{
	char *in = *from + strspn(*from, " \t\n\v\f\r");
	char *word = in, *out = in, quote = 0;

	if (!*in)
		return NULL;
	for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
		if (*in == '\\' && in[1])
			*out++ = *++in;
		else if (quote ? *in == quote : *in == '\'' || *in == '"')
			quote = quote ? 0 : *in;
		else
			*out++ = *in;
	}
	*from = *in ? in + 1 : in;
	*out = '\0';
	return word;
}

static void expand_word(struct expansion *to, char *word)
{
	char *text = *word == '@' ? read_whole(word + 1) : NULL;
	char *rest = text;

	if (!text) {
		VEC_PUSH(&to->words, word);
		return;
	}
	if (++to->files > MOST_FILES)
		die("%s: too many @-files encountered", word);
	while ((word = next_word(&rest)))
		expand_word(to, word);
}

char **response_expand(char **argv)
{
	struct expansion all = {0};

	for (; *argv; argv++)
		expand_word(&all, *argv);
	VEC_PUSH(&all.words, NULL);
	return all.words.at;
}
