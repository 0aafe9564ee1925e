/* Fills the places of a planted text and prints it. */
#include "instrument/sequence.h"

#include "include/site.h"

#include <inttypes.h>
#include <string.h>

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

static const char *const texts[] = {
#define SEQUENCE(name, text) [SEQ_##name] = text,
#include "instrument/sequences_x86_64.def"
#undef SEQUENCE
};

static const char *const names[] = {"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
				    "%r8",  "%r9",  "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
				    "%rip"};
static const char *const names32[] = {"%eax", "%ecx",  "%edx",	"%ebx",	 "%esp",  "%ebp",
				      "%esi", "%edi",  "%r8d",	"%r9d",	 "%r10d", "%r11d",
				      "%r12d", "%r13d", "%r14d", "%r15d"};

static const char *const names8[] = {"%al",  "%cl",  "%dl",   "%bl",	 "%spl",  "%bpl",  "%sil",  "%dil",
				     "%r8b", "%r9b", "%r10b", "%r11b", "%r12b", "%r13b", "%r14b", "%r15b"};

static const char *const names16[] = {"%ax",  "%cx",  "%dx",	 "%bx",	  "%sp",   "%bp",   "%si",   "%di",
				      "%r8w", "%r9w", "%r10w", "%r11w", "%r12w", "%r13w", "%r14w", "%r15w"};

const char *register_name(uint8_t r)
{
	return names[r];
}

const char *register_name32(uint8_t r)
{
	return names32[r];
}

static void put_a(FILE *out, const struct slots *s) { fputs(names[s->a], out); }
static void put_b(FILE *out, const struct slots *s) { fputs(names[s->b], out); }
static void put_a32(FILE *out, const struct slots *s) { fputs(names32[s->a], out); }
static void put_b32(FILE *out, const struct slots *s) { fputs(names32[s->b], out); }
static void put_c(FILE *out, const struct slots *s) { fputs(names[s->c], out); }
static void put_c32(FILE *out, const struct slots *s) { fputs(names32[s->c], out); }
static void put_c8(FILE *out, const struct slots *s) { fputs(names8[s->c], out); }
static void put_a8(FILE *out, const struct slots *s) { fputs(names8[s->a], out); }
static void put_a16(FILE *out, const struct slots *s) { fputs(names16[s->a], out); }
static void put_n(FILE *out, const struct slots *s) { fprintf(out, "%" PRIu32, s->n); }
static void put_s(FILE *out, const struct slots *s) { fprintf(out, "%" PRIu32, s->s); }
static void put_x(FILE *out, const struct slots *s) { fprintf(out, "%" PRIu64, s->x); }
static void put_y(FILE *out, const struct slots *s) { fprintf(out, "%" PRIu64, s->y); }
static void put_low(FILE *out, const struct slots *s) { fputs(s->low, out); }
static void put_high(FILE *out, const struct slots *s) { fputs(s->high, out); }
static void put_stub(FILE *out, const struct slots *s) { fputs(s->stub, out); }
static void put_last(FILE *out, const struct slots *s) { fprintf(out, "%" PRIu32, s->span - 1); }

/* What is longer than a line never lies in one. */
static void put_limit(FILE *out, const struct slots *s)
{
	fprintf(out, "%" PRIu32, s->span > FILTER_LINE ? 0 : FILTER_LINE + 1 - s->span);
}

static const struct {
	const char *name;
	void (*put)(FILE *out, const struct slots *s);
} places[] = {
	{"a", put_a},	    {"b", put_b},	{"a32", put_a32},   {"b32", put_b32},
	{"a16", put_a16},   {"a8", put_a8},	    {"c", put_c},	{"c32", put_c32},   {"c8", put_c8},
	{"n", put_n},	    {"s", put_s},	{"x", put_x},	    {"y", put_y},
	{"low", put_low},   {"high", put_high}, {"stub", put_stub}, {"last", put_last},
	{"limit", put_limit},
};

static void print_place(FILE *out, const char *place, size_t len, const struct slots *slots)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strlen(places[i].name) == len && !memcmp(places[i].name, place, len)) {
			places[i].put(out, slots);
			return;
		}
}

void sequence_print(FILE *out, enum sequence which, const struct slots *slots)
{
	const char *p = texts[which], *open;

	while ((open = strchr(p, '<'))) {
		const char *close = strchr(open, '>');

		fwrite(p, 1, (size_t)(open - p), out);
		print_place(out, open + 1, (size_t)(close - open - 1), slots);
		p = close + 1;
	}
	fputs(p, out);
}

void address_print(char *buffer, const struct address *a, int64_t offset)
{
	int64_t disp = a->disp + offset;

	if (a->symbol.len)
		buffer += sprintf(buffer, "%.*s", (int)a->symbol.len, a->symbol.p);
	if (disp || (!a->symbol.len && a->base == REG_NONE))
		buffer += sprintf(buffer, a->symbol.len ? "%+" PRId64 : "%" PRId64, disp);
	if (a->base == REG_NONE && a->index == REG_NONE)
		return;
	buffer += sprintf(buffer, "(%s", a->base == REG_NONE ? "" : names[a->base]);
	if (a->index != REG_NONE)
		buffer += sprintf(buffer, ",%s,%u", names[a->index], a->scale);
	strcpy(buffer, ")");
}
