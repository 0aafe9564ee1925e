/* What is left of a run: the profile (include/profile.h), a line in the summary file, totals on
 * standard error. A profile that is no ordinary file (/dev/stdout, a pipe) has no summary. */
#include "runtime/lock.h"
#include "runtime/runtime.h"

#include "include/profile.h"

#include <errno.h>
#include <fcntl.h>


/* What is counted from a level on; what only if branches are predicted. */
enum when { LEVEL1 = 1, LEVEL2, BRANCHES };

static const struct {
	const char *name;
	enum when when;
} events[] = {
#define EVENT(name, when, meaning) {#name, when},
#include "include/events.def"
#undef EVENT
};

static struct out out;

static bool is_counted(const struct process *process, enum when when)
{
	return when == BRANCHES ? process->branches : (int)when <= process->level;
}

/* Ends what was written to out. Returns 0 or the first errno. */
static int close_file(void)
{
	cacheprof_out_flush(&out);
	return cacheprof_file_close(out.fd, out.error);
}

/* ---- the profile ---- */

static const char *const size_names[PROFILE_SIZE_CLASSES] = {
	"1 B", "2 B", "4 B", "8 B", "16 B", "32 B", "64 B", "other",
};

/* Words may hold anything, a line's end too: %q. */
static void put_command(const struct process *process)
{
	for (const char *const *word = process->argv; word && *word; word++)
		cacheprof_out(&out, word == process->argv ? "%q" : " %q", *word);
}

static void put_cache(const char *name, struct geometry g)
{
	cacheprof_out(&out, "desc: %s cache:         %u B, %u B, ", name, g.size, g.line);
	if (g.assoc == 1)
		cacheprof_out(&out, "direct-mapped\n");
	else
		cacheprof_out(&out, "%u-way associative\n", g.assoc);
}

static void put_sizes(const struct size_row *sizes)
{
	for (unsigned i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		const struct size_row *s = &sizes[i];
		unsigned blanks = 12 - (unsigned)cacheprof_strlen(size_names[i]);

		cacheprof_out(&out, "desc: refs %s:%*s%lu %lu %lu %lu %lu %lu\n", size_names[i],
			      blanks, "", s->reads, s->read_l1, s->read_ll, s->writes, s->write_l1,
			      s->write_ll);
	}
}

static void put_header(const struct process *process, const struct counts *counts, const char *reason)
{
	if (process->level >= 2) {
		put_cache("I1", process->options.i1);
		put_cache("D1", process->options.d1);
		put_cache("LL", process->options.ll);
	}
	cacheprof_out(&out, "desc: cacheprof level:  %d\n", process->level);
	if (reason)
		cacheprof_out(&out, "desc: Trigger: Client Request: %q\n", reason);
	put_sizes(counts->sizes);
	cacheprof_out(&out, "cmd: ");
	put_command(process);
	cacheprof_out(&out, "\nevents:");
	for (unsigned e = 0; e < N_EVENTS; e++)
		if (is_counted(process, events[e].when))
			cacheprof_out(&out, " %s", events[e].name);
	cacheprof_out(&out, "\n");
}

/* All of them: of trailing zeros left out cg_annotate 3.19 warns, and cg_merge refuses them. */
static void put_counts(const struct process *process, const uint64_t *counts)
{
	for (unsigned e = 0; e < N_EVENTS; e++)
		if (is_counted(process, events[e].when))
			cacheprof_out(&out, " %lu", counts[e]);
	cacheprof_out(&out, "\n");
}

static void put_profile(const struct process *process, const struct counts *counts, const char *reason)
{
	const struct count_row *end = counts->rows + counts->n;
	const char *file = 0, *function = 0;

	put_header(process, counts, reason);
	for (const struct count_row *row = counts->rows; row < end; row++) {
		if (row->file != file)
			cacheprof_out(&out, "fl=%q\n", row->file);
		if (row->file != file || row->function != function)
			cacheprof_out(&out, "fn=%q\n", row->function);
		file = row->file;
		function = row->function;
		cacheprof_out(&out, "%u", row->line);
		put_counts(process, row->events);
	}
	cacheprof_out(&out, "summary:");
	put_counts(process, counts->totals);
}

/* reason: of a part of the run, or NULL. Returns 0 or what failed. */
static int write_profile(const struct process *process, const struct counts *counts, const char *path,
			 const char *reason)
{
	static struct file file;
	int error = cacheprof_file_create(&file, path);

	if (error)
		return error;
	cacheprof_out_open(&out, file.fd);
	put_profile(process, counts, reason);
	cacheprof_out_flush(&out);
	return cacheprof_file_complete(&file, out.error);
}

