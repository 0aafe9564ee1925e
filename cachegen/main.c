/* cachegen SIZE LINE ASSOC: writes on standard output the C file that simulates that cache. */
#include "cachegen/generate.h"
#include "common/diag.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: cachegen SIZE LINE ASSOC\n"
    "Writes a C file that simulates a D1 cache of SIZE bytes with lines of LINE bytes and ASSOC\n"
    "ways in each set, LRU, on standard output. SIZE and LINE may end in k or M.\n"
    "To profile with it: copy it to runtime/cachesim_doref.c, make cachesim, link the program\n"
    "again; or, in one step, make CACHE=\"SIZE LINE ASSOC\".\n"
    "  --help     print this\n"
    "  --version  print the version\n";

static int answer(const char *text)
{
	fputs(text, stdout);
	return EXIT_OK;
}

static uint32_t number(const char *what, const char *text)
{
	uint32_t value;

	if (!cachegen_number(text, &value))
		die_usage("%s: not a number of bytes or ways: %s", what, text);
	return value;
}

int main(int argc, char **argv)
{
	struct geometry g;
	const char *wrong;

	diag_program("cachegen");
	if (argc == 2 && !strcmp(argv[1], "--help"))
		return answer(usage);
	if (argc == 2 && !strcmp(argv[1], "--version"))
		return answer("cachegen " CACHEPROF_VERSION "\n");
	if (argc != 4)
		die_usage("expected SIZE LINE ASSOC; try cachegen --help");
	g.size = number("SIZE", argv[1]);
	g.line = number("LINE", argv[2]);
	g.assoc = number("ASSOC", argv[3]);
	wrong = geometry_invalid(g);
	if (wrong)
		die("%s", wrong);
	if (!cachegen_write(g, stdout))
		die("standard output:");
	return EXIT_OK;
}
