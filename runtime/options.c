/* CACHEPROF_OPTIONS: key=value:key=value, read once, before the program's main. The keys are one
 * table; help=1 prints it. A mistake ends the process: a run with other options than the user
 * believes is worth nothing. */
#include "runtime/runtime.h"

#include "include/profile.h"
#include "include/machines.h"
#include "runtime/cachesim.h"
#include "runtime/host.h"
#include "runtime/show.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define VARIABLE "CACHEPROF_OPTIONS"
#define TRACE_DEFAULT_NAME "cacheprof.trace"

/* A reader gets the value, not empty; returns what is wrong with it, or NULL. */
typedef const char *reader(struct process *process, const char *value);

static reader read_out, read_quiet, read_help, read_i1, read_d1, read_ll, read_cache, read_dump, read_progress,
    read_continuous;
static reader read_fixed, read_pages, read_simd, read_instr_at_start, read_toggle, read_trace, read_trace_format;

static const struct key {
	const char *name, *value, *meaning;
	reader *read;
} keys[] = {
	{"out", "FILE",
	 "the profile (" PROFILE_DEFAULT_NAME "); %p: process id, %q{VAR}: environment, %%: %",
	 read_out},
	{"quiet", "0|1", "1: print nothing but errors", read_quiet},
	{"I1", "SIZE,ASSOC,LINE", "instruction cache: bytes (k, M), ways, bytes", read_i1},
	{"D1", "SIZE,ASSOC,LINE", "data cache", read_d1},
	{"LL", "SIZE,ASSOC,LINE", "last-level cache", read_ll},
	{"cache", "host|NAME", "all three: this processor's, or a machine's (cachegen --list)", read_cache},
	{"dump-signal", "NAME", "USR1, USR2 ... or a number: it writes the profile so far", read_dump},
	{"progress", "SECONDS", "print a line with the totals so far every so often", read_progress},
	{"continuous", "0|1", "1: write the profile all the time, so that SIGKILL loses nothing", read_continuous},
	{"fixed-addresses", "0|1", "1: stack, heap and mappings at the same places in every run", read_fixed},
	{"pages", "virtual|first-touch", "what LL is indexed by: addresses; pages by order of first use",
	 read_pages},
	{"simd", "none|avx2|avx512", "the most that the simulator may use of the processor", read_simd},
	{"instr-at-start", "yes|no", "no: count from the first request to start (yes)",
	 read_instr_at_start},
	{"toggle", "FUNCTION", "count inside of it only; * and ? stand for any text; may be repeated",
	 read_toggle},
	{"trace", "FILE", "where a program built with --trace writes it (" TRACE_DEFAULT_NAME ")", read_trace},
	{"trace-format", "FORMAT", "lackey, din or binary", read_trace_format},
	{"help", "1", "print this and end", read_help},
};
#define N_KEYS (sizeof keys / sizeof *keys)

/* ---- out ---- */

/* What is written of a path so far. */
struct path {
	char *at, *end; /* end: the place for the NUL at the latest */
};

#define PATH_IN(array) {(array), (array) + sizeof(array) - 1}
#define TOO_LONG "The name is too long."

static bool add(struct path *path, const char *s)
{
	size_t n = cacheprof_strlen(s);

	if (n > (size_t)(path->end - path->at))
		return false;
	cacheprof_memcpy(path->at, s, n + 1);
	path->at += n;
	return true;
}

/* Returns the value of the variable whose name is the first n bytes of name, or NULL. */
static const char *environment(const struct process *process, const char *name, size_t n)
{
	for (const char *const *e = process->envp; e && *e; e++) {
		size_t i = 0;

		while (i < n && (*e)[i] == name[i])
			i++;
		if (i == n && (*e)[i] == '=')
			return *e + n + 1;
	}
	return 0;
}

