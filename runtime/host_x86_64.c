/* The processor's caches from cpuid. x86-64 only.
 *
 * Intel (and what follows it) lists them in leaf 4, AMD in leaf 0x8000001D, both alike. AMD's processors
 * before 2011 have them in leaves 0x80000005 and 0x80000006, where the ways are a code. On newer ones that
 * code may be 9, "ask leaf 0x8000001D": Cachegrind takes it for one way.
 * (Intel SDM, CPUID; AMD64 Architecture Programmer's Manual volume 3, appendix E.) */
#include "runtime/host.h"

enum { TYPE_NONE, TYPE_DATA, TYPE_INSTRUCTION, TYPE_UNIFIED }; /* bits 0-4 of eax */

#define LEAF_INTEL 4u
#define LEAF_AMD_L1 0x80000005u
#define LEAF_AMD_OUTER 0x80000006u
#define LEAF_AMD 0x8000001du
#define MOST_CACHES 16

static bool is_amd(cpuid_source *ask)
{
	struct cpuid vendor = ask(0, 0);

	return (vendor.ebx == 0x68747541 && vendor.edx == 0x69746e65 && vendor.ecx == 0x444d4163) ||
	       (vendor.ebx == 0x6f677948 && vendor.edx == 0x6e65476e && vendor.ecx == 0x656e6975);
}

/* One entry of leaf 4 or 0x8000001D. */
static struct geometry listed(struct cpuid entry)
{
	struct geometry g = {.assoc = (entry.ebx >> 22) + 1, .line = (entry.ebx & 0xfff) + 1};
	uint32_t partitions = (entry.ebx >> 12 & 0x3ff) + 1;

	g.size = g.assoc * partitions * g.line * (entry.ecx + 1);
	return g;
}

static void read_list(cpuid_source *ask, uint32_t leaf, struct caches *caches)
{
	uint32_t highest = 0;

	for (uint32_t i = 0; i < MOST_CACHES; i++) {
		struct cpuid entry = ask(leaf, i);
		uint32_t type = entry.eax & 0x1f, level = entry.eax >> 5 & 7;

		if (type == TYPE_NONE)
			break;
		if (type == TYPE_INSTRUCTION && level == 1)
			caches->i1 = listed(entry);
		else if (type == TYPE_DATA && level == 1)
			caches->d1 = listed(entry);
		else if (type == TYPE_UNIFIED && level > highest) {
			highest = level;
			caches->ll = listed(entry);
		}
	}
}

/* Leaf 0x80000005: size in KiB, ways (255: one set), lines a tag, bytes of a line. */
static struct geometry first_level(uint32_t word)
{
	struct geometry g = {(word >> 24) * 1024, word >> 16 & 0xff, word & 0xff};

	if (g.assoc == 0xff && g.line)
		g.assoc = g.size / g.line;
	return g;
}

/* Leaf 0x80000006: the ways' code; 0: no such cache. */
static struct geometry outer_level(uint32_t word, uint32_t size)
{
	static const uint8_t ways[16] = {0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128, 0};
	struct geometry g = {size, ways[word >> 12 & 15], word & 0xff};

	if ((word >> 12 & 15) == 15 && g.line)
		g.assoc = g.size / g.line;
	return g;
}

static void read_old_amd(cpuid_source *ask, struct caches *caches)
{
	struct cpuid inner = ask(LEAF_AMD_L1, 0), outer = ask(LEAF_AMD_OUTER, 0);

	caches->d1 = first_level(inner.ecx);
	caches->i1 = first_level(inner.edx);
	caches->ll = outer_level(outer.edx, (outer.edx >> 18) * 512 * 1024);
	if (!caches->ll.assoc)
		caches->ll = outer_level(outer.ecx, (outer.ecx >> 16) * 1024);
}

static bool is_told(struct geometry g)
{
	return g.line && g.assoc && g.size / g.line / g.assoc;
}

bool cacheprof_host_caches(cpuid_source *ask, struct caches *caches)
{
	uint32_t leaves = ask(0, 0).eax, extended = ask(0x80000000u, 0).eax;

	*caches = (struct caches){0};
	if (!is_amd(ask)) {
		if (leaves >= LEAF_INTEL)
			read_list(ask, LEAF_INTEL, caches);
	} else if (extended >= LEAF_AMD && ask(0x80000001u, 0).ecx >> 22 & 1) {
		read_list(ask, LEAF_AMD, caches);
	} else if (extended >= LEAF_AMD_OUTER) {
		read_old_amd(ask, caches);
	}
	return is_told(caches->i1) && is_told(caches->d1) && is_told(caches->ll);
}
