/* The shape of a simulated cache, and what is a valid one. */
#ifndef CACHEPROF_GEOMETRY_H
#define CACHEPROF_GEOMETRY_H

#include <stdint.h>

struct geometry {
	uint32_t size;  /* bytes */
	uint32_t assoc; /* ways, from 1 */
	uint32_t line;  /* bytes, a power of two, from 8 */
};

#define GEOMETRY_I1_DEFAULT ((struct geometry){32768, 8, 64})
#define GEOMETRY_D1_DEFAULT ((struct geometry){32768, 8, 64})
#define GEOMETRY_LL_DEFAULT ((struct geometry){8388608, 16, 64})
#define GEOMETRY_LINE_MIN 8

/* Returns NULL when the geometry is valid, else what is wrong with it, in Cachegrind's words and
 * order (cg_arch.c, check_cache; the smallest line is ours, as in 1999). The set count is
 * size / line / assoc. Static, so that the runtime, which links nothing, can use it too. */
static inline const char *geometry_invalid(struct geometry g)
{
	uint64_t sets = g.line && g.assoc ? g.size / g.line / g.assoc : 0;

	if (sets == 0 || (sets & (sets - 1)) || sets * g.line * g.assoc != g.size)
		return "Cache set count is not a power of two.";
	if (g.line & (g.line - 1))
		return "Cache line size is not a power of two.";
	if (g.line < GEOMETRY_LINE_MIN)
		return "Cache line size is too small.";
	if (g.size <= g.line)
		return "Cache size <= line size.";
	if (g.assoc > g.size / g.line)
		return "Cache associativity > (size / line size).";
	return 0;
}

/* The nearest valid geometry to that of a cache of hardware whose number of sets is no power of two, as
 * Cachegrind has it: the power of two below, and ways for what is left of the size. Any other is
 * returned as it is. size / line / assoc > 0. */
static inline struct geometry geometry_rounded(struct geometry g)
{
	uint32_t sets = g.size / g.line / g.assoc, fewer = 1;

	while (fewer <= sets / 2)
		fewer *= 2;
	if (fewer == sets)
		return g;
	g.assoc = (uint32_t)(((uint64_t)g.assoc * sets * 2 + fewer) / (2 * (uint64_t)fewer));
	g.size = fewer * g.assoc * g.line;
	return g;
}

#endif