/* Adds what has no meaning but itself. */
static bool add_plain(struct path *path, const char *s)
{
	bool fits = true;

	for (; *s && fits; s++)
		fits = add(path, *s == '%' ? "%%" : (char[2]){*s});
	return fits;
}

/* Adds what the % sequence at *at stands for, which is moved behind it. Returns what is wrong or NULL.
 * What is left is %p and %%. */
static const char *add_sequence(const struct process *process, struct path *path, const char **at)
{
	const char *name = *at + 3, *end = name, *value;

	if ((*at)[1] == '%' || (*at)[1] == 'p') {
		*at += 2;
		return add(path, (*at)[-1] == 'p' ? "%p" : "%%") ? 0 : TOO_LONG;
	}
	while ((*at)[1] == 'q' && (*at)[2] == '{' && *end && *end != '}')
		end++;
	if ((*at)[1] != 'q' || (*at)[2] != '{' || !*end)
		return "After % stands p, q{VARIABLE} or %.";
	value = environment(process, name, (size_t)(end - name));
	*at = end + 1;
	if (!value)
		return "The environment variable is not set.";
	return add_plain(path, value) ? 0 : TOO_LONG;
}

static const char *add_value(const struct process *process, struct path *path, const char *value)
{
	const char *wrong = 0;

	while (*value && !wrong)
		if (*value == '%')
			wrong = add_sequence(process, path, &value);
		else
			wrong = add(path, (char[2]){*value++}) ? 0 : TOO_LONG;
	return wrong;
}

/* The program may change its directory later. Without a current directory (it was removed) the name
 * stays relative, and what becomes of it is seen at the end. */
static bool add_directory(struct path *path)
{
	static char here[sizeof ((struct options *)0)->out];
	long n = SYSCALL(getcwd, here, sizeof here);

	if (n <= 1 || here[0] != '/')
		return true;
	return add_plain(path, here) && (here[n - 2] == '/' || add(path, "/"));
}

/* Into to, what the pattern stands for in this process; *own: whether that is in no other. */
static bool name(char to[sizeof ((struct options *)0)->out], const char *pattern, bool *own)
{
	struct path path = {to, to + sizeof ((struct options *)0)->out - 1};
	bool fits = true;

	*own = false;
	for (const char *s = pattern; *s && fits; s++) {
		char digits[12] = {*s};

		if (*s == '%' && *++s == 'p') {
			cacheprof_format(digits, sizeof digits, "%d", cacheprof_getpid());
			*own = true;
		}
		fits = add(&path, digits);
	}
	return fits;
}

/* Into pattern, the absolute name of the file with %p and %% in it. A child of fork needs it: the program
 * may have changed directory and environment by then. */
static const char *read_pattern(const struct process *process,
				char pattern[sizeof process->options.pattern], const char *value)
{
	static char expanded[sizeof process->options.pattern];
	struct path whole = {pattern, pattern + sizeof expanded - 1}, path = PATH_IN(expanded);
	const char *wrong = add_value(process, &path, value);

	if (wrong)
		return wrong;
	return (expanded[0] == '/' || add_directory(&whole)) && add(&whole, expanded) ? 0 : TOO_LONG;
}

static const char *read_out(struct process *process, const char *value)
{
	struct options *options = &process->options;
	const char *wrong = read_pattern(process, options->pattern, value);

	if (wrong)
		return wrong;
	return name(options->out, options->pattern, &options->own_name) ? 0 : TOO_LONG;
}

void cacheprof_options_name_child(struct process *process)
{
	struct options *options = &process->options;
	size_t n;

	name(options->out, options->pattern, &options->own_name);
	n = cacheprof_strlen(options->out);
	if (!options->own_name && !cacheprof_file_is_special(options->out) &&
	    !cacheprof_format(options->out + n, sizeof options->out - n, ".%d", process->pid))
		options->out[n] = 0;
}

static const char *read_trace_path(struct process *process, const char *value)
{
	static char pattern[sizeof process->options.pattern];
	const char *wrong = read_pattern(process, pattern, value);
	bool own;

	if (wrong)
		return wrong;
	return name(process->options.trace, pattern, &own) ? 0 : TOO_LONG;
}

