/* The decoder (Zydis), in the mode and with the questions of this program. */
#ifndef INSTRUMENT_DECODE_H
#define INSTRUMENT_DECODE_H

#include <Zydis/Zydis.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode the instruction at bytes, which has at most n; false if there is none. decode_length
 * leaves operands out. */
bool decode_length(const uint8_t *bytes, size_t n, ZydisDecodedInstruction *d);
bool decode_full(const uint8_t *bytes, size_t n, ZydisDecodedInstruction *d,
		 ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

bool decode_is_nop(const ZydisDecodedInstruction *d);

/* What alignment may consist of: NOPs, jumps over them, int3. */
bool decode_is_padding(const ZydisDecodedInstruction *d);

/* Whether control may go on behind it. */
bool decode_falls_through(const ZydisDecodedInstruction *d);

/* Legacy and REX prefixes. */
bool decode_is_prefix(uint8_t byte);

#endif
