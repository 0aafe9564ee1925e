#include "instrument/trial.h"

#include "common/file.h"
#include "common/mem.h"
#include "instrument/options.h"

#include <stdlib.h>
#include <string.h>

static char *path_of(const struct assembler *as, const char *name)
{
	return xasprintf("%s/%s", as->temp_dir, name);
}

void trial_write(const struct assembler *as, const char *name, const char *text, size_t len)
{
	char *path = path_of(as, name);

	file_write(path, text, len);
	free(path);
}

char *trial_read(const struct assembler *as, const char *name, size_t *len)
{
	char *path = path_of(as, name), *text = file_read(path, len);

	free(path);
	return text;
}

bool trial_assemble(const struct assembler *as, const char *in, const char *out, const char *const *options)
{
	struct assembler with_options = *as;
	char *in_path = path_of(as, in), *out_path = path_of(as, out);
	VEC(char *) argv = {0};
	int status;

	for (char **arg = options_without_debug(as->argv); *arg; arg++)
		VEC_PUSH(&argv, *arg);
	for (; options && *options; options++)
		VEC_PUSH(&argv, (char *)*options);
	VEC_PUSH(&argv, NULL);
	with_options.argv = argv.at;
	free(assembler_listen(&with_options, in_path, out_path, &status));
	VEC_FREE(&argv);
	free(in_path);
	free(out_path);
	return !status;
}

static bool are_same(const struct assembler *as, const char *a, const char *b)
{
	size_t len, other_len;
	char *text = trial_read(as, a, &len), *other = trial_read(as, b, &other_len);
	bool same = len == other_len && !memcmp(text, other, len);

	free(text);
	free(other);
	return same;
}

bool trial_expanded(const struct assembler *as)
{
	return trial_assemble(as, "expanded.s", "expanded.o", NULL) && are_same(as, "listed.o", "expanded.o");
}
