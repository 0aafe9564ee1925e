#include "driver/uncounted.h"

#include "common/diag.h"
#include "common/mem.h"
#include "common/path.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMED 4

/* crt1.o, crti.o, crtbeginS.o, and as Scrt1.o, gcrt1.o, Mcrt1.o, rcrt1.o, grcrt1.o */
static bool is_start_file(const char *path)
{
	const char *base = path_base(path);

	return !strncmp(base + strspn(base, "MSgr"), "crt", 3);
}

static bool holds_code(const GElf_Shdr *shdr)
{
	return shdr->sh_type == SHT_PROGBITS && (shdr->sh_flags & SHF_EXECINSTR) && shdr->sh_size;
}

/* Whether it has code and nothing of ours: cacheann leaves cacheprof_chunks in every object with code, whatever it
 * could plant there, and the runtime, which libtool names where it links for g++, has cacheprof_data. */
static bool has_code_only(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	bool code = false;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (!name || !strncmp(name, "cacheprof_", strlen("cacheprof_")))
			return false;
		code |= holds_code(&shdr);
	}
	return code;
}

/* What a pipe has can be read only once. */
static bool is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_uncounted(const char *path)
{
	int fd = is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	GElf_Ehdr ehdr;
	bool uncounted = elf && gelf_getehdr(elf, &ehdr) && ehdr.e_type == ET_REL && has_code_only(elf);

	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return uncounted;
}

void uncounted_warn(const struct request *req)
{
	const char *all = "";
	size_t n = 0;

	elf_version(EV_CURRENT);
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word->role != ROLE_INPUT || word->kind != KIND_LINKER || is_start_file(word->text) ||
		    !is_uncounted(word->text))
			continue;
		if (n++ < NAMED || req->verbose)
			all = xasprintf("%s %s", all, word->text);
	}
	if (n > NAMED && !req->verbose)
		all = xasprintf("%s and %zu more", all, n - NAMED);
	if (n)
		warn("not compiled by cacheprof, so not counted:%s", all);
}