static const char not_traced[] = "This program was not built with cacheprof --trace.";

static const char *read_trace(struct process *process, const char *value)
{
	if (!cacheprof_trace)
		return not_traced;
	return read_trace_path(process, value);
}

/* ---- caches ---- */

/* Reads a number with its suffix up to the character end; moves *at behind that. */
static const char *read_number(const char **at, char end, uint32_t *number)
{
	const char *s = *at;
	uint64_t value = 0;
	unsigned shift;

	if (*s < '0' || *s > '9')
		return "Expected SIZE,ASSOC,LINE.";
	for (; *s >= '0' && *s <= '9'; s++)
		if (value <= UINT32_MAX)
			value = value * 10 + (unsigned)(*s - '0');
	shift = *s == 'k' || *s == 'K' ? 10 : *s == 'm' || *s == 'M' ? 20 : 0;
	if (shift)
		s++;
	if (*s != end)
		return "Expected SIZE,ASSOC,LINE.";
	if (value << shift > UINT32_MAX)
		return "One of the cache parameters was too large and overflowed.";
	*number = (uint32_t)(value << shift);
	*at = s + 1;
	return 0;
}

static const char *read_geometry(struct geometry *geometry, const char *value)
{
	struct geometry g;
	const char *wrong;

	if ((wrong = read_number(&value, ',', &g.size)) ||
	    (wrong = read_number(&value, ',', &g.assoc)) ||
	    (wrong = read_number(&value, 0, &g.line)) || (wrong = geometry_invalid(g)))
		return wrong;
	*geometry = g;
	return 0;
}

static const char *read_i1(struct process *process, const char *value)
{
	return read_geometry(&process->options.i1, value);
}

static const char *read_d1(struct process *process, const char *value)
{
	return read_geometry(&process->options.d1, value);
}

/* An LL given by hand is taken as it is. */
static const char *read_ll(struct process *process, const char *value)
{
	process->options.ll_hardware.size = 0;
	return read_geometry(&process->options.ll, value);
}

static const struct caches *caches_of(const char *name)
{
	static struct caches host;

	if (!cacheprof_strcmp(name, "host"))
		return cacheprof_host_caches(cacheprof_cpuid, &host) ? &host : 0;
	for (const struct machine *m = machines; m < machines + N_MACHINES; m++)
		if (!cacheprof_strcmp(name, m->name))
			return &m->caches;
	return 0;
}

static const char *read_cache(struct process *process, const char *value)
{
	struct options *options = &process->options;
	const struct caches *caches = caches_of(value);
	const char *wrong;

	if (!caches)
		return cacheprof_strcmp(value, "host")
			   ? "Unknown machine; cachegen --list prints the known ones."
			   : "This processor does not tell what caches it has.";
	options->i1 = caches->i1;
	options->d1 = caches->d1;
	options->ll = geometry_rounded(caches->ll);
	options->ll_hardware = caches->ll;
	if (options->ll.size == caches->ll.size && options->ll.assoc == caches->ll.assoc)
		options->ll_hardware.size = 0;
	if ((wrong = geometry_invalid(options->i1)) || (wrong = geometry_invalid(options->d1)))
		return wrong;
	return geometry_invalid(options->ll);
}

/* ---- the rest ---- */

static const char *read_flag(bool *flag, const char *value)
{
	if ((value[0] != '0' && value[0] != '1') || value[1])
		return "Expected 0 or 1.";
	*flag = value[0] == '1';
	return 0;
}

static const char *read_quiet(struct process *process, const char *value)
{
	return read_flag(&process->options.quiet, value);
}

