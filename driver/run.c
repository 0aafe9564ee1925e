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

static void pass_on(int sig)
{
	if (running_child > 0)
		kill(running_child, sig);
}

/* Signals that end a compiler are the child's to answer; we end as it does. */
static void pass_signals_on(void)
{
	static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
	struct sigaction old;

	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (!sigaction(passed[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(passed[i], &action, NULL);
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

static int run_step(const struct plan *plan, char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("cannot start %s:", plan->program);
	if (!pid)
		replace_process(plan, argv);
	running_child = pid;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("lost %s:", plan->program);
	running_child = 0;
	if (WIFSIGNALED(status))
		die_of(WTERMSIG(status));
	return WEXITSTATUS(status);
}

int run_plan(const struct plan *plan)
{
	int worst = 0;

	for (size_t i = 0; i < plan->settings.n; i++)
		putenv(plan->settings.at[i]);
	if (plan->steps.n == 1)
		replace_process(plan, plan->steps.at[0]);
	pass_signals_on();
	for (size_t i = 0; i < plan->steps.n; i++) {
		int status = run_step(plan, plan->steps.at[i]);

		if (!worst)
			worst = status;
	}
	return worst;
}
