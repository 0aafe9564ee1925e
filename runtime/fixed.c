/* fixed-addresses=1: every run has its stack, heap and mappings at the same places. What the kernel places
 * at random or according to the environment it places when a program is executed; so the program is
 * executed once more, without randomization and with an environment that is filled up to a round number
 * of variables and bytes. The filling is taken away again before anyone looks, and so is the personality,
 * which other programs would inherit. */
#include "runtime/runtime.h"

#include <elf.h>
#include <sys/personality.h>
#include <sys/syscall.h>

#define MARK "CACHEPROF_FIXED=" /* then the personality that the program was started with */
#define ROUND_VARIABLES 512u
#define ROUND_BYTES 65536u
#define AUXILIARY 64 /* entries of the auxiliary vector, at most */

static const char *after_mark(const char *variable)
{
	const char *mark = MARK;

	while (*mark && *variable == *mark)
		variable++, mark++;
	return *mark ? 0 : variable;
}

static unsigned long read_hex(const char *s)
{
	unsigned long value = 0;

	for (; (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f'); s++)
		value = value * 16 + (unsigned long)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	return value;
}

/* The environment with its filling, the mark first. NULL without memory. */
static const char **filled(const char *const *envp, long persona)
{
	size_t n = 0, bytes = 0, all, mark;
	const char **full;
	char *text;

	for (; envp[n]; n++)
		bytes += cacheprof_strlen(envp[n]) + 1;
	all = ((n + 2 * AUXILIARY) / ROUND_VARIABLES + 1) * ROUND_VARIABLES;
	bytes += all - n - 1; /* those that are empty have a NUL each */
	mark = 2 * ROUND_BYTES - bytes % ROUND_BYTES;
	full = cacheprof_mmap((all + 1) * sizeof *full);
	text = cacheprof_mmap(mark);
	if (!full || !text)
		return 0;
	for (size_t i = 0; i < n; i++)
		full[i] = envp[i];
	cacheprof_memset(text, '.', mark - 1);
	cacheprof_format(text, mark, MARK "%lx.", (uint64_t)persona);
	text[cacheprof_strlen(text)] = '.';
	full[n] = text;
	while (++n < all)
		full[n] = "";
	return full;
}

/* What the program was executed by; the same for it to be found by again. NULL if unknown. */
static const char *executed_name(void)
{
	return (const char *)cacheprof_auxiliary(AT_EXECFN);
}

static _Noreturn void cannot(const char *what)
{
	cacheprof_print(SAY "fixed-addresses=1: %s\n", what);
	cacheprof_exit_group(1);
}

void cacheprof_fix_addresses(const struct process *process)
{
	long persona = SYSCALL(personality, 0xffffffff);
	const char *name = executed_name();
	const char **envp;

	for (const char *const *e = process->envp; *e; e++)
		if (after_mark(*e))
			return;
	if (!name)
		cannot("it needs /proc, which tells how the program was executed");
	if (cacheprof_strcmp(process->argv[0], cacheprof_command()[0]))
		cannot("start the program itself, not through its loader");
	if (!(envp = filled(process->envp, persona)))
		cannot("no memory");
	if (SYSCALL(personality, persona | ADDR_NO_RANDOMIZE) < 0)
		cannot("the system does not allow it (personality)");
	SYSCALL(execve, name, process->argv, envp);
	cannot("the program cannot be executed again");
}

/* What the kernel tells stands behind the environment (System V ABI, x86-64, 3.4.1), and some look for it there, as
 * Go's runtime. Where the environment ends now, in place of the filling, stands the same once more. */
static void repeat_auxiliary(const char **envp)
{
	Elf64_auxv_t entries[AUXILIARY];
	size_t bytes = cacheprof_read("/proc/self/auxv", entries, sizeof entries), filling = 0;

	while (envp[filling])
		filling++;
	if (bytes <= filling * sizeof *envp)
		cacheprof_memcpy(envp, entries, bytes);
}

void cacheprof_hide_filling(const char **envp)
{
	const char *persona = 0;

	while (*envp && !(persona = after_mark(*envp)))
		envp++;
	if (!persona)
		return;
	*envp = 0;
	repeat_auxiliary(envp + 1);
	SYSCALL(personality, read_hex(persona));
}
