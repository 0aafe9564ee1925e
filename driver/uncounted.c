#include "driver/uncounted.h"

#include "common/diag.h"
#include "common/mem.h"
#include "common/path.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
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

/* What libtool, where it links for g++, names of ours besides the runtime. */
static bool is_watcher(const char *path, const struct parts *parts)
{
	return !strcmp(path, parts->show) || !strcmp(path, parts->selfcheck);
}

static bool holds_code(const GElf_Shdr *shdr)
{
	return shdr->sh_type == SHT_PROGBITS && (shdr->sh_flags & SHF_EXECINSTR) && shdr->sh_size;
}

enum content {
	CODELESS, /* or no relocatable object */
	COUNTED,
	UNCOUNTED,
};

/* cacheann leaves cacheprof_chunks in every object with code, whatever it could plant there, and the runtime, which
 * libtool names where it links for g++, has cacheprof_data. */
static enum content content_of(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	bool code = false;
	size_t names;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_type != ET_REL || elf_getshdrstrndx(elf, &names))
		return CODELESS;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (!name)
			return CODELESS;
		if (!strncmp(name, "cacheprof_", strlen("cacheprof_")))
			return COUNTED;
		code |= holds_code(&shdr);
	}
	return code ? UNCOUNTED : CODELESS;
}

/* What is warned of: how many there are, and those of them that are named, a blank before each. */
struct uncounted {
	bool all_named;
	size_t n;
	const char *names;
};

static void note(struct uncounted *uncounted, const char *name)
{
	if (uncounted->n++ < NAMED || uncounted->all_named)
		uncounted->names = xasprintf("%s %s", uncounted->names, name);
}

/* An archive of which nothing is counted is named itself, otherwise those of its members that are not. */
static void note_members(struct uncounted *uncounted, const char *path, int fd, Elf *archive)
{
	VEC(const char *) members = {0};
	bool counted = false;
	Elf_Cmd cmd = ELF_C_READ;
	Elf *elf;

	while ((elf = elf_begin(fd, cmd, archive))) {
		const Elf_Arhdr *arhdr = elf_getarhdr(elf);
		enum content content = content_of(elf);

		if (content == UNCOUNTED && arhdr)
			VEC_PUSH(&members, xasprintf("%s(%s)", path, arhdr->ar_name));
		counted |= content == COUNTED;
		cmd = elf_next(elf);
		elf_end(elf);
	}
	if (counted)
		for (size_t i = 0; i < members.n; i++)
			note(uncounted, members.at[i]);
	else if (members.n)
		note(uncounted, path);
	VEC_FREE(&members);
}

/* What a pipe has can be read only once. */
static bool is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static void look_at(struct uncounted *uncounted, const char *path)
{
	int fd = is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);

	if (elf_kind(elf) == ELF_K_AR && path[0] != '/')
		note_members(uncounted, path, fd, elf);
	else if (elf_kind(elf) == ELF_K_ELF && content_of(elf) == UNCOUNTED)
		note(uncounted, path);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

void uncounted_warn(const struct request *req, const struct parts *parts)
{
	struct uncounted uncounted = {.all_named = req->verbose, .names = ""};

	elf_version(EV_CURRENT);
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word->role == ROLE_INPUT && word->kind == KIND_LINKER && !is_start_file(word->text) &&
		    !is_watcher(word->text, parts))
			look_at(&uncounted, word->text);
	}
	if (uncounted.n > NAMED && !uncounted.all_named)
		uncounted.names = xasprintf("%s and %zu more", uncounted.names, uncounted.n - NAMED);
	if (uncounted.n)
		warn("not compiled by cacheprof, so not counted:%s", uncounted.names);
}
