/* A writer of a few functions instead of a library, because libraries build the whole tree first:
 * a million lines of counts would take a hundred times the memory that cacheprint needs. */
#include "cacheprint/json.h"

#include <math.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the UTF-8 character at the beginning of the text takes; 0 when it is none. */
static size_t utf8_length(struct text t)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {
	    {0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	const unsigned char *p = (const unsigned char *)t.at;
	uint32_t code;
	size_t n, i;

	for (n = 0; n < 4 && t.len && (p[0] & forms[n].mask) != forms[n].lead;)
		n++;
	if (n == 4 || n >= t.len)
		return 0;
	code = p[0] & (unsigned char)~forms[n].mask;
	for (i = 1; i <= n && (p[i] & 0xc0) == 0x80; i++)
		code = code << 6 | (p[i] & 0x3f);
	if (i <= n || code < forms[n].least || code > 0x10ffff || (code & 0xfffff800) == 0xd800)
		return 0;
	return n + 1;
}

/* What stands for a character that may not stand for itself, or NULL. */
static const char *escape(char c)
{
	switch (c) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\t':
		return "\\t";
	case '<':
		return "\\u003c";
	default:
		return NULL;
	}
}

static void put_character(FILE *out, const char *at, size_t len)
{
	const char *escaped = len == 1 ? escape(*at) : NULL;

	if (len == 0)
		fputs(REPLACEMENT, out);
	else if (escaped)
		fputs(escaped, out);
	else if (len == 1 && ((unsigned char)*at < 0x20 || *at == 0x7f))
		fprintf(out, "\\u%04x", (unsigned)*at);
	else
		fwrite(at, 1, len, out);
}

void json_text(FILE *out, struct text t)
{
	size_t len;

	fputc('"', out);
	while (t.len) {
		len = utf8_length(t);
		put_character(out, t.at, len);
		len += len == 0;
		t.at += len;
		t.len -= len;
	}
	fputc('"', out);
}

void json_string(FILE *out, const char *s)
{
	json_text(out, (struct text){s, strlen(s)});
}

void json_key(FILE *out, const char *name)
{
	json_string(out, name);
	fputc(':', out);
}

void json_counts(FILE *out, const int64_t *counts, unsigned n)
{
	fputc('[', out);
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%s%lld", i ? "," : "", (long long)counts[i]);
	fputc(']', out);
}

#define SAFE (INT64_C(1) << 53)

void json_safe_count(FILE *out, int64_t count)
{
	bool safe = count >= -SAFE && count <= SAFE;

	fprintf(out, safe ? "%lld" : "\"%lld\"", (long long)count);
}

void json_safe_counts(FILE *out, const int64_t *counts, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fputc(i ? ',' : '[', out);
		json_safe_count(out, counts[i]);
	}
	fputc(']', out);
}

void json_number(FILE *out, long double value)
{
	if (isnan(value) || isinf(value))
		fputs("null", out);
	else
		fprintf(out, "%.*Lg", value == truncl(value) && fabsl(value) < 0x1p64L ? 20 : 12,
		        value);
}

void json_profile(FILE *out, const struct profile *p)
{
	fputs("{\"path\":", out);
	json_string(out, p->path);
	fputs(",\"command\":", out);
	json_text(out, p->command);
	fputs(",\"descriptions\":[", out);
	for (size_t i = 0; i < p->descriptions.n; i++) {
		fputs(i ? ",[" : "[", out);
		json_text(out, p->descriptions.at[i].key);
		fputc(',', out);
		json_text(out, p->descriptions.at[i].value);
		fputc(']', out);
	}
	fputs("]}", out);
}
