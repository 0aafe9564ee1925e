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

const char *register_name(uint8_t r)
{
	return names[r];
}

const char *register_name32(uint8_t r)
{
	return names32[r];
}

static void print_place(FILE *out, const char *place, size_t len, const struct slots *slots)
{
	if (len == 1 && *place == 'a')
		fputs(names[slots->a], out);
	else if (len == 1 && *place == 'b')
		fputs(names[slots->b], out);
	else if (len == 1 && *place == 'n')
		fprintf(out, "%" PRIu32, slots->n);
	else if (len == 1 && *place == 's')
		fprintf(out, "%" PRIu32, slots->s);
	else if (len == 1 && *place == 'x')
		fprintf(out, "%" PRIu64, slots->x);
	else if (len == 3 && !memcmp(place, "b32", 3))
		fputs(names32[slots->b], out);
	else if (len == 3 && !memcmp(place, "a32", 3))
		fputs(names32[slots->a], out);
	else if (len == 3)
		fputs(slots->low, out);
	else
		fputs(*place == 'h' ? slots->high : slots->stub, out);
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
