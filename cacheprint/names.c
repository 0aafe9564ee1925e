/* Valgrind writes C++ names demangled, cacheprof writes the symbols of the assembly. They are
 * demangled when a profile is read and not when they are printed, so that symbols with one name (a
 * constructor has two) become one function, as they do in Valgrind's profiles. */
#include "cacheprint/names.h"

#include "cacheprint/demangle.h"
#include "common/diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define ELLIPSIS "..."
#define INLINED " inlined into "

struct substitution {
	pcre2_code *code;
	const char *replacement; /* in PCRE2's notation */
	uint32_t options;
};

/* Copies the piece up to the delimiter, which may be escaped; NULL when there is none. */
static char *take_piece(const char **at, char delimiter)
{
	VEC(char) piece = {0};

	for (const char *p = *at; *p; p++) {
		if (*p == delimiter) {
			VEC_PUSH(&piece, 0);
			*at = p + 1;
			return piece.at;
		}
		if (*p == '\\' && p[1] == delimiter)
			p++;
		else if (*p == '\\' && p[1])
			VEC_PUSH(&piece, *p++);
		VEC_PUSH(&piece, *p);
	}
	VEC_FREE(&piece);
	return NULL;
}

/* Perl's \1 and $& are ${1} and ${0} here, and \$ is $$; other escaped characters stand for themselves. */
static const char *convert_replacement(const char *perl)
{
	VEC(char) to = {0};
	const char *text;

	for (const char *p = perl; *p; p++) {
		bool group = *p == '\\' && isdigit((unsigned char)p[1]);
		bool whole = *p == '$' && p[1] == '&';

		if (group || whole) {
			VEC_PUSH(&to, '$');
			VEC_PUSH(&to, '{');
			VEC_PUSH(&to, whole ? '0' : p[1]);
			VEC_PUSH(&to, '}');
			p++;
			continue;
		}
		if (*p == '\\' && p[1] == '$')
			VEC_PUSH(&to, '$');
		if (*p == '\\' && p[1])
			p++;
		VEC_PUSH(&to, *p);
	}
	text = arena_string(to.at, to.n);
	VEC_FREE(&to);
	return text;
}

static bool take_flags(const char *flags, uint32_t *compile, uint32_t *substitute)
{
	static const struct {
		char flag;
		uint32_t compile, substitute;
	} known[] = {
	    {'g', 0, PCRE2_SUBSTITUTE_GLOBAL}, {'i', PCRE2_CASELESS, 0},
	    {'m', PCRE2_MULTILINE, 0},         {'s', PCRE2_DOTALL, 0},
	    {'x', PCRE2_EXTENDED, 0},
	};
	size_t i;

	for (; *flags; flags++) {
		for (i = 0; i < sizeof known / sizeof *known && known[i].flag != *flags;)
			i++;
		if (i == sizeof known / sizeof *known)
			return false;
		*compile |= known[i].compile;
		*substitute |= known[i].substitute;
	}
	return true;
}

static const char *compile(struct substitution *s, const char *pattern, uint32_t options)
{
	PCRE2_UCHAR reason[160];
	PCRE2_SIZE where;
	char *message;
	int error;

	s->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &error, &where,
	                        NULL);
	if (s->code)
		return NULL;
	pcre2_get_error_message(error, reason, sizeof reason);
	message =
	    xasprintf("%s at character %zu of '%s'", (char *)reason, (size_t)where + 1, pattern);
	return message;
}

const char *naming_substitute(substitution_list *list, const char *expression)
{
	struct substitution *s = arena_alloc(sizeof *s);
	const char *at = expression + 2, *error;
	char delimiter = expression[0] == 's' ? expression[1] : 0, *pattern, *replacement;
	uint32_t options = 0;

	if (!ispunct((unsigned char)delimiter) || delimiter == '\\')
		return "an expression like s/old/new/ is needed";
	pattern = take_piece(&at, delimiter);
	replacement = pattern ? take_piece(&at, delimiter) : NULL;
	if (!replacement)
		error = "a delimiter is missing: s/old/new/";
	else if (!take_flags(at, &options, &s->options))
		error = "only the flags g, i, m, s and x are known";
	else
		error = compile(s, pattern, options);
	if (!error) {
		s->replacement = convert_replacement(replacement);
		VEC_PUSH(list, s);
	}
	free(pattern);
	free(replacement);
	return error;
}

