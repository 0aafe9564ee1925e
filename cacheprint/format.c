#include "cacheprint/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

void format_text(FILE *out, struct text text)
{
	for (size_t i = 0, plain; i < text.len; i++) {
		for (plain = i; i < text.len && !is_control(text.at[i]);)
			i++;
		fwrite(text.at + plain, 1, i - plain, out);
		if (i < text.len)
			fprintf(out, "^%c", text.at[i] ^ 0x40);
	}
}

void format_between(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	format_text(out, (struct text){text, strlen(text)});
	fputs(after, out);
}

void format_plain(char *name)
{
	for (; *name; name++)
		if (is_control(*name))
			*name = '?';
}

/* Writes the digits of text with commas between the thousands. */
static void put_commas(char *to, const char *text)
{
	size_t digits = strspn(text, "0123456789");

	for (size_t i = 0; text[i]; i++) {
		*to++ = text[i];
		if (i + 1 < digits && (digits - i - 1) % 3 == 0)
			*to++ = ',';
	}
	*to = 0;
}

const char *format_count(char buffer[static FORMAT_ROOM], int64_t count)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu",
	         count < 0 ? -(unsigned long long)count : (unsigned long long)count);
	buffer[0] = '-';
	put_commas(buffer + (count < 0), digits);
	return buffer;
}

/* Cachegrind's form: five characters for the number as long as it fits. */
static void put_percent(char *buffer, long double p)
{
	snprintf(buffer, FORMAT_ROOM, p > -9.995L && p < 99.995L ? "%.2Lf%%" : "%.1Lf%%", p);
}

const char *format_percent(char buffer[static FORMAT_ROOM], long double part, long double whole)
{
	if (whole == 0 || isnan(part))
		return strcpy(buffer, "-");
	put_percent(buffer, part == 0 ? 0 : part * 100 / whole); /* not -0 */
	return buffer;
}

const char *format_percent_change(char b[static FORMAT_ROOM + 1], long double part, long double whole)
{
	b[0] = '+';
	format_percent(b + 1, part, whole);
	return whole != 0 && part / whole > 0 ? b : b + 1;
}

const char *format_value(char buffer[static FORMAT_ROOM], const struct column *c, long double value)
{
	char digits[FORMAT_ROOM];

	if (isnan(value))
		return strcpy(buffer, "-");
	if (c->percent) {
		put_percent(buffer, value * 100);
		return buffer;
	}
	if (fabsl(value) >= 1e30L) {
		snprintf(buffer, FORMAT_ROOM, "%.6Lg", value);
		return buffer;
	}
	snprintf(digits, sizeof digits, "%.*Lf", c->whole ? 0 : 2, fabsl(value));
	buffer[0] = '-';
	put_commas(buffer + (value < 0), digits);
	return buffer;
}

const char *format_change(char b[static FORMAT_ROOM + 1], const struct column *c,
                          long double change)
{
	b[0] = '+';
	format_value(b + 1, c, change);
	return change > 0 ? b : b + 1;
}

const char *format_cell(char buffer[static FORMAT_ROOM], const struct column *c, long double value,
                        long double whole, bool percent)
{
	char share[FORMAT_ROOM];
	size_t len;

	format_value(buffer, c, value);
	if (!percent || !c->shares)
		return buffer;
	len = strlen(buffer);
	if (value == 0)
		snprintf(buffer + len, FORMAT_ROOM - len, "%9s", "");
	else
		snprintf(buffer + len, FORMAT_ROOM - len, " (%6s)",
		         format_percent(share, value, whole));
	return buffer;
}
