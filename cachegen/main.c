/* cachegen SIZE LINE ASSOC: writes on standard output the C file that simulates that cache.
 * cachegen --list: the machines whose caches have a name. */
#include "cachegen/generate.h"
#include "common/diag.h"
#include "include/machines.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: cachegen SIZE LINE ASSOC\n"
    "       cachegen --list\n"
    "Writes a C file that simulates a D1 cache of SIZE bytes with lines of LINE bytes and ASSOC\n"
    "ways in each set, LRU, on standard output. SIZE and LINE may end in k or M.\n"
    "To profile with it: copy it to runtime/cachesim_doref.c, make cachesim, link the program\n"
    "again; or, in one step, make CACHE=\"SIZE LINE ASSOC\".\n"
    "  --list     print the machines that CACHEPROF_OPTIONS=cache=NAME knows: their I1, D1 and LL\n"
    "             as size, ways, line\n"
    "  --help     print this\n"
    "  --version  print the version\n";

static int answer(const char *text)
{
	fputs(text, stdout);
	diag_end_output();
	return EXIT_OK;
}

static uint32_t number(const char *what, const char *text)
{
	uint32_t value;

	if (!cachegen_number(text, &value))
		die_usage("%s: not a number of bytes or ways: %s", what, text);
	return value;
}

/* size,ways,line as CACHEPROF_OPTIONS has it, in width columns. */
static void print_geometry(struct geometry g, int width)
{
	char text[64];

	if (g.size % 1048576 == 0)
		snprintf(text, sizeof text, "%uM,%u,%u", g.size / 1048576, g.assoc, g.line);
	else if (g.size % 1024 == 0)
		snprintf(text, sizeof text, "%uk,%u,%u", g.size / 1024, g.assoc, g.line);
	else
		snprintf(text, sizeof text, "%u,%u,%u", g.size, g.assoc, g.line);
	printf("%-*s", width, text);
}

static int list(void)
{
	printf("%-16s %-11s%-11s%-15s%s\n", "NAME", "I1", "D1", "LL", "MACHINE");
	for (const struct machine *m = machines; m < machines + N_MACHINES; m++) {
		printf("%-16s ", m->name);
		print_geometry(m->caches.i1, 11);
		print_geometry(m->caches.d1, 11);
		print_geometry(geometry_rounded(m->caches.ll), 15);
		printf("%s\n", m->words);
	}
	diag_end_output();
	return EXIT_OK;
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
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list();
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
