/* What the process was started with: its command line and environment, whatever its C library tells of them. */
#include "runtime/runtime.h"

/* What the process was started with (System V ABI, x86-64, 3.4.1): words and, behind their NULL, the environment. */
struct arguments {
	uint64_t n; /* 0: not known */
	const char *const *words;
};

/* Field number of /proc/self/stat (proc(5)), from the third on; 0: it has none. The name before may have spaces and
 * parentheses in it. */
static uint64_t field_of(const char *stat, size_t n, int number)
{
	size_t i = n;
	uint64_t value = 0;

	while (i > 0 && stat[i - 1] != ')')
		i--;
	for (int field = 2; i < n && field < number; i++)
		field += stat[i] == ' ';
	for (; i < n && stat[i] >= '0' && stat[i] <= '9'; i++)
		value = value * 10 + (uint64_t)(stat[i] - '0');
	return value;
}

/* Whether such a number is followed by so many strings of those from low to high, and NULL. */
static bool counts_words(const uint64_t *number, uint64_t low, uint64_t high)
{
	uint64_t n = *number, k = 1;

	if (n < 1 || n >= (low - (uint64_t)number) / sizeof *number - 1)
		return false;
	while (k <= n && number[k] >= low && number[k] < high)
		k++;
	return k > n && !number[k];
}

/* They begin where the stack does; but musl's loader, where it was called as such, takes its own words away and goes on
 * with its stack there. */
static struct arguments find_arguments(void)
{
	enum { START_STACK = 28, ARG_START = 48, ARG_END = 49 };
	char stat[1024];
	size_t n = cacheprof_read("/proc/self/stat", stat, sizeof stat);
	uint64_t low = field_of(stat, n, ARG_START), high = field_of(stat, n, ARG_END);
	const uint64_t *at = (const uint64_t *)field_of(stat, n, START_STACK);

	for (; at && (uint64_t)(at + 2) < low; at++)
		if (counts_words(at, low, high))
			return (struct arguments){*at, (const char *const *)(at + 1)};
	return (struct arguments){0};
}

/* glibc gives main's arguments to constructors (elf/dl-init.c), where it was called as a loader less those that were
 * for itself. musl gives nothing (ldso/dynlink.c): anything may stand for these. */
static bool are_given(const struct arguments *arguments, int argc, const char *const *argv)
{
	const char *const *end = arguments->words + arguments->n;

	return argc > 0 && argv >= arguments->words && argv < end && argc <= end - argv &&
	       !((uintptr_t)argv % sizeof *argv) && !argv[argc];
}

/* The same where the kernel tells nothing, without /proc: whether it can be read as such. */
static bool are_strings(int argc, const char *const *argv, const char *const *envp)
{
	bool good = argc > 0 && !((uintptr_t)argv % sizeof *argv) && !((uintptr_t)envp % sizeof *envp) &&
		    cacheprof_is_readable(envp);

	for (int i = 0; good && i < argc; i++)
		good = cacheprof_is_readable(&argv[i]) && cacheprof_is_readable(argv[i]);
	return good && cacheprof_is_readable(&argv[argc]) && !argv[argc];
}

/* Where the kernel's stack is, Valgrind has its own arguments. The files it knows of tell the program's. */
void cacheprof_arguments_find(int argc, const char *const **argv, const char ***envp)
{
	struct arguments arguments = {0};
	bool on_valgrind = cacheprof_on_valgrind();

	if (!on_valgrind)
		arguments = find_arguments();
	if (!arguments.n) {
		if (on_valgrind || !are_strings(argc, *argv, (const char *const *)*envp)) {
			*argv = 0;
			*envp = 0;
		}
		return;
	}
	if (are_given(&arguments, argc, *argv))
		return;
	*argv = arguments.words;
	*envp = (const char **)(arguments.words + arguments.n + 1);
}

/* ---- what of them is kept ---- */

/* The kernel has arguments and environment as strings one after the other. */
static const char *const *read_strings(const char *path)
{
	enum { ROOM = 1 << 18 };
	char *text = cacheprof_mmap(ROOM);
	const char **strings = cacheprof_mmap(ROOM * sizeof *strings);
	size_t n = text ? cacheprof_read(path, text, ROOM - 1) : 0, k = 0;

	for (size_t i = 0; strings && i < n; i += cacheprof_strlen(text + i) + 1)
		strings[k++] = text + i;
	return strings;
}

/* Of strings that the program may change, as getopt does, a copy of our own; without memory the same. */
static const char *const *keep_strings(const char *const *strings)
{
	size_t n = 0, bytes = 0;
	const char **kept;
	char *text;

	for (; strings[n]; n++)
		bytes += cacheprof_strlen(strings[n]) + 1;
	kept = cacheprof_mmap((n + 1) * sizeof *kept + bytes);
	if (!kept)
		return strings;
	text = (char *)&kept[n + 1];
	for (size_t i = 0; i < n; i++) {
		size_t length = cacheprof_strlen(strings[i]) + 1;

		kept[i] = cacheprof_memcpy(text, strings[i], length);
		text += length;
	}
	return kept;
}

const char *const *cacheprof_command(void)
{
	return read_strings("/proc/self/cmdline");
}

void cacheprof_arguments_note(struct process *p, const char *const *argv, const char *const *envp)
{
	p->argv = argv ? keep_strings(argv) : cacheprof_command();
	p->envp = envp ? envp : read_strings("/proc/self/environ");
}
