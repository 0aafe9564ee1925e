/* Frames: where the registers of a point, or the flags, are in use, their values wait until what is planted is over, in
 * vector registers, in other general ones, or on the stack beyond a red zone (struct point says where). While rsp is
 * moved unwinders must know it, and addresses by it are others. */
#include "instrument/emit_frames.h"

#include "include/site.h"

_Static_assert(LOOP_PARK == SPARE_FIRST && LOOP_PARKS == SPARES, "");

/* ways: the sequences without AVX and with it. Where upper halves are in use SSE waits for them. */
static void plant_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES], const enum sequence ways[2])
{
	for (unsigned i = 0; i < SPARES; i++)
		if (spare[i] != REG_NONE)
			plant(em, ways[em->avx[block]], &(struct slots){.a = spare[i], .x = SPARE_FIRST + i});
}

void plant_to_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES])
{
	static const enum sequence ways[] = {SEQ_TO_SPARE, SEQ_TO_SPARE_VEX};

	plant_spares(em, block, spare, ways);
}

void plant_from_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES])
{
	static const enum sequence ways[] = {SEQ_FROM_SPARE, SEQ_FROM_SPARE_VEX};

	plant_spares(em, block, spare, ways);
}

static void plant_register(struct emitter *em, enum sequence seq, uint8_t r)
{
	plant(em, seq, &(struct slots){.a = r});
}

/* A sequence that moves rsp by some bytes, and what unwinders must know of it. */
static void plant_move(struct emitter *em, enum sequence seq, uint8_t r, enum sequence cfa, unsigned bytes)
{
	plant_register(em, seq, r);
	if (cfi_on_rsp(&em->cfi))
		plant(em, cfa, &(struct slots){.x = bytes});
}

void open_frame(struct emitter *em, const struct point *p)
{
	plant_to_spares(em, em->unit->insns.at[p->insn].block, p->spare);
	if (p->rsp_moved) {
		if (p->red_zone)
			plant_move(em, SEQ_OPEN_FRAME, 0, SEQ_CFA_FARTHER, RED_ZONE);
		if (p->flags_pushed)
			plant_move(em, SEQ_PUSH_FLAGS, 0, SEQ_CFA_FARTHER, 8);
		for (uint8_t r = 0; r < 16; r++)
			if (p->pushed >> r & 1)
				plant_move(em, SEQ_PUSH, r, SEQ_CFA_FARTHER, 8);
	}
	if (p->rax_kept != REG_NONE)
		plant_register(em, SEQ_MOVE_FROM_RAX, p->rax_kept);
	if (p->flags_in_rax)
		plant(em, SEQ_FLAGS_TO_RAX, NULL);
}

void close_frame(struct emitter *em, const struct point *p)
{
	if (p->flags_in_rax)
		plant(em, SEQ_FLAGS_FROM_RAX, NULL);
	if (p->rax_kept != REG_NONE)
		plant_register(em, SEQ_MOVE_TO_RAX, p->rax_kept);
	plant_from_spares(em, em->unit->insns.at[p->insn].block, p->spare);
	if (!p->rsp_moved)
		return;
	for (uint8_t r = 16; r-- > 0;)
		if (p->pushed >> r & 1)
			plant_move(em, SEQ_POP, r, SEQ_CFA_NEARER, 8);
	if (p->flags_pushed)
		plant_move(em, SEQ_POP_FLAGS, 0, SEQ_CFA_NEARER, 8);
	if (p->red_zone)
		plant_move(em, SEQ_CLOSE_FRAME, 0, SEQ_CFA_NEARER, RED_ZONE);
}

struct address framed(const struct point *p, struct address a)
{
	if (a.base == RSP)
		a.disp += p->rsp_moved;
	if (p->rax_kept != REG_NONE) {
		if (a.base == RAX)
			a.base = p->rax_kept;
		if (a.index == RAX)
			a.index = p->rax_kept;
	}
	return a;
}

bool steps_in_frame(const struct point *p)
{
	return p->red_zone && !p->rsp_moved;
}