static const struct signal_name {
	const char *name;
	int number;
} signal_names[] = {
	{"HUP", SIGHUP}, {"INT", SIGINT}, {"QUIT", SIGQUIT}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2},
	{"ALRM", SIGALRM}, {"TERM", SIGTERM}, {"URG", SIGURG}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF},
	{"WINCH", SIGWINCH}, {"IO", SIGIO}, {"PWR", SIGPWR},
};

/* Reads a number from 1 to most, and nothing behind it; 0 if it is none. */
static unsigned read_small(const char *value, unsigned most)
{
	unsigned number = 0;

	for (; *value >= '0' && *value <= '9' && number <= most; value++)
		number = number * 10 + (unsigned)(*value - '0');
	return *value || number > most ? 0 : number;
}

static const char *read_dump(struct process *process, const char *value)
{
	int number = (int)read_small(value, N_SIGNALS);

	for (size_t i = 0; i < sizeof signal_names / sizeof *signal_names; i++)
		if (!cacheprof_strcmp(value, signal_names[i].name))
			number = signal_names[i].number;
	if (!number || number == SIGKILL || number == SIGSTOP)
		return "Expected a signal that can be caught: USR1, USR2, ... or its number.";
	process->options.dump_signal = number;
	return 0;
}

static const char *read_progress(struct process *process, const char *value)
{
	process->options.progress = read_small(value, 1000000); /* eleven days */
	return process->options.progress ? 0 : "Expected seconds, from 1 to 1000000.";
}

static const char *read_continuous(struct process *process, const char *value)
{
	return read_flag(&process->options.continuous, value);
}

static const char *read_fixed(struct process *process, const char *value)
{
	return read_flag(&process->options.fixed_addresses, value);
}

static const char *read_pages(struct process *process, const char *value)
{
	process->options.first_touch = !cacheprof_strcmp(value, "first-touch");
	return process->options.first_touch || !cacheprof_strcmp(value, "virtual")
		   ? 0
		   : "Expected virtual or first-touch.";
}

static const char *read_instr_at_start(struct process *process, const char *value)
{
	process->options.instr_at_start = !cacheprof_strcmp(value, "yes");
	return process->options.instr_at_start || !cacheprof_strcmp(value, "no") ? 0 : "Expected yes or no.";
}

static const char *read_toggle(struct process *process, const char *value)
{
	char *at = process->options.toggle, *end = at + sizeof process->options.toggle - 1;
	size_t n = cacheprof_strlen(value) + 1;

	while (*at)
		at += cacheprof_strlen(at) + 1;
	if (n > (size_t)(end - at))
		return "The names are too long together.";
	cacheprof_memcpy(at, value, n);
	at[n] = 0;
	return 0;
}

/* The number of value among names, or n. */
static unsigned number_of(const char *value, const char *const *names, unsigned n)
{
	unsigned i = 0;

	while (i < n && cacheprof_strcmp(value, names[i]))
		i++;
	return i;
}

static const char *read_simd(struct process *process, const char *value)
{
	static const char *const names[] = {
		[SIMD_NONE] = "none", [SIMD_AVX2] = "avx2", [SIMD_AVX512] = "avx512"};
	unsigned n = sizeof names / sizeof *names;

	process->options.simd = number_of(value, names, n);
	return process->options.simd < n ? 0 : "Expected none, avx2 or avx512.";
}

static const char *read_trace_format(struct process *process, const char *value)
{
	static const char *const names[] = {
		[TRACE_LACKEY] = "lackey", [TRACE_DIN] = "din", [TRACE_BINARY] = "binary"};
	unsigned n = sizeof names / sizeof *names;

	process->options.trace_format = number_of(value, names, n);
	if (process->options.trace_format >= n)
		return "Expected lackey, din or binary.";
	return cacheprof_trace ? 0 : not_traced;
}

static unsigned width_of(const struct key *k)
{
	return (unsigned)(cacheprof_strlen(k->name) + cacheprof_strlen(k->value));
}