/* ---- the summary ---- */

/* Like put_command, cut where the rest of the line would no longer fit into the buffer. */
static void put_short_command(const struct process *process)
{
	const size_t room = sizeof out.buffer - 1024;

	for (const char *const *word = process->argv; word && *word; word++) {
		if (out.n + 2 * cacheprof_strlen(*word) > room) {
			cacheprof_out(&out, " ...");
			break;
		}
		cacheprof_out(&out, word == process->argv ? "%q" : " %q", *word);
	}
}

/* In one write, so that the lines of runs that end at the same time do not mix. */
static int append_summary(const char *path, const struct process *process,
			  const struct counts *counts)
{
	int fd = cacheprof_file_open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);

	if (fd < 0)
		return -fd;
	cacheprof_out_open(&out, fd);
	put_short_command(process);
	cacheprof_out(&out, "\t%d", process->level);
	for (unsigned e = 0; e < N_EVENTS; e++)
		if (is_counted(process, events[e].when))
			cacheprof_out(&out, "\t%s=%lu", events[e].name, counts->totals[e]);
	cacheprof_out(&out, "\n");
	return close_file();
}

/* The summary is of runs that have a profile, and are complete; so one obstacle is told of once. */
static bool write_files(const struct process *process, const struct counts *counts, bool complete)
{
	static char name[sizeof process->options.out + 32];
	const char *path = process->options.out;
	int error = write_profile(process, counts, path, 0);

	if (!error && complete && !cacheprof_file_is_special(path)) {
		cacheprof_format(name, sizeof name, "%s" PROFILE_SUMMARY_SUFFIX, path);
		path = name;
		error = append_summary(path, process, counts);
	}
	if (error)
		cacheprof_cannot_write(path, error);
	return !error;
}

/* ---- the totals ---- */

#define E(name) (1u << EV_##name)

/* A line of the totals: a sum of events, of which some are reads and some writes (or some conditional and
 * some indirect branches) if it has a split; or, with a base, their part of the base in percent. Cachegrind's
 * lines, decimals and bases. */
static const struct line {
	const char *label;
	enum when when;
	unsigned reads, writes, base_reads, base_writes, decimals;
} lines[] = {
	{"insns", LEVEL1, E(Ir), 0, 0, 0, 0},
	{"refs         ", LEVEL1, E(Dr), E(Dw), 0, 0, 0},
	{"I1  misses", LEVEL2, E(I1mr), 0, 0, 0, 0},
	{"LLi misses", LEVEL2, E(ILmr), 0, 0, 0, 0},
	{"D1  misses   ", LEVEL2, E(D1mr), E(D1mw), 0, 0, 0},
	{"LLd misses   ", LEVEL2, E(DLmr), E(DLmw), 0, 0, 0},
	{"LL  misses   ", LEVEL2, E(ILmr) | E(DLmr), E(DLmw), 0, 0, 0},
	{"I1  miss rate", LEVEL2, E(I1mr), 0, E(Ir), 0, 2},
	{"LLi miss rate", LEVEL2, E(ILmr), 0, E(Ir), 0, 2},
	{"D1  miss rate", LEVEL2, E(D1mr), E(D1mw), E(Dr), E(Dw), 1},
	{"LLd miss rate", LEVEL2, E(DLmr), E(DLmw), E(Dr), E(Dw), 1},
	{"LL  miss rate", LEVEL2, E(ILmr) | E(DLmr), E(DLmw), E(Ir) | E(Dr), E(Dw), 1},
	{"Branches     ", BRANCHES, E(Bc), E(Bi), 0, 0, 0},
	{"Mispredicts  ", BRANCHES, E(Bcm), E(Bim), 0, 0, 0},
	{"Mispred rate ", BRANCHES, E(Bcm), E(Bim), E(Bc), E(Bi), 1},
};

struct columns {
	unsigned all, part; /* widths of the number before the label, and of one in the split */
};

static uint64_t sum(const uint64_t *totals, unsigned which)
{
	uint64_t all = 0;

	for (unsigned e = 0; e < N_EVENTS; e++)
		if (which & 1u << e)
			all += totals[e];
	return all;
}

