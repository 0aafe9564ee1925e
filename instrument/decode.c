#include "instrument/decode.h"

#include <string.h>

static const ZydisDecoder *decoder(void)
{
	static ZydisDecoder d;
	static bool ready;

	if (!ready) {
		ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		ready = true;
	}
	return &d;
}

bool decode_length(const uint8_t *bytes, size_t n, ZydisDecodedInstruction *d)
{
	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder(), NULL, bytes, n, d));
}

bool decode_full(const uint8_t *bytes, size_t n, ZydisDecodedInstruction *d,
		 ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT])
{
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder(), bytes, n, d, operands));
}

bool decode_is_nop(const ZydisDecodedInstruction *d)
{
	return d->meta.category == ZYDIS_CATEGORY_NOP || d->meta.category == ZYDIS_CATEGORY_WIDENOP;
}

bool decode_is_padding(const ZydisDecodedInstruction *d)
{
	return decode_is_nop(d) || d->mnemonic == ZYDIS_MNEMONIC_INT3 ||
	       (d->mnemonic == ZYDIS_MNEMONIC_JMP && d->raw.imm[0].is_relative);
}

bool decode_falls_through(const ZydisDecodedInstruction *d)
{
	switch (d->mnemonic) {
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
		return false;
	default:
		return d->meta.category != ZYDIS_CATEGORY_UNCOND_BR &&
		       d->meta.category != ZYDIS_CATEGORY_RET;
	}
}

bool decode_is_prefix(uint8_t byte)
{
	/* Segments, operand and address size, lock and rep; 0x4* is REX. */
	static const uint8_t legacy[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					 0x66, 0x67, 0xf0, 0xf2, 0xf3};

	return (byte & 0xf0) == 0x40 || memchr(legacy, byte, sizeof legacy);
}
