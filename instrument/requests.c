/* Client requests. Valgrind's headers, and cacheprof.h, write them as five instructions that do
 * nothing together (valgrind.h, __SPECIAL_INSTRUCTION_PREAMBLE): 128 bits of rotation of rdi, then an
 * exchange of rbx with itself. Under Valgrind that is a call with rax the address of the request's
 * words, and rdx what it returns where nobody hears it. Nothing is planted within, so that an
 * instrumented program goes on speaking to Valgrind; the block ends behind it, since from there on
 * counting may be off, or on. */
#include "instrument/requests.h"

#include <string.h>

#define REQUEST_INSNS 5

static const struct {
	uint8_t len, bytes[4];
} request[REQUEST_INSNS] = {
	{4, {0x48, 0xc1, 0xc7, 3}},    /* rol $3,%rdi */
	{4, {0x48, 0xc1, 0xc7, 13}},   /* rol $13,%rdi */
	{4, {0x48, 0xc1, 0xc7, 61}},   /* rol $61,%rdi */
	{4, {0x48, 0xc1, 0xc7, 51}},   /* rol $51,%rdi */
	{3, {0x48, 0x87, 0xdb}},       /* xchg %rbx,%rbx */
};

static bool is_request(const struct insn *insns)
{
	for (unsigned i = 0; i < REQUEST_INSNS; i++)
		if (insns[i].section != insns->section || insns[i].len != request[i].len ||
		    memcmp(insns[i].bytes, request[i].bytes, request[i].len))
			return false;
	return true;
}

void requests_find(struct unit *unit)
{
	for (size_t i = 0; i + REQUEST_INSNS <= unit->insns.n; i++) {
		struct insn *insns = &unit->insns.at[i];

		if (!is_request(insns))
			continue;
		insns->request = true;
		insns->reads |= 1u << RAX | 1u << RDX;
		insns[REQUEST_INSNS - 1].unsure = true;
		for (unsigned k = 1; k < REQUEST_INSNS; k++)
			insns[k].glued = true;
	}
}

bool requests_end(const struct unit *unit, uint32_t insn)
{
	return insn + 1 >= REQUEST_INSNS && unit->insns.at[insn + 1 - REQUEST_INSNS].request;
}
