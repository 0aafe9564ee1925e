#include "instrument/places.h"

#include "common/diag.h"
#include "common/mem.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
	const char *path;
	char *bytes; /* what is written here is written to the file */
	Elf *elf;
	bool *counted; /* per section: whether it has counters */
	bool *tables;  /* per section: whether it has tables of references */
	Elf_Data *symbols, *more_indices;
	size_t symbol_names;
};

static _Noreturn void unreadable(const struct image *image)
{
	die("%s: %s", image->path, elf_errmsg(-1));
}

static GElf_Shdr header_of(const struct image *image, Elf_Scn *scn)
{
	GElf_Shdr shdr;

	if (!gelf_getshdr(scn, &shdr))
		unreadable(image);
	return shdr;
}

static void find_sections(struct image *image)
{
	size_t n, names;

	if (elf_getshdrnum(image->elf, &n) || elf_getshdrstrndx(image->elf, &names))
		unreadable(image);
	image->counted = xalloc(n, sizeof *image->counted);
	image->tables = xalloc(n, sizeof *image->tables);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(image->elf, scn));) {
		GElf_Shdr shdr = header_of(image, scn);
		const char *name = elf_strptr(image->elf, names, shdr.sh_name);

		image->counted[elf_ndxscn(scn)] = name && !strcmp(name, "cacheprof_data");
		image->tables[elf_ndxscn(scn)] = name && !strcmp(name, "cacheprof_info");
		if (shdr.sh_type == SHT_SYMTAB) {
			image->symbols = elf_getdata(scn, NULL);
			image->symbol_names = shdr.sh_link;
		} else if (shdr.sh_type == SHT_SYMTAB_SHNDX) {
			image->more_indices = elf_getdata(scn, NULL);
		}
	}
}

/* An undefined symbol whose name begins so is called by the rest of it. */
static void name_symbols(const struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	static const char begin[] = PLACES_NAME;
	Elf64_Sym *symbols = (Elf64_Sym *)(image->bytes + shdr->sh_offset);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym symbol;

	if (!data)
		unreadable(image);
	for (int i = (int)shdr->sh_info; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(image->elf, shdr->sh_link, symbol.st_name);

		if (symbol.st_shndx == SHN_UNDEF && name && !strncmp(name, begin, sizeof begin - 1))
			symbols[i].st_name = (Elf64_Word)(symbol.st_name + sizeof begin - 1);
	}
}

/* Planted code has addresses of 32 bits of nothing else. */
static bool is_place(const struct image *image, size_t number)
{
	Elf32_Word more = 0;
	const char *name;
	GElf_Sym symbol;

	if (!gelf_getsymshndx(image->symbols, image->more_indices, (int)number, &symbol, &more))
		unreadable(image);
	if (symbol.st_shndx == SHN_XINDEX)
		return image->counted[more];
	if (symbol.st_shndx != SHN_UNDEF)
		return symbol.st_shndx < SHN_LORESERVE && image->counted[symbol.st_shndx];
	name = elf_strptr(image->elf, image->symbol_names, symbol.st_name);
	return name && (!strcmp(name, "cacheprof_handy") || !strcmp(name, "cacheprof_predictor"));
}

/* An instruction's displacement has a sign, also where it stands in a table: that of a[i - 1000000] may be below 0 when
 * linked. */
static Elf64_Xword type_of(const struct image *image, const GElf_Shdr *shdr, const GElf_Rela *rela)
{
	Elf64_Xword type = GELF_R_TYPE(rela->r_info);

	if (type == R_X86_64_32S && is_place(image, GELF_R_SYM(rela->r_info)))
		return R_X86_64_DTPOFF32;
	return type == R_X86_64_32 && image->tables[shdr->sh_info] ? R_X86_64_32S : type;
}

static void make_section(const struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf64_Rela *relocations = (Elf64_Rela *)(image->bytes + shdr->sh_offset);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Rela rela;

	if (!data)
		unreadable(image);
	for (int i = 0; gelf_getrela(data, i, &rela); i++)
		relocations[i].r_info = ELF64_R_INFO(GELF_R_SYM(rela.r_info), type_of(image, shdr, &rela));
}

static void make_all(struct image *image)
{
	find_sections(image);
	for (Elf_Scn *scn = NULL; image->symbols && (scn = elf_nextscn(image->elf, scn));) {
		GElf_Shdr shdr = header_of(image, scn);

		if (shdr.sh_type == SHT_RELA)
			make_section(image, scn, &shdr);
		else if (shdr.sh_type == SHT_SYMTAB)
			name_symbols(image, scn, &shdr);
	}
	free(image->counted);
	free(image->tables);
}

void places_make(const char *path)
{
	struct image image = {.path = path};
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		die("cannot open %s:", path);
	if (S_ISREG(st.st_mode)) {
		image.bytes = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (image.bytes == MAP_FAILED)
			die("cannot map %s:", path);
		elf_version(EV_CURRENT);
		image.elf = elf_begin(fd, ELF_C_READ, NULL);
		if (!image.elf)
			unreadable(&image);
		make_all(&image);
		elf_end(image.elf);
		munmap(image.bytes, (size_t)st.st_size);
	}
	close(fd);
}