/* Sets *name to what the expression makes of it. As in Perl, a group that took no part is empty. */
static void substitute(const struct substitution *s, struct text *name)
{
	const uint32_t options =
	    s->options | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | PCRE2_SUBSTITUTE_UNSET_EMPTY;
	PCRE2_SIZE len = name->len * 2 + 256; /* of what is there, or, behind a call, of what is needed */
	char *to = NULL;
	int n;

	do {
		to = xrealloc(to, len, 1);
		n = pcre2_substitute(s->code, (PCRE2_SPTR)name->at, name->len, 0, options, NULL,
		                     NULL, (PCRE2_SPTR)s->replacement, PCRE2_ZERO_TERMINATED,
		                     (PCRE2_UCHAR *)to, &len);
	} while (n == PCRE2_ERROR_NOMEMORY);
	if (n < 0) {
		PCRE2_UCHAR reason[160];

		pcre2_get_error_message(n, reason, sizeof reason);
		die_usage("'%s' cannot be put into '%.*s': %s", s->replacement, (int)name->len,
		          name->at, (char *)reason);
	}
	if (n > 0)
		*name = (struct text){arena_string(to, len), len};
	free(to);
}

static struct text substitute_all(const substitution_list *list, struct text name)
{
	for (size_t i = 0; i < list->n; i++)
		substitute(list->at[i], &name);
	return name;
}

struct text naming_file(const struct naming *n, struct text recorded)
{
	return substitute_all(&n->files, recorded);
}

static bool ends_in(struct text t, const char *end)
{
	size_t len = strlen(end);

	return t.len >= len && memcmp(t.at + t.len - len, end, len) == 0;
}

static struct text demangled(struct text symbol, struct text file)
{
	bool is_ada = ends_in(file, ".adb") || ends_in(file, ".ads");
	char *copy, *name;

	if (!is_ada && (symbol.len < 3 || symbol.at[0] != '_'))
		return symbol;
	copy = xstrndup(symbol.at, symbol.len);
	name = demangle(copy, is_ada);
	if (name)
		symbol = (struct text){arena_string(name, strlen(name)), strlen(name)};
	free(name);
	free(copy);
	return symbol;
}

struct text naming_function(const struct naming *n, struct text recorded, struct text file)
{
	return substitute_all(&n->functions, n->demangle ? demangled(recorded, file) : recorded);
}

static bool is_inside_character(char c)
{
	return (c & 0xc0) == 0x80;
}

/* Where character number n of the text begins. */
static size_t character(const char *text, size_t n)
{
	size_t i = 0;

	for (; n && text[i]; n--)
		for (i++; is_inside_character(text[i]);)
			i++;
	return i;
}

static size_t count_characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += !is_inside_character(*text);
	return n;
}

static const char *shorten(const char *name, size_t width)
{
	size_t n = count_characters(name), room, head;
	char *text;
	const char *kept;

	if (n <= width || width < strlen(ELLIPSIS) + 2)
		return name;
	room = width - strlen(ELLIPSIS);
	head = (room + 1) / 2;
	text = xasprintf("%.*s" ELLIPSIS "%s", (int)character(name, head), name,
	                 name + character(name, n - (room - head)));
	kept = arena_string(text, strlen(text));
	free(text);
	return kept;
}

/* Behind the bracket that closes the one at p, or NULL. */
static const char *behind_brackets(const char *p)
{
	char open = *p, close = open == '<' ? '>' : ')';
	int depth = 0;

	while (p && *p) {
		if (open == '<' && *p == '(') {
			p = behind_brackets(p); /* in which there may be a comparison */
			continue;
		}
		depth += *p == open;
		if (*p == close && !(close == '>' && p[-1] == '-') && --depth == 0)
			return p + 1;
		p++;
	}
	return NULL;
}

/* How much at p stands for itself: operator<< has no arguments of a template, operator() no parameters, and the
 * beginning of Rust's <A as B>::c is what c is of. */
static size_t count_plain(const char *name, const char *p, bool parameters)
{
	static const char *const words[] = {"operator()", "(anonymous namespace)", "()"};
	bool within = p > name && (isalnum((unsigned char)p[-1]) || p[-1] == '_');

	for (size_t i = within; i < sizeof words / sizeof *words; i++)
		if (strncmp(p, words[i], strlen(words[i])) == 0)
			return strlen(words[i]);
	if (!within && strncmp(p, "operator", strlen("operator")) == 0)
		return strlen("operator") + strspn(p + strlen("operator"), "<=>-");
	return (*p == '<' && p > name) || (*p == '(' && parameters) ? 0 : 1;
}

/* The name with "<...>" and, if parameters are to go as well, "(...)"; NULL: it is not written in that way. */
static char *leave_out(const char *name, bool parameters)
{
	VEC(char) to = {0};
	size_t n;

	for (const char *p = name, *next; *p; p = next) {
		n = count_plain(name, p, parameters);
		next = n ? p + n : behind_brackets(p);
		if (!next) {
			VEC_FREE(&to);
			return NULL;
		}
		for (const char *c = p; n && c < next; c++)
			VEC_PUSH(&to, *c);
		for (const char *c = *p == '<' ? "<" ELLIPSIS ">" : "(" ELLIPSIS ")"; !n && *c; c++)
			VEC_PUSH(&to, *c);
	}
	VEC_PUSH(&to, 0);
	return to.at;
}

