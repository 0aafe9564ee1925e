#include "driver/run.h"

#include "common/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t running_child;

/* Printing */

static void print_quoted(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	                            "@%+=:,./_-";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

static void print_setting(FILE *out, const char *setting)
{
	const char *value = strchr(setting, '=') + 1;

	fprintf(out, "%.*s", (int)(value - setting), setting);
	print_quoted(out, value);
	fputc(' ', out);
}

void run_print(FILE *out, const struct plan *plan)
{
	for (size_t i = 0; i < plan->steps.n; i++) {
		for (size_t j = 0; j < plan->settings.n; j++)
			print_setting(out, plan->settings.at[j]);
		for (char **word = plan->steps.at[i]; *word; word++) {
			print_quoted(out, *word);
			fputc(word[1] ? ' ' : '\n', out);
		}
	}
	fflush(out);
}

/* Running */

static _Noreturn void replace_process(const struct plan *plan, char **argv)
{
	execv(plan->program, argv);
	die_status(errno == ENOENT ? 127 : 126, "%s: cannot run it:", plan->program);
}

/* Between two steps there is nobody to pass it on to: then it is ours. */
static void pass_on(int sig)
{
	if (running_child > 0) {
		kill(running_child, sig);
	} else {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

/* Signals that end a compiler are the child's to answer; we end as it does. Returns the set of
 * them. */
static sigset_t pass_signals_on(void)
{
	static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
		sigaddset(&set, passed[i]);
		if (!sigaction(passed[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(passed[i], &action, NULL);
	}
	return set;
}

static _Noreturn void die_of(int sig)
{
	sigset_t set;

	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}

/* The signals wait until it is known whom to pass them on to. */
static void start_child(const struct plan *plan, char **argv, const sigset_t *passed)
{
	sigset_t before;
	pid_t pid;

	sigprocmask(SIG_BLOCK, passed, &before);
	pid = fork();
	if (pid < 0)
		die("cannot start %s:", plan->program);
	if (pid)
		running_child = pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!pid)
		replace_process(plan, argv);
}

static int run_step(const struct plan *plan, char **argv, const sigset_t *passed)
{
	int status;

	start_child(plan, argv, passed);
	while (waitpid(running_child, &status, 0) < 0)
		if (errno != EINTR)
			die("lost %s:", plan->program);
	running_child = 0;
	if (WIFSIGNALED(status))
		die_of(WTERMSIG(status));
	return WEXITSTATUS(status);
}

int run_plan(const struct plan *plan)
{
	sigset_t passed;
	int first_failure = 0;

	for (size_t i = 0; i < plan->settings.n; i++)
		putenv(plan->settings.at[i]);
	if (plan->steps.n == 1)
		replace_process(plan, plan->steps.at[0]);
	passed = pass_signals_on();
	for (size_t i = 0; i < plan->steps.n; i++) {
		int status = run_step(plan, plan->steps.at[i], &passed);

		if (!first_failure)
			first_failure = status;
	}
	return first_failure;
}