/* value * scale / base to the nearest, 0 if base is 0; both lose bits until the product fits. */
static uint64_t ratio(uint64_t value, uint64_t scale, uint64_t base)
{
	while (value > UINT64_MAX / 2 / scale) {
		value >>= 1;
		base >>= 1;
	}
	return base ? (value * scale + base / 2) / base : 0;
}

static unsigned width_of(uint64_t value, unsigned least)
{
	unsigned width = 1;

	for (unsigned digits = 1; value >= 10; digits++, value /= 10)
		width += digits % 3 ? 1 : 2;
	return width > least ? width : least;
}

/* A number, or a percentage of a base that the line has. */
static void put_value(const struct line *line, const uint64_t *totals, unsigned value,
		      unsigned base, unsigned width)
{
	static const unsigned powers[] = {1, 10, 100};
	unsigned power = powers[line->decimals];
	uint64_t n = sum(totals, value);

	if (!line->base_reads) {
		cacheprof_out(&out, "%*,lu", width, n);
		return;
	}
	n = ratio(n, 100 * power, sum(totals, base));
	cacheprof_out(&out, "%*lu.%0*lu%%", width - line->decimals - 2, n / power, line->decimals,
		      n % power);
}

static void put_line(const struct line *line, const uint64_t *totals, struct columns columns)
{
	cacheprof_out(&out, SAY);
	put_value(line, totals, line->reads | line->writes, line->base_reads | line->base_writes,
		  columns.all);
	cacheprof_out(&out, " %s", line->label);
	if (line->writes) {
		cacheprof_out(&out, " (");
		put_value(line, totals, line->reads, line->base_reads, columns.part);
		cacheprof_out(&out, line->when == BRANCHES ? " cond + " : " rd + ");
		put_value(line, totals, line->writes, line->base_writes, columns.part);
		cacheprof_out(&out, line->when == BRANCHES ? " ind)" : " wr)");
	}
	cacheprof_out(&out, "\n");
}

static void print_totals(const struct process *process, const uint64_t *totals, uint64_t ns)
{
	uint64_t centiseconds = ratio(ns, 1, 10000000);
	uint64_t centimips = ratio(totals[EV_Ir], 100000, ns);
	struct columns columns = {
		width_of(totals[EV_Ir], 15),
		width_of(totals[EV_Dr] > totals[EV_Dw] ? totals[EV_Dr] : totals[EV_Dw], 13),
	};

	cacheprof_out_open(&out, cacheprof_messages_open());
	cacheprof_out(&out, SAY "level-%d instrumented program: run complete\n", process->level);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (is_counted(process, lines[i].when))
			put_line(&lines[i], totals, columns);
	cacheprof_out(&out, SAY "%lu.%02lu seconds, %lu.%02lu MIPS\n", centiseconds / 100,
		      centiseconds % 100, centimips / 100, centimips % 100);
	cacheprof_out_flush(&out);
	cacheprof_messages_close(out.fd);
}

void cacheprof_print_progress(const struct process *process, const uint64_t totals[N_EVENTS])
{
	uint64_t seconds = (cacheprof_now_ns() - process->start_ns) / 1000000000;
	uint64_t refs = sum(totals, E(Dr) | E(Dw)), i1, d1, ll;

	if (process->level < 2) {
		cacheprof_print(SAY "%lu s: %,lu insns, %,lu refs\n", seconds, totals[EV_Ir], refs);
		return;
	}
	i1 = ratio(totals[EV_I1mr], 10000, totals[EV_Ir]);
	d1 = ratio(sum(totals, E(D1mr) | E(D1mw)), 1000, refs);
	ll = ratio(sum(totals, E(ILmr) | E(DLmr) | E(DLmw)), 1000, totals[EV_Ir] + refs);
	cacheprof_print(SAY "%lu s: %,lu insns, %,lu refs, miss rates I1 %lu.%02lu%%, D1 %lu.%lu%%, LL %lu.%lu%%\n",
			seconds, totals[EV_Ir], refs, i1 / 100, i1 % 100, d1 / 10, d1 % 10, ll / 10, ll % 10);
}

/* One thread writes at a time. The one that ends the process waits for another to be ready; a signal
 * handler does not. The process beside the program may be killed while it writes. */
#define BESIDE -1

static bool is_beside_gone(const struct process *process)
{
	return __atomic_load_n(&process->writer, __ATOMIC_RELAXED) == BESIDE &&
	       !__atomic_load_n(&process->beside, __ATOMIC_RELAXED);
}

