/* libiberty's demangler is the one of gcc and binutils. Its other functions have the names of ours
 * in common/mem.h with other arguments, so nothing else may see its header, and module.mk links it
 * with all names hidden but the two that are used here. */
#include "cacheprint/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>
#include <string.h>

char *demangle(const char *symbol, bool is_ada)
{
	int style = strncmp(symbol, "_D", 2) == 0 ? DMGL_DLANG : DMGL_AUTO;

	if (is_ada)
		return ada_demangle(symbol, 0);
	return symbol[0] == '_' ? cplus_demangle(symbol, DMGL_PARAMS | DMGL_ANSI | style) : NULL;
}
