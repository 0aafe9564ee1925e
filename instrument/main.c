/* cacheann, the `as` that gcc calls under cacheprof: assembly in, instrumented object out. Below is
 * the whole way of the data, one line a pass. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/diag.h"
#include "common/file.h"
#include "instrument/aliases.h"
#include "instrument/anchors.h"
#include "instrument/assemble.h"
#include "instrument/blocks.h"
#include "instrument/callees.h"
#include "instrument/cfi.h"
#include "instrument/copies.h"
#include "instrument/dialect.h"
#include "instrument/emit.h"
#include "instrument/expand.h"
#include "instrument/facts.h"
#include "instrument/groups.h"
#include "instrument/include.h"
#include "instrument/keep.h"
#include "instrument/lines.h"
#include "instrument/liveness.h"
#include "instrument/messages.h"
#include "instrument/options.h"
#include "instrument/places.h"
#include "instrument/predict.h"
#include "instrument/redzone.h"
#include "instrument/reports.h"
#include "instrument/requests.h"
#include "instrument/rigid.h"

static char temp_dir[4096];
static const char *unfinished; /* the file whose text is not whole yet; NULL for none */

/* Runs in signal handlers too: nothing but system calls. The names are those that assemble.c, include.c,
 * expand.c and this file give. */
static void remove_temp_files(void)
{
	static const char *const names[] = {"labelled.s", "labelled.o", "annotated.s", "input.s",
					    "listed.s",	  "listed.o",	"listing",     "expanded.s",
					    "expanded.o", "planted.o",	REPORT_OBJECT};
	char path[sizeof temp_dir + 16];
	size_t n = strlen(temp_dir);

	if (unfinished)
		unlink(unfinished);
	if (!n)
		return;
	memcpy(path, temp_dir, n);
	path[n] = '/';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		strcpy(path + n + 1, names[i]);
		unlink(path);
	}
	rmdir(temp_dir);
	temp_dir[0] = '\0';
}

static void make_temp_dir(void)
{
	const char *tmp = getenv("TMPDIR");

	/* As gcc does: a TMPDIR that cannot be used is passed over. */
	if (!tmp || !*tmp || access(tmp, R_OK | W_OK | X_OK))
		tmp = "/tmp";
	if ((size_t)snprintf(temp_dir, sizeof temp_dir - 32, "%s/cacheprof.XXXXXX", tmp) >=
	    sizeof temp_dir - 32)
		die("TMPDIR is too long");
	diag_hold_signals();
	if (!mkdtemp(temp_dir)) {
		temp_dir[0] = '\0';
		die("cannot make a temporary directory in %s:", tmp);
	}
	diag_at_any_end(remove_temp_files);
	diag_release_signals();
}

static char *temp_name(const char *name)
{
	return xasprintf("%s/%s", temp_dir, name);
}

static _Noreturn void leave(int status)
{
	remove_temp_files();
	if (status > 128) {
		signal(status - 128, SIG_DFL);
		raise(status - 128);
	}
	exit(status);
}

