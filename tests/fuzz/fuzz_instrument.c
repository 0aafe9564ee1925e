/* libFuzzer target: all of cacheann, from the text to the object. What gas takes as it is it takes annotated,
 * or something is told. Levels and options follow from the text. Lines are moved about, for bytes alone would
 * hardly ever make assembly. gas is CACHEPROF_AS, which should be a script that limits its time and memory.
 *
 *   make build/fuzz/fuzz_instrument
 *   ASAN_OPTIONS=detect_leaks=0 CACHEPROF_AS=$PWD/as build/fuzz/fuzz_instrument -close_fd_mask=2 -runs=2000 corpus
 *
 * Memory is never freed: give -runs= and start again. FUZZ_STRICT=1: annotated text that gas does not take is
 * a crash. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf left;

/* In place of exit. */
static _Noreturn void leave_input(int status)
{
	longjmp(left, 1 + !!status);
}

#define exit leave_input
#define main cacheann_main
#include "instrument/main.c"
#undef exit
#undef main

static bool assembled; /* gas took the text as it is */

static void give_up(void)
{
	remove_temp_files();
	longjmp(left, 3);
}

static void pick_options(struct options *o, const uint8_t *data, size_t size)
{
	static char *argv[4], *planted[4];
	const char *as = getenv("CACHEPROF_AS");
	uint32_t hash = 0;

	for (size_t i = 0; i < size; i++)
		hash = hash * 31 + data[i];
	argv[0] = planted[0] = (char *)(as ? as : "as");
	*o = (struct options){.argv = argv, .planted_argv = planted, .input = "fuzz.s", .output = "/dev/null",
			      .level = 1 + hash % 2, .pic = hash >> 8 & 1, .branches = hash >> 9 & 1,
			      .show = !(hash >> 10 & 7), .libc_model = hash >> 13 & 1};
}

static void judge(const struct options *o, const struct assembler *as, const struct asm_file *file)
{
	struct unit unit = {0};

	assembled = getenv("FUZZ_STRICT") && !assemble(&unit, file, file, as) && unit.insns.n;
	instrument(o, as, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options o;
	struct assembler as;
	int how = setjmp(left);

	if (how) {
		if (how == 2 && assembled)
			abort();
		return 0;
	}
	assembled = false;
	pick_options(&o, data, size);
	make_temp_dir();
	diag_at_exit(give_up);
	as = (struct assembler){.argv = o.argv, .temp_dir = temp_dir};
	judge(&o, &as, asm_parse(o.input, arena_string((const char *)data, size), size));
	remove_temp_files();
	return 0;
}

/* ---- mutations by lines ---- */

struct line {
	const uint8_t *p;
	size_t len; /* with the newline */
};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
				 size_t max, unsigned seed);

static struct line line_at(const uint8_t *data, size_t size, size_t at)
{
	size_t begin = at < size ? at : size, end = begin;

	while (begin && data[begin - 1] != '\n')
		begin--;
	while (end < size && data[end] != '\n')
		end++;
	return (struct line){data + begin, end - begin + (end < size)};
}

/* data with what is between from and to replaced by the piece. */
static size_t replaced(uint8_t *out, size_t max, const uint8_t *data, size_t size, const uint8_t *from,
		       const uint8_t *to, struct line piece)
{
	size_t head = (size_t)(from - data), tail = (size_t)(data + size - to);
	uint8_t *copy;

	if (head + piece.len + tail > max)
		return 0;
	copy = malloc(head + piece.len + tail + 1);
	memcpy(copy, data, head);
	memcpy(copy + head, piece.p, piece.len);
	memcpy(copy + head + piece.len, to, tail);
	memcpy(out, copy, head + piece.len + tail);
	free(copy);
	return head + piece.len + tail;
}

static const uint8_t *operands_of(struct line l)
{
	const uint8_t *p = l.p;

	while (p < l.p + l.len && (*p == '\t' || *p == ' '))
		p++;
	while (p < l.p + l.len && *p != '\t' && *p != ' ')
		p++;
	return p;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct line a = line_at(data, size, size ? rand_r(&seed) % size : 0);
	struct line b = line_at(data, size, size ? rand_r(&seed) % size : 0);
	size_t n = 0;

	switch (rand_r(&seed) % 6) {
	case 0: /* goes */
		n = replaced(data, max, data, size, a.p, a.p + a.len, (struct line){a.p, 0});
		break;
	case 1: /* comes twice */
		n = replaced(data, max, data, size, b.p, b.p, a);
		break;
	case 2:
		n = replaced(data, max, data, size, b.p, b.p + b.len, a);
		break;
	case 3: /* another one's operands */
		n = replaced(data, max, data, size, operands_of(b), b.p + b.len,
			     (struct line){operands_of(a), (size_t)(a.p + a.len - operands_of(a))});
		break;
	case 4: /* another one's mnemonic */
		n = replaced(data, max, data, size, b.p, operands_of(b), (struct line){a.p, (size_t)(operands_of(a) - a.p)});
		break;
	}
	return n ? n : LLVMFuzzerMutate(data, size, max);
}

/* Some lines of the one amid the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
				 size_t max, unsigned seed)
{
	struct line first = line_at(b, b_size, b_size ? rand_r(&seed) % b_size : 0), at;
	struct line last = line_at(b, b_size, (size_t)(first.p - b) + rand_r(&seed) % 300);

	at = line_at(a, a_size, a_size ? rand_r(&seed) % a_size : 0);
	return replaced(out, max, a, a_size, at.p, at.p,
			(struct line){first.p, (size_t)(last.p + last.len - first.p)});
}
