/* Where messages go: to the standard error that the program started with.
 *
 * The program may close descriptor 2, and what it opens next gets that number: a file of its own, into which
 * nothing of ours must come. Or it may send its errors elsewhere. So what descriptor 2 was is noted at the
 * start. A duplicate would not do: whoever waits for the end of a pipe would wait for us. While descriptor 2,
 * or 1, is what it was, messages go there; else it is opened again by its name, as a terminal and a file can
 * be. */
#include "runtime/runtime.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>


void cacheprof_messages_start(struct process *process)
{
	struct messages *m = &process->messages;
	long n = SYSCALL(readlinkat, AT_FDCWD, "/proc/self/fd/2", m->path, sizeof m->path - 1);

	m->path[n > 0 && m->path[0] == '/' ? n : 0] = 0;
	m->id = cacheprof_file_id(STDERR_FILENO);
	m->known = true;
}

/* Without waiting for whoever should be at the other end of it. */
static int open_again(const struct messages *m)
{
	int fd = m->path[0] ? cacheprof_file_open(m->path, O_WRONLY | O_APPEND | O_NONBLOCK) : -1;

	if (fd < 0)
		return fd;
	if (!cacheprof_file_is(fd, m->id)) {
		cacheprof_file_close(fd, 0);
		return -1;
	}
	SYSCALL(fcntl, fd, F_SETFL, O_APPEND);
	return fd;
}

int cacheprof_messages_open(void)
{
	const struct messages *m = cacheprof_the_process ? &cacheprof_process.messages : 0;

	if (!m || !m->known)
		return STDERR_FILENO;
	for (int fd = STDERR_FILENO; fd >= STDOUT_FILENO; fd--)
		if (cacheprof_file_is(fd, m->id))
			return fd;
	return open_again(m);
}

void cacheprof_messages_close(int fd)
{
	if (fd > STDERR_FILENO)
		cacheprof_file_close(fd, 0);
}