/* A device, a pipe or a link is the user's own, and stays where what is written to it is not whole. */
static bool is_ordinary(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* Where gas is to write what is changed before it is the output: another process that makes the same output at the same
 * time, as two rules of a makefile may, must not find it half done, nor we what that one does. */
static const char *object_file(const struct options *o)
{
	return is_special(o->output) ? o->output : temp_name("planted.o");
}

/* As gas does (bfd/cache.c): what was there is another file, of other links, too. */
static void make_room(const char *path)
{
	struct stat st;

	if (!stat(path, &st) && st.st_size && !lstat(path, &st) && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
		unlink(path);
}

/* What is not whole does not stay, however the process ends. out: of path; NULL if it could not be opened. */
static void begin_file(FILE *out, const char *path)
{
	if (!out)
		die("cannot write %s:", path);
	if (out != stdout && is_ordinary(path))
		unfinished = path;
}

static void end_file(FILE *out, const char *path, bool ok)
{
	if (fclose(out) || !ok)
		die("cannot write %s:", path);
	unfinished = NULL;
}

static void write_output(const char *path, const char *bytes, size_t len)
{
	FILE *out;

	make_room(path);
	out = fopen(path, "we");
	begin_file(out, path);
	end_file(out, path, fwrite(bytes, 1, len, out) == len);
}

/* Gas's object becomes the output. */
static void complete_object(const struct options *o, const char *object)
{
	size_t len;
	char *bytes;

	places_make(object);
	if (object == o->output)
		return;
	bytes = file_read(object, &len);
	write_output(o->output, bytes, len);
}

/* Leaves with the status of the assembler that made the output. What one that was killed has written
 * is no object. */
static _Noreturn void leave_made(const struct options *o, int status)
{
	if (status > 128 && is_ordinary(o->output))
		unlink(o->output);
	leave(status);
}

static const char *file_with(const char *text, size_t len)
{
	const char *name = temp_name("input.s");

	file_write(name, text, len);
	return name;
}

/* The file with the input. Standard input has been read: it goes through one of ours. */
static const char *input_file(const struct options *o, const char *text, size_t len)
{
	return o->input ? o->input : file_with(text, len);
}

/* The same once the output is made, if status is 0, and what is wanted beside it is not. */
static _Noreturn void report_and_leave(const struct options *o, int status, const char *text, size_t len)
{
	if (!status && o->report_argv)
		status = reports_write(o, temp_dir, input_file(o, text, len));
	leave_made(o, status);
}

/* The real assembler on the input as it is. What it has to say it has said before. */
static _Noreturn void assemble_plain(const struct options *o, const struct assembler *as,
				     const char *text, size_t len)
{
	const char *in = o->changed ? file_with(text, len) : input_file(o, text, len);
	int status;
	char *said = assembler_listen(as, in, o->output, &status);

	if (status)
		assembler_repeat(said, in, o->input ? o->input : in);
	free(said);
	report_and_leave(o, status, text, len);
}

/* The same of what was annotated before. */
static _Noreturn void assemble_annotated(const struct options *o, const struct assembler *as,
					 const char *text, size_t len)
{
	const char *object = object_file(o);
	int status = assembler_run(as, input_file(o, text, len), object);

	if (!status)
		complete_object(o, object);
	report_and_leave(o, status, text, len);
}

static _Noreturn void exec_real(char **argv, const struct options *o)
{
	argv[0] = o->argv[0];
	execv(argv[0], argv);
	die("cannot run %s:", argv[0]);
}

static void dump(const struct options *o, enum phase phase, const char *title,
		 void (*print)(const void *, const void *), const void *a, const void *b)
{
	if (!o->dump[phase])
		return;
	fprintf(stderr, "==== %s\n", title);
	print(a, b);
}

static void dump_preparsed(const void *file, const void *unused)
{
	(void)unused;
	asm_dump_preparsed(file, stderr);
}

static void dump_parsed(const void *file, const void *unused)
{
	(void)unused;
	asm_dump_parsed(file, stderr);
}

static void dump_facts(const void *unit, const void *unused)
{
	(void)unused;
	facts_dump(unit, stderr);
}

static void dump_centres(const void *unit, const void *unused)
{
	(void)unused;
	lines_dump(unit, stderr);
}

static void dump_emission(const void *emission, const void *unused)
{
	(void)unused;
	emit(emission, stderr);
}

static void dump_blocks(const void *flow, const void *unused)
{
	(void)unused;
	blocks_dump(flow, stderr);
}

static void dump_groups(const void *planned, const void *flow)
{
	groups_dump(planned, flow, stderr);
}

static void dump_plan(const void *plan, const void *flow)
{
	plan_dump(plan, flow, stderr);
}

/* For text: "-" is standard output, as for gcc's -S. */
static FILE *open_text(const char *path)
{
	return strcmp(path, "-") ? fopen(path, "we") : stdout;
}

static void write_annotated(const char *path, const struct emission *e)
{
	FILE *out = open_text(path);

	begin_file(out, path);
	end_file(out, path, emit(e, out));
}

static void finish(const struct options *o, const struct emission *e, const struct asm_file *file)
{
	char **argv = e->flow->unit->has_locs ? o->planted_argv : options_without_debug(o->planted_argv);
	struct assembler as = {.argv = argv, .temp_dir = temp_dir};
	char *text = temp_name("annotated.s"), *said;
	const char *object = object_file(o);
	int status;

	if (o->annotate) {
		write_annotated(o->output, e);
		leave(EXIT_OK);
	}
	write_annotated(text, e);
	said = assembler_listen(&as, text, object, &status);
	messages_print(said, text, e);
	if (!status)
		complete_object(o, object);
	report_and_leave(o, status, file->text, file->len);
}

/* Level 0: the parsed text, printed. */
static void reprint(const struct options *o, const struct assembler *as, const struct asm_file *file)
{
	const char *path = o->annotate ? o->output : temp_name("annotated.s");
	FILE *out = open_text(path);

	begin_file(out, path);
	end_file(out, path, asm_print(file, out));
	if (o->annotate)
		leave(EXIT_OK);
	report_and_leave(o, assembler_run_as(as, path, o->output, o->input ? o->input : "{standard input}"),
			 file->text, file->len);
}

static void instrument(const struct options *o, const struct assembler *as, const struct asm_file *source)
{
	struct unit *unit = xalloc(1, sizeof *unit);
	struct flow flow = {0};
	struct liveness live = {0};
	struct planned planned = {0};
	struct plan plan = {0};
	struct predicted predicted = {0};
	struct copies copies = {0};
	struct emission emission;
	struct level level = levels[o->level];
	const struct asm_file *file;
	struct assembler asking = {.argv = as->argv, .temp_dir = as->temp_dir, .silent = true};
	int status;

	level.show = o->show && level.simulate;
	level.branches = o->branches;
	file = expand(o->by_assembly ? source : include(source, &asking), &asking);
	status = assemble(unit, file, source, &asking);
	if (status)
		leave(status);
	if (!unit->insns.n && !o->annotate)
		assemble_plain(o, as, source->text, source->len);
	facts_find(unit);
	aliases_find(unit);
	requests_find(unit);
	rigid_find(unit);
	anchors_find(unit);
	cfi_find(unit);
	dump(o, PHASE_SIMPLIFIED, "simplified", dump_facts, unit, NULL);
	lines_find(unit, getcwd(NULL, 0), o->by_assembly);
	if (o->libc_model)
		callees_find(unit);
	dump(o, PHASE_CCS, "ccs", dump_centres, unit, NULL);
	blocks_find(&flow, unit);
	red_zones_find(&flow);
	dump(o, PHASE_IDENT_BBS, "ident-bbs", dump_blocks, &flow, NULL);
	liveness_find(&live, &flow, o->kept);
	if (o->copies)
		copies_find(&copies, &flow, &live);
	loops_none(&plan.loops, &flow);
	if (level.simulate && !o->copies && !flow.by_hand && !flow.moves) {
		strides_find(&plan.strides, &flow, &live);
		loops_free_registers(&plan.loops, &flow, &live, &plan.strides, o->pic, !(o->pic && level.branches));
	}
	groups_find(&planned, &flow, &live);
	dump(o, PHASE_ANNOTATED, "annotated", dump_groups, &planned, &flow);
	plan_make(&plan, &flow, &live, &planned, &level, o->pic, o->copies ? &copies : NULL);
	dump(o, PHASE_USE_BBS, "use-bbs", dump_plan, &plan, &flow);
	if (level.branches)
		predict_find(&predicted, &flow, &live, &plan, o->pic);
	emission = (struct emission){.flow = &flow, .planned = &planned, .plan = &plan, .predicted = &predicted,
				     .copies = &copies, .level = &level,
				     .level_number = o->level, .pic = o->pic, .comments = true};
	dump(o, PHASE_SYNTH, "synth", dump_emission, &emission, NULL);
	emission.comments = o->annotate;
	dump(o, PHASE_PEEPHOLE, "peephole", dump_emission, &emission, NULL);
	finish(o, &emission, source);
}

/* Puts the directive on the first line, or before one that says which the next one is: all keep their numbers. */
static char *add_syntax(const char *directive, const char *text, size_t *len)
{
	bool mark = *text == '#' && isdigit((unsigned char)text[1 + strspn(text + 1, " \t")]);
	size_t n = strlen(directive) + 1;
	char *all = xalloc(n + *len + 1, 1);

	memcpy(all, directive, n - 1);
	all[n - 1] = mark ? '\n' : ';';
	memcpy(all + n, text, *len);
	*len += n;
	return all;
}

int main(int argc, char **argv)
{
	struct options o;
	struct assembler as;
	struct asm_file *file;
	size_t len;
	char *text;

	(void)argc;
	diag_program("cacheprof");
	options_read(&o, argv);
	if (o.plain)
		exec_real(argv, &o);
	text = file_read(o.input, &len);
	o.changed = dialect_translate(text, len);
	make_temp_dir();
	as = (struct assembler){.argv = o.argv, .temp_dir = temp_dir};
	if (!strncmp(text, EMIT_MARK, strlen(EMIT_MARK)))
		assemble_annotated(&o, &as, text, len);
	if (o.syntax) {
		text = add_syntax(o.syntax, text, &len);
		o.changed = true;
	}
	file = asm_parse(o.input ? o.input : "{standard input}", text, len);
	dump(&o, PHASE_PREPARSED, "preparsed", dump_preparsed, file, NULL);
	dump(&o, PHASE_PARSED, "parsed", dump_parsed, file, NULL);
	if (o.level == 0)
		reprint(&o, &as, file);
	if (o.by_assembly)
		file->name = keep_assembly(&o, text, len);
	instrument(&o, &as, file);
	return EXIT_OK;
}