static const char *read_help(struct process *process, const char *value)
{
	unsigned widest = 0;

	(void)process;
	if (cacheprof_strcmp(value, "1"))
		return "Expected 1.";
	for (const struct key *k = keys; k < keys + N_KEYS; k++)
		if (width_of(k) > widest)
			widest = width_of(k);
	cacheprof_print(SAY VARIABLE "=key=value:key=value; a ':' only through %%q{VAR} in out\n");
	for (const struct key *k = keys; k < keys + N_KEYS; k++) {
		cacheprof_print(SAY "  %s=%s%*s%s\n", k->name, k->value, widest + 2 - width_of(k), "",
				k->meaning);
	}
	cacheprof_exit_group(0);
}

static _Noreturn void refuse(const char *item, const char *wrong)
{
	cacheprof_print(SAY "%s\n" SAY "Bad option in " VARIABLE ": %s\n", wrong, item);
	cacheprof_exit_group(1);
}

static _Noreturn void refuse_unknown(const char *item)
{
	cacheprof_print(SAY "Unknown key in " VARIABLE ": %s\n" SAY "The keys are:", item);
	for (const struct key *k = keys; k < keys + N_KEYS; k++)
		cacheprof_print(" %s", k->name);
	cacheprof_print("\n");
	cacheprof_exit_group(1);
}

/* Returns the value of item when it begins with the key's name and ends there or at a '='. */
static const char *value_of(const char *item, const char *name)
{
	while (*name && *item == *name)
		item++, name++;
	return *name ? 0 : *item == '=' ? item + 1 : *item ? 0 : item;
}

static void read_item(struct process *process, const char *item)
{
	const char *name = item[0] == '-' && item[1] == '-' ? item + 2 : item, *value, *wrong;

	for (const struct key *k = keys; k < keys + N_KEYS; k++) {
		if (!(value = value_of(name, k->name)))
			continue;
		wrong = *value ? k->read(process, value) : "A value is missing.";
		if (wrong)
			refuse(item, wrong);
		return;
	}
	refuse_unknown(item);
}

/* Calls read_item for what stands between colons, if anything. */
static void read_items(struct process *process, const char *s)
{
	static char item[sizeof process->options.out];
	size_t n = 0;

	for (;; s++) {
		if (*s && *s != ':') {
			if (n == sizeof item - 1) {
				item[n] = 0;
				refuse(item, "The option is too long.");
			}
			item[n++] = *s;
			continue;
		}
		item[n] = 0;
		if (n)
			read_item(process, item);
		n = 0;
		if (!*s)
			break;
	}
}

/* A program with more rights than its user must not let him say which file it writes. Capabilities of its file are such
 * rights, too (getauxval(3), AT_SECURE); the kernel then may keep from the program itself what it says of it. */
static bool has_users_rights(void)
{
	static const char auxiliary[] = "/proc/self/auxv";

	return SYSCALL(getuid) == SYSCALL(geteuid) && SYSCALL(getgid) == SYSCALL(getegid) &&
	       !cacheprof_auxiliary(AT_SECURE) && SYSCALL(access, auxiliary, R_OK) != -EACCES;
}

void cacheprof_options_read(struct process *process)
{
	struct options *options = &process->options;
	const char *given = environment(process, VARIABLE, sizeof VARIABLE - 1);

	options->dump_signal = 0;
	options->progress = 0;
	options->quiet = options->continuous = options->fixed_addresses = options->first_touch = false;
	options->simd = SIMD_AVX512;
	options->i1 = GEOMETRY_I1_DEFAULT;
	options->d1 = cacheprof_d1_geometry;
	options->ll = GEOMETRY_LL_DEFAULT;
	options->ll_hardware.size = 0;
	options->instr_at_start = true;
	options->toggle[0] = 0;
	options->trace_format = TRACE_LACKEY;
	read_out(process, PROFILE_DEFAULT_NAME);
	read_trace_path(process, TRACE_DEFAULT_NAME);
	if (given && has_users_rights())
		read_items(process, given);
}
