/* Reading an ELF object with libelf: sections of code, the symbols in them, where the linker will
 * change their bytes. */
#include "instrument/object.h"

#include "common/diag.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_SECTION UINT32_MAX

struct reader {
	struct object *object;
	Elf *elf;
	const char *path;
	uint32_t *section_of; /* per ELF section: index into object.sections or NO_SECTION */
	size_t n_elf_sections;
};

static _Noreturn void unreadable(const struct reader *r)
{
	die("%s: %s", r->path, elf_errmsg(-1));
}

static bool holds_code(const GElf_Shdr *shdr)
{
	return shdr->sh_type == SHT_PROGBITS && (shdr->sh_flags & SHF_EXECINSTR) && shdr->sh_size;
}

static void add_section(struct reader *r, Elf_Scn *scn, const GElf_Shdr *shdr, size_t names)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	struct object_section section = {
	    .size = shdr->sh_size,
	    .align = shdr->sh_addralign,
	    .flags = shdr->sh_flags,
	    .elf_index = elf_ndxscn(scn),
	};
	const char *name = elf_strptr(r->elf, names, shdr->sh_name);

	if (!data || !name || data->d_size != shdr->sh_size || shdr->sh_size >= UINT32_MAX)
		unreadable(r);
	section.name = arena_string(name, strlen(name));
	section.bytes = (const uint8_t *)arena_string(data->d_buf, data->d_size);
	r->section_of[section.elf_index] = r->object->sections.n;
	VEC_PUSH(&r->object->sections, section);
}

static void add_sections(struct reader *r)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_getshdrnum(r->elf, &r->n_elf_sections) || elf_getshdrstrndx(r->elf, &names))
		unreadable(r);
	r->section_of = xalloc(r->n_elf_sections, sizeof *r->section_of);
	memset(r->section_of, 0xff, r->n_elf_sections * sizeof *r->section_of);
	while ((scn = elf_nextscn(r->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && holds_code(&shdr))
			add_section(r, scn, &shdr, names);
}

static uint32_t section_of_symbol(const struct reader *r, const GElf_Sym *sym, Elf32_Word extended)
{
	uint32_t elf_index = sym->st_shndx == SHN_XINDEX ? extended : sym->st_shndx;

	if (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX)
		return NO_SECTION;
	return elf_index < r->n_elf_sections ? r->section_of[elf_index] : NO_SECTION;
}

const char *object_part(const char *name)
{
	static const char *const parts[] = {".cold", ".__part.", ".eh"};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof parts / sizeof *parts && !found; i++)
		found = strstr(name, parts[i]);
	return found;
}

/* Clang gives parts a size, but no type. */
static bool is_function(const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC ||
	       (type == STT_NOTYPE && sym->st_size && object_part(name));
}

static void add_symbol(struct reader *r, const GElf_Sym *sym, uint32_t section, const char *name)
{
	struct object_symbol symbol = {
	    .name = arena_string(name, strlen(name)),
	    .section = section,
	    .offset = sym->st_value,
	    .function = is_function(sym, name),
	    .ifunc = GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC,
	    .global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
	    .weak = GELF_ST_BIND(sym->st_info) == STB_WEAK &&
		    !(r->object->sections.at[section].flags & SHF_GROUP),
	};

	VEC_PUSH(&r->object->symbols, symbol);
	if (symbol.function)
		VEC_PUSH(&r->object->sections.at[section].functions, symbol.offset);
}

/* The table of the section numbers that do not fit into 16 bits, when there is one. */
static Elf_Data *extended_indices(struct reader *r)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(r->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB_SHNDX)
			return elf_getdata(scn, NULL);
	return NULL;
}

static bool is_needed(const GElf_Sym *sym)
{
	return sym->st_shndx == SHN_UNDEF && GELF_ST_BIND(sym->st_info) == STB_GLOBAL;
}

static void add_symbols(struct reader *r, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL), *extended = extended_indices(r);
	size_t n = shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		Elf32_Word index = 0;
		GElf_Sym sym;
		uint32_t section;
		const char *name;

		if (!gelf_getsymshndx(data, extended, i, &sym, &index))
			unreadable(r);
		section = section_of_symbol(r, &sym, index);
		if ((section == NO_SECTION && !is_needed(&sym)) ||
		    GELF_ST_TYPE(sym.st_info) == STT_SECTION)
			continue;
		name = elf_strptr(r->elf, shdr->sh_link, sym.st_name);
		if (!name)
			unreadable(r);
		if (section == NO_SECTION)
			VEC_PUSH(&r->object->needs, arena_string(name, strlen(name)));
		else
			add_symbol(r, &sym, section, name);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void add_relocations(struct reader *r, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	uint32_t index =
	    shdr->sh_info < r->n_elf_sections ? r->section_of[shdr->sh_info] : NO_SECTION;
	Elf_Data *data = elf_getdata(scn, NULL);
	struct object_section *section;
	GElf_Rela rela;

	if (index == NO_SECTION)
		return;
	section = &r->object->sections.at[index];
	for (int i = 0; gelf_getrela(data, i, &rela); i++)
		VEC_PUSH(&section->relocations, rela.r_offset);
	if (section->relocations.n)
		qsort(section->relocations.at, section->relocations.n, sizeof(uint32_t), by_number);
}

static void add_tables(struct reader *r)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(r->elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			unreadable(r);
		if (shdr.sh_type == SHT_SYMTAB)
			add_symbols(r, scn, &shdr);
		else if (shdr.sh_type == SHT_RELA)
			add_relocations(r, scn, &shdr);
	}
}

void object_read(struct object *object, const char *path)
{
	struct reader r = {.object = object, .path = path};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Ehdr ehdr;

	if (fd < 0)
		die("%s:", path);
	elf_version(EV_CURRENT);
	r.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!r.elf || !gelf_getehdr(r.elf, &ehdr))
		unreadable(&r);
	if (ehdr.e_machine != EM_X86_64)
		die("only x86-64 code can be instrumented (this is ELF machine %u)",
		    ehdr.e_machine);
	add_sections(&r);
	add_tables(&r);
	elf_end(r.elf);
	close(fd);
	free(r.section_of);
}
