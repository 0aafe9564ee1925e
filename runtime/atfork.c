/* Children of fork that are made in code that is not instrumented: an interpreter whose extension is ours,
 * a library. libc tells of them whom it was asked to, by a function that is not to be linked to, since
 * there may be no libc, and an entry in the PLT more would move the program. So it is looked for
 * among what the dynamic linker has loaded (ELF gABI 5; the GNU hash table as glibc's dl-lookup.c reads it).
 * Statically linked programs, which have no such list, call fork themselves (ends.c). */
#include "runtime/ends.h"

#include <elf.h>
#include <link.h>

#include "runtime/models.h"

typedef int registers(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *module);

/* What the module is known by to libc, which forgets the handler when it is unloaded. An executable stays. */
#ifdef CACHEPROF_SHARED
extern char __dso_handle __attribute__((weak, visibility("hidden")));
#define MODULE (&__dso_handle)
#else
#define MODULE 0
#endif

static uint64_t tag_of(const Elf64_Dyn *dynamic, int64_t tag)
{
	while (dynamic->d_tag != DT_NULL && dynamic->d_tag != tag)
		dynamic++;
	return dynamic->d_tag == tag ? dynamic->d_un.d_ptr : 0;
}

/* The dynamic section of an executable that has a dynamic linker, or NULL. */
static const Elf64_Dyn *executable_dynamic(void)
{
	const Elf64_Phdr *headers = (const Elf64_Phdr *)cacheprof_auxiliary(AT_PHDR), *dynamic = 0;
	uint64_t n = cacheprof_auxiliary(AT_PHNUM), base = 0;
	bool has_linker = false;

	for (const Elf64_Phdr *h = headers; headers && h < headers + n; h++) {
		if (h->p_type == PT_PHDR)
			base = (uint64_t)headers - h->p_vaddr;
		if (h->p_type == PT_DYNAMIC)
			dynamic = h;
		has_linker |= h->p_type == PT_INTERP;
	}
	return has_linker && dynamic ? (const Elf64_Dyn *)(base + dynamic->p_vaddr) : 0;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return hash;
}

struct gnu_hash {
	uint32_t n_buckets, first_symbol, bloom_words, bloom_shift;
	uint64_t bloom[];
};

/* The number in the symbol table of one of that name, or 0. */
static uint32_t find_symbol(const struct gnu_hash *table, const Elf64_Sym *symbols, const char *strings,
			    const char *name)
{
	const uint32_t *buckets = (const uint32_t *)(table->bloom + table->bloom_words);
	const uint32_t *chains = buckets + table->n_buckets;
	uint32_t hash = hash_of(name), i = table->n_buckets ? buckets[hash % table->n_buckets] : 0;

	for (; i >= table->first_symbol && i; i++) {
		uint32_t chained = chains[i - table->first_symbol];

		if ((chained | 1) == (hash | 1) && symbols[i].st_shndx != SHN_UNDEF &&
		    !cacheprof_strcmp(strings + symbols[i].st_name, name))
			return i;
		if (chained & 1)
			return 0;
	}
	return 0;
}

/* glibc has put addresses into the dynamic section; others leave distances there. */
static const void *place(const struct link_map *m, int64_t tag)
{
	uint64_t at = tag_of(m->l_ld, tag);

	return (const void *)(at && at < m->l_addr ? at + m->l_addr : at);
}

static const void *find_function(const char *name)
{
	const Elf64_Dyn *dynamic = executable_dynamic();
	const struct r_debug *loaded = dynamic ? (const struct r_debug *)tag_of(dynamic, DT_DEBUG) : 0;

	for (const struct link_map *m = loaded ? loaded->r_map : 0; m; m = m->l_next) {
		const struct gnu_hash *table = place(m, DT_GNU_HASH);
		const Elf64_Sym *symbols = place(m, DT_SYMTAB);
		uint32_t i = table ? find_symbol(table, symbols, place(m, DT_STRTAB), name) : 0;

		if (i)
			return (const char *)m->l_addr + symbols[i].st_value;
	}
	return 0;
}

void cacheprof_atfork_start(void)
{
	registers *ask = (registers *)find_function("__register_atfork");

	if (ask)
		ask(0, 0, cacheprof_after_fork, MODULE);
}
