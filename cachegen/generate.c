/* The simulator's text is cachegen/simulator.c.in, readable C that needs three macros; what is
 * generated is their definitions. That gcc sees constants is what makes the result special: the
 * loop over the ways is unrolled, divisions become shifts. simulator.inc is simulator.c.in as a
 * string literal, made by the build. */
#include "cachegen/generate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char simulator[] =
#include "cachegen/simulator.inc"
    ;

static int suffix_shift(const char *suffix)
{
	static const char letters[] = "kKmM";
	const char *p;

	if (!*suffix)
		return 0;
	p = strchr(letters, *suffix);
	return p && !suffix[1] ? 10 * ((int)(p - letters) / 2 + 1) : -1;
}

bool cachegen_number(const char *text, uint32_t *number)
{
	char *end;
	unsigned long value;
	int shift;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	shift = suffix_shift(end);
	if (errno || shift < 0 || value > (unsigned long)UINT32_MAX >> shift)
		return false;
	*number = (uint32_t)(value << shift);
	return true;
}

static void write_ways(struct geometry g, FILE *out)
{
	if (g.assoc == 1)
		fputs("direct-mapped", out);
	else
		fprintf(out, "%u-way associative", g.assoc);
}

bool cachegen_write(struct geometry g, FILE *out)
{
	fprintf(out, "/* The D1 cache: %u B, %u B, ", g.size, g.line);
	write_ways(g, out);
	fprintf(out,
		", LRU; %u %s. Written by\n"
		" *\tcachegen %u %u %u\n"
		" * for runtime/cachesim_doref.c. With -DCACHESIM_MAIN it is a program that\n"
		" * reads a trace. All but the next three lines is the same for every cache. */\n",
		g.size / g.line / g.assoc, g.size / g.line / g.assoc == 1 ? "set" : "sets", g.size,
		g.line, g.assoc);
	fprintf(out, "#define SIZE %uu\n#define LINE %uu\n#define ASSOC %uu\n\n%s", g.size, g.line,
		g.assoc, simulator);
	return fflush(out) == 0 && !ferror(out);
}
