/* Files that the runtime writes. One that is to appear whole is written under a temporary name and
 * renamed when it is complete, so that no reader ever sees half of it and a failed run leaves the one
 * before it alone. What is no ordinary file (/dev/stdout, a pipe) is written in place. */
#include "runtime/runtime.h"

#include <errno.h>
#include <linux/fcntl.h>
#include <linux/stat.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>


static const struct reason {
	int error;
	const char *name, *words;
} reasons[] = {
#define REASON(name, words) {name, #name, words}
	REASON(EACCES, "Permission denied"),
	REASON(EBADF, "Bad file descriptor"),
	REASON(EDQUOT, "Disk quota exceeded"),
	REASON(EFBIG, "File too large"),
	REASON(EIO, "Input/output error"),
	REASON(EISDIR, "Is a directory"),
	REASON(ELOOP, "Too many levels of symbolic links"),
	REASON(EMFILE, "Too many open files"),
	REASON(ENAMETOOLONG, "File name too long"),
	REASON(ENFILE, "Too many open files in system"),
	REASON(ENOENT, "No such file or directory"),
	REASON(ENOMEM, "Cannot allocate memory"),
	REASON(ENOSPC, "No space left on device"),
	REASON(ENOTDIR, "Not a directory"),
	REASON(EPERM, "Operation not permitted"),
	REASON(EPIPE, "Broken pipe"),
	REASON(EROFS, "Read-only file system"),
#undef REASON
};

void cacheprof_cannot_write(const char *path, int error)
{
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].error == error) {
			cacheprof_print(SAY "cannot write %s: %s (%s)\n", path, reasons[i].words,
					reasons[i].name);
			return;
		}
	cacheprof_print(SAY "cannot write %s: error %d\n", path, error);
}

/* A system call that gives a descriptor. The program has as many open as it may: one more, where it could have allowed
 * itself that. */
static long descriptor_by(long number, long a, long b, long c)
{
	struct rlimit limit, most;
	long fd = cacheprof_syscall(number, a, b, c, 0, 0, 0);

	if (fd != -EMFILE || SYSCALL(prlimit64, 0, RLIMIT_NOFILE, 0, &limit) ||
	    limit.rlim_cur >= limit.rlim_max)
		return fd;
	most = (struct rlimit){limit.rlim_max, limit.rlim_max};
	if (!SYSCALL(prlimit64, 0, RLIMIT_NOFILE, &most, 0)) {
		fd = cacheprof_syscall(number, a, b, c, 0, 0, 0);
		SYSCALL(prlimit64, 0, RLIMIT_NOFILE, &limit, 0);
	}
	return fd;
}

static const char *behind(const char *s, const char *start)
{
	while (*start && *s == *start)
		s++, start++;
	return *start ? NULL : s;
}

/* The program's own descriptor that the path is a name of, or -1. */
static int descriptor_named(const char *path)
{
	static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
	const char *digits = behind(path, "/dev/fd/");
	int fd = 0;

	for (int i = 0; i < 3; i++)
		if (!cacheprof_strcmp(path, names[i]))
			return i;
	if (!digits)
		digits = behind(path, "/proc/self/fd/");
	if (!digits || !*digits)
		return -1;
	for (; *digits >= '0' && *digits <= '9' && fd < INT32_MAX / 10 - 1; digits++)
		fd = 10 * fd + *digits - '0';
	return *digits ? -1 : fd;
}

/* A descriptor of the program's is not opened anew: what the program has yet to write to it would go where this begins.
 * The program may have closed a standard one: what anyone prints then must not get into the file. */
int cacheprof_file_open(const char *path, int flags)
{
	const int all_flags = flags | O_CLOEXEC | O_NOCTTY;
	int named = descriptor_named(path);
	long fd, higher;

	if (named >= 0)
		return (int)descriptor_by(SYS_fcntl, named, F_DUPFD_CLOEXEC, 3);
	fd = descriptor_by(SYS_open, (long)path, all_flags, 0666);
	higher = fd;
	if (fd >= 0 && fd <= 2) {
		higher = descriptor_by(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 3);
		SYSCALL(close, fd);
	}
	return (int)higher;
}

int cacheprof_file_close(int fd, int error)
{
	long closed = SYSCALL(close, fd);

	return error ? error : closed < 0 && closed != -EINTR ? (int)-closed : 0;
}

/* What must not be replaced by a file of ours; /dev/stdout is a symbolic link to any file, and /dev/shm has
 * ordinary ones. */
bool cacheprof_file_is_special(const char *path)
{
	const int flags = behind(path, "/dev/") ? AT_SYMLINK_NOFOLLOW : 0;
	struct statx st;
	long error;

	if (behind(path, "/proc/"))
		return true;
	error = SYSCALL(statx, AT_FDCWD, path, flags, STATX_TYPE, &st);
	return !error && (st.stx_mode & S_IFMT) != S_IFREG;
}

struct file_id cacheprof_file_id(int fd)
{
	struct statx st = {0};

	SYSCALL(statx, fd, "", AT_EMPTY_PATH, STATX_INO, &st);
	return (struct file_id){(uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor, st.stx_ino};
}

bool cacheprof_file_is(int fd, struct file_id id)
{
	struct file_id now = cacheprof_file_id(fd);

	return id.inode && now.device == id.device && now.inode == id.inode;
}

/* A temporary file of that name is what an earlier process of the same number left when it was
 * killed: in a container that is every run's number. */
static int open_new(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
	int fd = cacheprof_file_open(path, flags);

	if (fd != -EEXIST)
		return fd;
	SYSCALL(unlink, path);
	return cacheprof_file_open(path, flags);
}

int cacheprof_file_create(struct file *file, const char *path)
{
	file->path = path;
	file->temporary[0] = 0;
	if (cacheprof_file_is_special(path)) {
		file->fd = cacheprof_file_open(path, O_WRONLY | O_APPEND);
	} else {
		cacheprof_format(file->temporary, sizeof file->temporary, "%s.tmp.%d", path,
				 cacheprof_getpid());
		file->fd = open_new(file->temporary);
		if (file->fd < 0) /* it may have been made, and no descriptor above 2 left for it */
			SYSCALL(unlink, file->temporary);
	}
	return file->fd < 0 ? -file->fd : 0;
}

int cacheprof_file_complete(struct file *file, int error)
{
	error = cacheprof_file_close(file->fd, error);
	if (!file->temporary[0])
		return error;
	if (!error)
		error = -(int)SYSCALL(rename, file->temporary, file->path);
	if (error)
		SYSCALL(unlink, file->temporary);
	return error;
}
