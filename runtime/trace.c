/* The trace: every fetch and every reference that is shown (show.c), written as it comes, in one of the
 * forms of cacheprof-trace(5).
 *
 * What is not yet written and where it goes lies in memory that a child of fork finds empty, so that the
 * child begins a trace of its own and writes nothing into its parent's. */
#include "runtime/show.h"

#include <errno.h>
#include <linux/fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum kind { FETCH, LOAD, STORE, MODIFY };

struct trace {
	struct file file;
	struct out out;
	char path[4096 + 16];
	struct file_id id;
	bool open, failed;
	uint64_t next_fetch, last_data; /* TRACE_BINARY: what differences are taken from */
	uint64_t address, size, written; /* the instruction, and how often it is in the trace */
	bool referred;
};

static struct trace *trace;
static int first_pid;

/* ---- the file ---- */

/* Out of the way of the program, which may count on the numbers that it gets. */
static int moved_up(int fd)
{
	long up = -1;

	for (long least = 1000; up < 0 && least > 3; least /= 2)
		up = SYSCALL(fcntl, fd, F_DUPFD_CLOEXEC, least);
	if (up < 0)
		return fd;
	cacheprof_file_close(fd, 0);
	return (int)up;
}

static void fail(int error)
{
	trace->failed = true;
	cacheprof_cannot_write(trace->path, error);
}

static void open_trace(void)
{
	const struct options *options = &cacheprof_process.options;
	int pid = cacheprof_getpid(), error;

	trace->open = true;
	if (!first_pid)
		first_pid = pid;
	trace->failed = pid != first_pid && cacheprof_file_is_special(options->trace); /* one stream, the parent's */
	if (trace->failed)
		return;
	cacheprof_format(trace->path, sizeof trace->path, pid == first_pid ? "%s" : "%s.%d",
			 options->trace, pid);
	error = cacheprof_file_create(&trace->file, trace->path);
	if (error) {
		fail(error);
		return;
	}
	trace->file.fd = moved_up(trace->file.fd);
	trace->id = cacheprof_file_id(trace->file.fd);
	cacheprof_out_open(&trace->out, trace->file.fd);
	if (options->trace_format == TRACE_BINARY)
		cacheprof_out(&trace->out, "cacheprof-trace1");
}

/* Writes what there is. A program that closes descriptors that it does not know may have something
 * else by that number. */
static void flush(void)
{
	if (!cacheprof_file_is(trace->file.fd, trace->id))
		fail(EBADF);
	else if (!cacheprof_out_flush(&trace->out))
		fail(cacheprof_file_complete(&trace->file, trace->out.error));
}

/* Whether there is a file to write to, with room for a record in its buffer. */
static bool ready(void)
{
	if (!trace) {
		trace = cacheprof_memory_for(sizeof *trace, "the trace");
		SYSCALL(madvise, trace, sizeof *trace, MADV_WIPEONFORK);
	}
	if (!trace->open)
		open_trace();
	if (!trace->failed && sizeof trace->out.buffer - trace->out.n < 64)
		flush();
	return !trace->failed;
}

/* ---- the forms ---- */

static void put_lackey(enum kind kind, uint64_t address, uint64_t size)
{
	static const char *const forms[] = {"I  %08lx,%lu\n", " L %08lx,%lu\n", " S %08lx,%lu\n",
					    " M %08lx,%lu\n"};

	cacheprof_out(&trace->out, forms[kind], address, size);
}

static void put_din(enum kind kind, uint64_t address, uint64_t size)
{
	static const unsigned labels[] = {2, 0, 1, 0};

	(void)size;
	cacheprof_out(&trace->out, "%u %lx\n", labels[kind], address);
}

static void put_byte(uint8_t byte)
{
	trace->out.buffer[trace->out.n++] = (char)byte;
}

/* Seven bits a byte, the lowest first; all but the last byte have the eighth. */
static void put_leb128(uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		put_byte((uint8_t)n | 0x80);
	put_byte((uint8_t)n);
}

static void put_binary(enum kind kind, uint64_t address, uint64_t size)
{
	uint64_t *from = kind == FETCH ? &trace->next_fetch : &trace->last_data;
	uint64_t distance = address - *from;

	put_byte((uint8_t)(kind | (size < 64 ? size << 2 : 0)));
	if (size >= 64)
		put_leb128(size);
	put_leb128(distance << 1 ^ -(distance >> 63));
	*from = kind == FETCH ? address + size : address;
}

static void put(enum kind kind, uint64_t address, uint64_t size)
{
	static void (*const forms[])(enum kind, uint64_t, uint64_t) = {
		[TRACE_LACKEY] = put_lackey, [TRACE_DIN] = put_din, [TRACE_BINARY] = put_binary};

	if (ready())
		forms[cacheprof_process.options.trace_format](kind, address, size);
}

/* ---- what is shown ---- */

static void put_fetch(void)
{
	put(FETCH, trace->address, trace->size);
	trace->written++;
}

static void trace_fetch(const struct place *place, uint32_t centre, uint64_t address, uint64_t size)
{
	(void)place, (void)centre;
	if (!ready())
		return;
	trace->address = address;
	trace->size = size;
	trace->written = 0;
	trace->referred = false;
	put_fetch();
}

static enum kind kind_of(const struct site *site)
{
	return site->kind == SITE_WRITE ? STORE : site->flags & SITE_MODIFY ? MODIFY : LOAD;
}

/* Each round of a repeated instruction fetches it again; a round begins with its first reference. */
static void trace_reference(const struct place *place, uint32_t site_number, uint64_t address,
			    uint64_t size)
{
	const struct site *site = (const struct site *)rel_at(&place->chunk->sites) + site_number;

	if (!size || !ready())
		return;
	if (place->refs->form == FORM_REP && site_number == place->refs->site && trace->referred)
		put_fetch();
	trace->referred = true;
	put(kind_of(site), address, size);
}

static void trace_repeats(const struct place *place, uint32_t site, uint64_t n)
{
	(void)place, (void)site;
	while (ready() && trace->written < 1 + n)
		put_fetch();
}

/* The stream goes on. */
static void trace_zero(void)
{
}

static void trace_end(void)
{
	int error;

	if (!ready())
		return;
	flush();
	if (trace->failed)
		return;
	error = cacheprof_file_complete(&trace->file, 0);
	if (error)
		fail(error);
	trace->failed = true;
}

static const struct watcher watcher = {
	.fetch = trace_fetch, .refer = trace_reference, .repeat = trace_repeats, .zero = trace_zero, .end = trace_end,
};
const struct watcher *const cacheprof_trace = &watcher;
const char cacheprof_watching __attribute__((weak)) = 0;