bool cacheprof_writing_begin(struct process *process, bool wait)
{
	int self = cacheprof_gettid(), other = 0;
	unsigned turns = 0;

	if (self == process->beside)
		self = BESIDE;
	while (!__atomic_compare_exchange_n(&process->writer, &other, self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if (other == self)
			return false;
		other = is_beside_gone(process) ? BESIDE : 0;
		if (other)
			continue;
		if (!wait)
			return false;
		lock_wait(&turns);
	}
	return true;
}

void cacheprof_writing_end(struct process *process)
{
	__atomic_store_n(&process->writer, 0, __ATOMIC_RELEASE);
}

static struct counts counts;

/* Counts of 0 would mislead who has only linked by cacheprof, as where make finds the objects of an earlier build. */
static bool has_counts(const struct process *process)
{
	if (!process->level && !process->options.quiet)
		cacheprof_print(SAY "no profile: nothing of this program was compiled by cacheprof (objects that were "
				    "there before stay as they are: make clean)\n");
	return process->level;
}

static void write_all(struct process *process, uint64_t ns)
{
	if (!has_counts(process))
		return;
	if (!cacheprof_counts(process, &counts)) {
		cacheprof_cannot_write(process->options.out, ENOMEM);
		return;
	}
	write_files(process, &counts, true);
	process->written = counts.totals[EV_Ir];
	if (!process->options.quiet)
		print_totals(process, counts.totals, ns);
}

/* Of the process beside, by a program that has no files any more. */
enum asked {
	ASKED_NOTHING,
	ASKED_TO_WRITE,
	ASKED_AT_END,
};

/* False if there is none, or it is gone before it has. */
static bool let_beside_write(struct process *process, bool last)
{
	unsigned turns = 0;
	int beside = __atomic_load_n(&process->beside, __ATOMIC_RELAXED);

	if (!process->hands_over || !beside || cacheprof_gettid() == beside)
		return false;
	if (process->ended)
		return true;
	__atomic_store_n(&process->asked, last ? ASKED_AT_END : ASKED_TO_WRITE, __ATOMIC_RELEASE);
	while (__atomic_load_n(&process->asked, __ATOMIC_ACQUIRE))
		if (__atomic_load_n(&process->beside, __ATOMIC_ACQUIRE))
			lock_wait(&turns);
		else
			return false;
	return true;
}

void cacheprof_write_asked(struct process *process)
{
	int asked = __atomic_load_n(&process->asked, __ATOMIC_ACQUIRE);

	if (!asked)
		return;
	cacheprof_write(process, asked == ASKED_AT_END);
	__atomic_store_n(&process->asked, ASKED_NOTHING, __ATOMIC_RELEASE);
}

void cacheprof_write(struct process *process, bool last)
{
	uint64_t ns = cacheprof_now_ns() - process->start_ns;

	if (let_beside_write(process, last) || !cacheprof_writing_begin(process, true))
		return;
	if (!process->ended)
		write_all(process, ns);
	process->ended |= last;
	cacheprof_writing_end(process);
}

void cacheprof_write_so_far(struct process *process)
{
	if (!has_counts(process) || !cacheprof_writing_begin(process, false))
		return;
	if (!cacheprof_counts(process, &counts))
		cacheprof_cannot_write(process->options.out, ENOMEM);
	else if (write_files(process, &counts, false) && !process->options.quiet)
		cacheprof_print(SAY "profile so far: %s\n", process->options.out);
	cacheprof_writing_end(process);
}

/* Returns 0 or what failed. */
static int write_changes(struct process *process)
{
	int error = 0;

	if (!cacheprof_counts(process, &counts))
		return ENOMEM;
	if (counts.totals[EV_Ir] != process->written)
		error = write_profile(process, &counts, process->options.out, 0);
	if (!error)
		process->written = counts.totals[EV_Ir];
	return error;
}

void cacheprof_write_live(struct process *process, bool gone)
{
	int error;

	if (gone)
		process->writer = 0;
	if (!cacheprof_writing_begin(process, false))
		return;
	error = process->ended || !process->level ? 0 : write_changes(process);
	if (error && gone)
		cacheprof_cannot_write(process->options.out, error);
	cacheprof_writing_end(process);
}

void cacheprof_write_part(struct process *process, const char *path, const char *reason)
{
	int error = ENOMEM;

	if (!cacheprof_writing_begin(process, true))
		return;
	if (cacheprof_counts(process, &counts))
		error = write_profile(process, &counts, path, reason);
	if (error)
		cacheprof_cannot_write(path, error);
	cacheprof_writing_end(process);
}
