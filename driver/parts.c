#include "driver/parts.h"

#include "common/diag.h"
#include "common/mem.h"

#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

char *own_path(void)
{
	char *path = realpath("/proc/self/exe", NULL);

	if (!path)
		die("cannot find out where this program is:");
	return path;
}

static char *root_directory(const char *asked)
{
	const char *set = getenv("CACHEPROFDIR");
	char *real;

	if (!asked && set && *set)
		asked = set;
	if (!asked)
		return dirname(dirname(own_path()));
	real = realpath(asked, NULL);
	if (!real)
		die("%s: cacheprof's directory:", asked);
	return real;
}

struct parts find_parts(const char *asked)
{
	char *root = root_directory(asked);
	char *prefix = xasprintf("%s/libexec/cacheprof/instead-of-", root);

	return (struct parts){
	    .tools = xasprintf("-B%s", prefix),
	    .as = xasprintf("%sas", prefix),
	    .runtime = xasprintf("%s/lib/cacheprof/cacheprof.o", root),
	    .shared = xasprintf("%s/lib/cacheprof/cacheprof_shared.o", root),
	    .ends = xasprintf("%s/lib/cacheprof/ends.a", root),
	    .show = xasprintf("%s/lib/cacheprof/show.o", root),
	    .selfcheck = xasprintf("%s/lib/cacheprof/selfcheck.o", root),
	    .trace = xasprintf("%s/lib/cacheprof/trace.o", root),
	};
}

char *need_part(char *path, int mode)
{
	if (access(path, mode))
		die("a part of cacheprof is missing (is it built? CACHEPROFDIR and --cacheprofdir= "
		    "say where it is): %s:",
		    path);
	return path;
}