/* Behind the type that a function of a template returns; arguments of templates are left out already. */
static const char *behind_type(const char *name)
{
	const char *end = strrchr(name, '('), *begin = name, *word = name;
	int depth = 0;

	for (const char *p = name; end && p < end; p++) {
		depth += (*p == '(') - (*p == ')');
		if (*p != ' ' || depth)
			continue;
		if (!memmem(word, (size_t)(p - word), "operator", strlen("operator")))
			begin = p + 1;
		word = p + 1;
	}
	return begin;
}

/* Without what gcc has made of the function. */
static const char *leave_out_clone(const char *name)
{
	const char *clone = strstr(name, " [clone ");

	return clone ? arena_string(name, (size_t)(clone - name)) : name;
}

/* Without "<...>" and "(...)". */
static const char *leave_out_marks(const char *name)
{
	static const char *const marks[] = {"<" ELLIPSIS ">", "(" ELLIPSIS ")"};
	char *text = xstrdup(name), *at;
	const char *kept;

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		while ((at = strstr(text, marks[i])))
			memmove(at, at + strlen(marks[i]), strlen(at + strlen(marks[i])) + 1);
	kept = arena_string(text, strlen(text));
	free(text);
	return kept;
}

/* Of a name with "<...>" what the function is called stands at the end. */
static const char *keep_end(const char *name, size_t width)
{
	size_t n = count_characters(name);
	char *text;
	const char *kept;

	if (n <= width || width < strlen(ELLIPSIS) + 2)
		return name;
	text = xasprintf(ELLIPSIS "%s", name + character(name, n - (width - strlen(ELLIPSIS))));
	kept = arena_string(text, strlen(text));
	free(text);
	return kept;
}

static const char *fit(const char *name, size_t width)
{
	const char *shortest = name;

	for (int parameters = 0; parameters < 2 && count_characters(shortest) > width; parameters++) {
		char *text = leave_out(name, parameters);

		if (text && strlen(text) < strlen(shortest))
			shortest = arena_string(text, strlen(text));
		free(text);
	}
	if (!strstr(shortest, ELLIPSIS))
		return shorten(shortest, width);
	if (count_characters(shortest) > width)
		shortest = behind_type(shortest);
	if (count_characters(shortest) > width)
		shortest = leave_out_clone(shortest);
	if (count_characters(shortest) > width)
		shortest = leave_out_marks(shortest);
	return keep_end(shortest, width);
}

/* Of a function that was inlined and of the one that it was inlined into both must be told. */
static const char *shorten_both(const char *name, size_t width, const char *(*one)(const char *name, size_t width))
{
	const char *inlined = strstr(name, INLINED), *host;
	size_t room;

	if (!inlined || count_characters(name) <= width || width <= strlen(INLINED))
		return one(name, width);
	room = width - strlen(INLINED);
	host = inlined + strlen(INLINED);
	if (count_characters(host) < room / 2)
		room -= count_characters(host);
	else
		room -= room / 2;
	name = one(arena_string(name, (size_t)(inlined - name)), room);
	host = one(host, width - strlen(INLINED) - count_characters(name));
	return names_inlined(name, (struct text){host, strlen(host)}).at;
}

const char *names_shorten(const char *name, size_t width)
{
	return shorten_both(name, width, shorten);
}

const char *names_fit(const char *name, size_t width)
{
	return shorten_both(name, width, fit);
}

struct text names_inlined(const char *name, struct text host)
{
	char *text = xasprintf("%s" INLINED "%.*s", name, (int)host.len, host.at);
	struct text kept = {arena_string(text, strlen(text)), strlen(text)};

	free(text);
	return kept;
}

/* Where the template's arguments that end before `end` begin. */
static size_t before_template(const char *name, size_t end)
{
	int depth = 0;

	while (end > 0) {
		end--;
		depth += (name[end] == '>') - (name[end] == '<');
		if (depth == 0)
			return end;
	}
	return 0;
}

/* Where the parameters, gcc's suffixes or what it was inlined into begin. */
static size_t end_of_name(const char *name)
{
	const char *inlined = strstr(name, INLINED);
	size_t i, n = inlined ? (size_t)(inlined - name) : strlen(name);
	int depth = 0;

	for (i = 0; i < n; i++) {
		depth += (name[i] == '<') - (name[i] == '>');
		if (depth == 0 && (name[i] == '(' || name[i] == '.'))
			break;
	}
	return i;
}

struct text names_bare(const char *name)
{
	size_t end = end_of_name(name), start;

	if (end > 0 && name[end - 1] == '>')
		end = before_template(name, end);
	for (start = end; start > 0 && (isalnum((unsigned char)name[start - 1]) ||
	                                name[start - 1] == '_' || name[start - 1] == '~');)
		start--;
	return (struct text){name + start, end - start};
}
