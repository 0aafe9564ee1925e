#include "include/site.h"
#include "instrument/groups.h"
#include "instrument/sequence.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of at most 64 instructions is looked at as one, so that a set of points is a word. */
#define STRETCH 64
/* Sites of a segment's references, and of rep prefixes. */
_Static_assert(STRETCH * (INSN_MAX_REFS + 1) <= 1 << FIRST_BITS, "");
/* Two addresses with the same base that are less than this apart are never in different lines of
 * one set; the runtime takes caches whose ways are smaller through the ordered path. */
#define SAME_BASE_REACH 1024
/* The bytes that one check of several references may cover, from a multiple of as many on. The stack (System V ABI,
 * 3.2.2) and what malloc returns are aligned so, and none of these checks then straddles two lines: there it would
 * fail whenever it is executed. */
#define CLUSTER_ALIGN 16
/* The bytes that two checks, of both ends, may cover: no more than the usual line. */
#define WIDE_SPAN 64
/* Prices of a point in rough cycles. */
#define PRICE_FLAGS 4
#define PRICE_REGISTER 4

#define MAX_VALUES (16 + STRETCH * 16)

typedef uint64_t pointset;

struct value {
	uint16_t number;
	int64_t offset;
};

struct stretch {
	const struct flow *flow;
	struct unit *unit;
	const struct liveness *live;
	struct planned *planned;
	uint32_t first, n;
	pointset may; /* where planting is possible */
	unsigned n_values;
	struct value at[STRETCH][16]; /* registers before each instruction */
	pointset valid[MAX_VALUES];   /* points at which some register holds the value */
	uint8_t holder[MAX_VALUES][STRETCH];
	/* the segment being built */
	VEC(struct planned_ref) refs;
	pointset window;
	uint32_t floor; /* no point before this one */
	int64_t rsp_over; /* bytes that rsp is thought to be above a multiple of CLUSTER_ALIGN there: only speed
			   * follows */
};

static bool has_bytes(const struct insn *i, const char *bytes, uint8_t len)
{
	return i->len == len && i->bytes && !memcmp(i->bytes, bytes, len);
}

/* endbr64 must stay where an indirect branch arrives, and so must lea 0(%rsp),%rsp with
 * a 32-bit offset, by which others tell a function that they may patch (ms_hook_prologue). */
static bool stays_first(const struct insn *i)
{
	return has_bytes(i, "\xf3\x0f\x1e\xfa", 4) ||
	       has_bytes(i, "\x48\x8d\xa4\x24\0\0\0\0", 8);
}

bool is_tls_call(const struct insn *i)
{
	for (int r = 0; r < i->n_refs; r++)
		if (i->refs[r].form == REF_TLSCALL)
			return true;
	return false;
}

bool plantable(const struct unit *unit, uint32_t insn)
{
	const struct insn *i = &unit->insns.at[insn];

	return !i->glued && !i->data && !stays_first(i);
}

bool plantable_behind(const struct flow *flow, uint32_t insn)
{
	const struct unit *unit = flow->unit;
	const struct insn *last = &unit->insns.at[insn];
	const struct block_bb *b = &flow->blocks.at[last->block];

	if (insn + 1 != b->first + b->n || b->next == NO_BLOCK || last->text_stmt != last->stmt ||
	    !plantable(unit, insn + 1))
		return false;
	for (uint32_t i = b->first; i <= insn; i++)
		if (!unit->insns.at[i].written_over && (unit->insns.at[i].glued || !stays_first(&unit->insns.at[i])))
			return false;
	return true;
}

/* push %rbp; mov %rsp,%rbp from instruction i on. */
static bool sets_frame_up(const struct unit *unit, uint32_t i)
{
	return has_bytes(&unit->insns.at[i], "\x55", 1) &&
	       has_bytes(&unit->insns.at[i + 1], "\x48\x89\xe5", 3);
}

bool splits_prologue(const struct flow *flow, uint32_t insn)
{
	const struct unit *unit = flow->unit;
	const struct block_bb *b = &flow->blocks.at[unit->insns.at[insn].block];
	uint32_t first = b->first + stays_first(&unit->insns.at[b->first]);

	return b->entry && insn - first < 2 && first + 2 < b->first + b->n && sets_frame_up(unit, first) &&
	       plantable(unit, first + 2);
}

static struct value new_value(struct stretch *s)
{
	return (struct value){.number = (uint16_t)s->n_values++};
}

static void set_value(struct stretch *s, struct value *regs, const struct insn *i)
{
	struct value moved = {0};
	int rsp_change = i->rsp_change;

	if (i->move == MOVE_ADD) {
		moved = regs[i->move_from];
		moved.offset += i->move_constant;
	}
	for (int r = 0; r < 16; r++)
		if (((i->writes | i->clobbers) >> r & 1) && !(r == RSP && rsp_change))
			regs[r] = new_value(s);
	if (i->move == MOVE_ADD)
		regs[i->move_to] = moved;
	regs[RSP].offset += rsp_change;
}

/* What is dead holds nothing, for an earlier check may have used it; but behind the instruction that read it last
 * none can have done so (choose_registers in plan.c sees to those of the same place). */
static liveset holding(const struct stretch *s, uint32_t p)
{
	const liveset *before = s->live->before + s->first + p;

	return before[0] | (p ? before[-1] : 0);
}

/* Follows the registers through the stretch as value + constant. */
static void number_values(struct stretch *s)
{
	struct value regs[16];

	s->n_values = 0;
	for (int r = 0; r < 16; r++)
		regs[r] = new_value(s);
	memset(s->valid, 0, sizeof *s->valid * 16);
	for (uint32_t p = 0; p < s->n; p++) {
		unsigned before = s->n_values;

		memcpy(s->at[p], regs, sizeof regs);
		for (int r = 15; r >= 0; r--) {
			if (!(holding(s, p) >> r & 1))
				continue;
			s->valid[regs[r].number] |= (pointset)1 << p;
			s->holder[regs[r].number][p] = (uint8_t)r;
		}
		set_value(s, regs, &s->unit->insns.at[s->first + p]);
		memset(s->valid + before, 0, sizeof *s->valid * (s->n_values - before));
	}
}

static bool is_register(uint8_t r)
{
	return r < 16;
}

static pointset valid_points(const struct stretch *s, const struct ref *r, uint32_t p)
{
	pointset w = s->may;

	if (is_register(r->base))
		w &= s->valid[s->at[p][r->base].number];
	if (is_register(r->index))
		w &= s->valid[s->at[p][r->index].number];
	return w;
}

struct address address_of(const struct ref *r)
{
	return (struct address){r->base, r->index, r->scale, r->segment, r->disp, r->symbol};
}

/* rsp cannot be an index; a displacement must fit, also when planted code adds the last byte of a
 * cluster, or what it moved rsp by. Where rewriting breaks that, the point is no choice. */
static bool encodable(const struct address *a)
{
	const int64_t added = 4096;

	return a->index != RSP && a->disp >= INT32_MIN + added && a->disp <= INT32_MAX - added;
}

/* Rewrites a reference of the instruction at from into the registers of point to. */
static struct address address_at(const struct stretch *s, const struct ref *r, uint32_t from,
				 uint32_t to)
{
	struct address a = address_of(r);

	if (is_register(r->base)) {
		struct value v = s->at[from][r->base];

		a.base = s->holder[v.number][to];
		a.disp += v.offset - s->at[to][a.base].offset;
	}
	if (is_register(r->index)) {
		struct value v = s->at[from][r->index];

		a.index = s->holder[v.number][to];
		a.disp += (v.offset - s->at[to][a.index].offset) * r->scale;
	}
	return a;
}

static regset address_registers(const struct address *a)
{
	return (is_register(a->base) ? 1u << a->base : 0) |
	       (is_register(a->index) ? 1u << a->index : 0);
}

/* What checking the pending references at the point costs beyond the checks; -1: impossible. */
static int price(const struct stretch *s, uint32_t point)
{
	liveset live = s->live->before[s->first + point];
	regset used = 1u << RSP | s->unit->insns.at[s->first + point].cfa;
	int dead, cost = 0;

	for (size_t i = 0; i < s->refs.n; i++) {
		const struct planned_ref *r = &s->refs.at[i];
		struct address a = address_at(s, r->ref, r->insn - s->first, point);

		if (!encodable(&a)) {
			if (r->insn - s->first != point)
				return -1;
			a = address_of(r->ref); /* stays as it is */
		}
		used |= address_registers(&a);
	}
	if (__builtin_popcount(REGS_ALL & ~used) < CHECK_REGISTERS)
		return -1;
	dead = __builtin_popcount(REGS_ALL & ~(live & REGS_ALL) & ~used);
	if (live & LIVE_STATUS)
		cost += PRICE_FLAGS;
	if (dead < 2)
		cost += PRICE_REGISTER * (3 - dead);
	return cost;
}

struct choice {
	int cost; /* -1: none */
	uint32_t point;
};

static struct choice best_point(const struct stretch *s, pointset window)
{
	struct choice best = {-1, 0};

	while (window) {
		uint32_t p = (uint32_t)__builtin_ctzll(window);
		int cost = price(s, p);

		window &= window - 1;
		if (cost >= 0 && (best.cost < 0 || cost < best.cost))
			best = (struct choice){cost, p};
		if (best.cost == 0)
			break;
	}
	return best;
}

static bool same_base(const struct address *a, const struct address *b)
{
	return a->base == b->base && a->index == b->index && a->segment == b->segment &&
	       (a->index == REG_NONE || a->scale == b->scale) && asm_text_same(a->symbol, b->symbol);
}

static bool within_reach(const struct address *a, const struct address *b)
{
	int64_t d = a->disp - b->disp;

	return same_base(a, b) && d < SAME_BASE_REACH - 64 && d > 64 - SAME_BASE_REACH;
}

struct building {
	struct cluster c;
	uint32_t members[STRETCH * INSN_MAX_REFS];
};

/* Whether no check can be of such an address. */
static bool has_no_check(const struct ref *r)
{
	struct address a = address_of(r);

	return r->addr32 || r->segment == 'g' || r->size > 64 || !encodable(&a);
}

static bool is_special(const struct ref *r)
{
	return (r->form != REF_PLAIN && r->form != REF_GOT) || has_no_check(r);
}

/* Whether bytes from low to high lie as one check of several references may cover them. */
static bool are_together(const struct stretch *s, uint8_t base, int64_t low, int64_t high)
{
	int64_t over = base == RSP ? s->rsp_over : 0;

	return ((low + over) & -CLUSTER_ALIGN) == ((high - 1 + over) & -CLUSTER_ALIGN);
}

static bool fits(const struct stretch *s, const struct cluster *c, const struct planned_ref *r)
{
	int64_t low = c->low.disp, high = low + c->span;

	if (c->got || r->ref->form != REF_PLAIN || !same_base(&c->low, &r->at))
		return false;
	if (r->at.disp < low)
		low = r->at.disp;
	if (r->at.disp + r->ref->size > high)
		high = r->at.disp + r->ref->size;
	return are_together(s, c->low.base, low, high) ||
	       (r->at.disp >= c->low.disp && r->at.disp + r->ref->size <= c->low.disp + c->span);
}

/* Whether reference i may join a cluster whose last member is at last: nothing in between may
 * share a set with it unseen. */
static bool may_join(const struct stretch *s, size_t i, uint32_t last)
{
	for (size_t k = last + 1; k < i; k++)
		if (!within_reach(&s->refs.at[k].at, &s->refs.at[i].at))
			return false;
	return true;
}

static void widen(struct cluster *c, const struct planned_ref *r)
{
	int64_t high = c->low.disp + c->span;

	if (r->at.disp + r->ref->size > high)
		high = r->at.disp + r->ref->size;
	if (r->at.disp < c->low.disp)
		c->low.disp = r->at.disp;
	c->span = (uint32_t)(high - c->low.disp);
}

static int by_address(const void *a, const void *b)
{
	int64_t x = ((const struct building *)a)->c.low.disp, y = ((const struct building *)b)->c.low.disp;

	return x < y ? -1 : x > y;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int by_first(const void *a, const void *b)
{
	return by_number(((const struct building *)a)->members, ((const struct building *)b)->members);
}

static void join(struct building *to, const struct building *from)
{
	int64_t high = to->c.low.disp + to->c.span, other = from->c.low.disp + from->c.span;

	to->c.span = (uint32_t)((other > high ? other : high) - to->c.low.disp);
	memcpy(to->members + to->c.n, from->members, from->c.n * sizeof *from->members);
	to->c.n += from->c.n;
	to->c.wide = true;
}

/* The first cluster behind i, in the order of their references, that has another base. Between references of those
 * before it there are none of others. */
static size_t behind_base(const struct building *open, size_t i, size_t n)
{
	size_t k = i + 1;

	while (k < n && !open[i].c.got && !open[k].c.got && !open[i].c.low.segment &&
	       within_reach(&open[i].c.low, &open[k].c.low))
		k++;
	return k;
}

/* Three or more clusters within a line's length are two checks, of its ends. Returns how many are left of n. */
static size_t join_near(struct building *open, size_t n)
{
	size_t left = 0, k;

	if (n < 3)
		return n;
	qsort(open, n, sizeof *open, by_address);
	for (size_t i = 0; i < n; i = k) {
		for (k = i + 1; k < n && open[k].c.low.disp + open[k].c.span - open[i].c.low.disp <= WIDE_SPAN;)
			k++;
		if (k - i < 3)
			k = i + 1;
		if (left != i)
			open[left] = open[i];
		for (size_t m = i + 1; m < k; m++)
			join(&open[left], &open[m]);
		left++;
	}
	for (size_t i = 0; i < left; i++)
		qsort(open[i].members, open[i].c.n, sizeof *open[i].members, by_number);
	qsort(open, left, sizeof *open, by_first);
	return left;
}

/* Of those of one base that follow one another, as the pushes and pops of a function. Returns how many are left. */
static size_t make_wide(struct building *open, size_t n)
{
	size_t left = 0, end;

	for (size_t i = 0; i < n; i = end) {
		size_t joined;

		end = behind_base(open, i, n);
		joined = join_near(open + i, end - i);
		if (left != i)
			memmove(open + left, open + i, joined * sizeof *open);
		left += joined;
	}
	return left;
}

/* Sorts the pending references, whose addresses are set, into clusters. */
static size_t build_clusters(const struct stretch *s, struct building *open)
{
	size_t n = 0;

	for (size_t i = 0; i < s->refs.n; i++) {
		const struct planned_ref *r = &s->refs.at[i];
		struct building *b = NULL;

		for (size_t k = 0; k < n && !b; k++)
			if (fits(s, &open[k].c, r) && may_join(s, i, open[k].members[open[k].c.n - 1]))
				b = &open[k];
		if (!b) {
			b = &open[n++];
			b->c = (struct cluster){.low = r->at, .span = r->ref->size,
						.got = r->ref->form == REF_GOT};
		}
		widen(&b->c, r);
		b->members[b->c.n++] = (uint32_t)i;
	}
	return n;
}

static void make_clusters(struct stretch *s, struct segment *seg)
{
	static struct building open[STRETCH * INSN_MAX_REFS];
	struct planned *out = s->planned;
	size_t n = make_wide(open, build_clusters(s, open));

	seg->first = (uint32_t)out->clusters.n;
	seg->n = (uint32_t)n;
	for (size_t k = 0; k < n; k++) {
		open[k].c.first = (uint32_t)out->refs.n;
		for (uint32_t m = 0; m < open[k].c.n; m++)
			VEC_PUSH(&out->refs, s->refs.at[open[k].members[m]]);
		VEC_PUSH(&out->clusters, open[k].c);
	}
}

/* Where a function begins its return address has been pushed; elsewhere it is as where others are called from. */
static int64_t rsp_over(const struct stretch *s, uint32_t point)
{
	const struct block_bb *b = &s->flow->blocks.at[s->unit->insns.at[s->first].block];

	return b->entry && b->first == s->first ? 8 + s->at[point][RSP].offset : 0;
}

/* Ends the pending segment: it is checked at the best point of its window not behind limit; if there is none its
 * references are counted and not checked. */
static void close_segment(struct stretch *s, uint32_t limit)
{
	pointset upto = limit >= 63 ? ~(pointset)0 : ((pointset)2 << limit) - 1;
	struct choice c;
	struct segment seg = {0};

	if (!s->refs.n)
		return;
	c = best_point(s, s->window & upto);
	if (c.cost < 0) {
		s->refs.n = 0;
		return;
	}
	seg.point = s->first + c.point;
	seg.first_ref = (uint32_t)s->planned->in_order.n;
	seg.n_refs = (uint32_t)s->refs.n;
	for (size_t i = 0; i < s->refs.n; i++) {
		struct planned_ref *r = &s->refs.at[i];

		r->at = address_at(s, r->ref, r->insn - s->first, c.point);
		if (!encodable(&r->at))
			r->at = address_of(r->ref);
		seg.used |= address_registers(&r->at);
		VEC_PUSH(&s->planned->in_order, *r);
	}
	s->rsp_over = rsp_over(s, c.point);
	make_clusters(s, &seg);
	VEC_PUSH(&s->planned->segments, seg);
	s->floor = c.point;
	s->refs.n = 0;
}

static pointset from_floor(const struct stretch *s)
{
	return ~(pointset)0 << s->floor;
}

static bool has_special(const struct insn *i)
{
	for (int r = 0; r < i->n_refs; r++)
		if (is_special(&i->refs[r]))
			return true;
	return false;
}

/* The references of an instruction that has a special one stand alone, directly before it. */
static void add_special(struct stretch *s, uint32_t p)
{
	const struct insn *i = &s->unit->insns.at[s->first + p];
	struct segment seg = {.point = s->first + p, .n = 1, .n_refs = i->n_refs};
	struct cluster c = {.n = i->n_refs, .special = true};

	close_segment(s, p);
	if (!(s->may >> p & 1) || is_tls_call(i))
		return;
	seg.first = (uint32_t)s->planned->clusters.n;
	seg.first_ref = (uint32_t)s->planned->in_order.n;
	c.first = (uint32_t)s->planned->refs.n;
	for (uint32_t r = 0; r < i->n_refs; r++) {
		struct planned_ref ref = {.insn = s->first + p, .ref = &i->refs[r],
					  .site = s->planned->first_site[s->first + p] + r};

		ref.at = address_of(ref.ref);
		VEC_PUSH(&s->planned->refs, ref);
		VEC_PUSH(&s->planned->in_order, ref);
	}
	VEC_PUSH(&s->planned->clusters, c);
	VEC_PUSH(&s->planned->segments, seg);
	s->floor = p;
}

/* Of the lanes of vmaskmovps and the like planted code finds which are active. */
static bool is_masked(const struct insn *i)
{
	const struct ref *r = i->refs;

	return i->n_refs == 1 && (r->form == REF_MASKED || (r->form == REF_LANES && r->size >= 4)) &&
	       ref_has_address(r) && !has_no_check(r);
}

/* What is made or not, as a mask says, is checked by itself, directly before its instruction. */
static void add_masked(struct stretch *s, uint32_t p)
{
	const struct insn *i = &s->unit->insns.at[s->first + p];

	close_segment(s, p);
	VEC_PUSH(&s->refs, ((struct planned_ref){.insn = s->first + p, .site = s->planned->first_site[s->first + p],
						 .ref = i->refs}));
	s->window = (pointset)1 << p & s->may;
	if (best_point(s, s->window).cost >= 0) {
		close_segment(s, p);
		return;
	}
	s->refs.n = 0;
	add_special(s, p);
}

static void add_ref(struct stretch *s, struct planned_ref r, uint32_t p)
{
	pointset own = valid_points(s, r.ref, p) & from_floor(s);
	struct choice before, after;

	if (!ref_has_address(r.ref))
		return;
	if (!s->refs.n) {
		VEC_PUSH(&s->refs, r);
		s->window = own;
		return;
	}
	before = best_point(s, s->window);
	VEC_PUSH(&s->refs, r);
	after = best_point(s, s->window & own);
	if (after.cost >= 0 && (after.cost <= before.cost || after.cost <= PRICE_FLAGS)) {
		s->window &= own;
		return;
	}
	s->refs.n--;
	close_segment(s, p);
	VEC_PUSH(&s->refs, r);
	s->window = valid_points(s, r.ref, p) & from_floor(s);
}

static void plan_stretch(struct stretch *s)
{
	s->may = 0;
	s->floor = 0;
	for (uint32_t p = 0; p < s->n; p++)
		if (plantable(s->unit, s->first + p) && !splits_prologue(s->flow, s->first + p))
			s->may |= (pointset)1 << p;
	number_values(s);
	for (uint32_t p = 0; p < s->n; p++) {
		const struct insn *i = &s->unit->insns.at[s->first + p];

		if (is_masked(i)) {
			add_masked(s, p);
			continue;
		}
		if (has_special(i)) {
			add_special(s, p);
			continue;
		}
		for (uint32_t r = 0; r < i->n_refs; r++)
			add_ref(s,
				(struct planned_ref){.insn = s->first + p,
						     .site = s->planned->first_site[s->first + p] + r,
						     .ref = &i->refs[r]},
				p);
	}
	close_segment(s, s->n - 1);
}

/* A stretch must end where planting is possible, or a glued instruction would be its first. */
static uint32_t stretch_length(const struct unit *u, uint32_t first, uint32_t left)
{
	uint32_t n = left < STRETCH ? left : STRETCH;

	while (n < left && n > 1 && !plantable(u, first + n))
		n--;
	return n;
}

static void number_sites(struct planned *planned, const struct unit *u)
{
	planned->first_site = xalloc(u->insns.n, sizeof *planned->first_site);
	planned->n_sites = xalloc(u->sections.n, sizeof *planned->n_sites);
	for (size_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];

		planned->first_site[i] = planned->n_sites[insn->section];
		planned->n_sites[insn->section] += insn->n_refs + (insn->rep ? 1 : 0);
	}
}

void groups_find(struct planned *planned, const struct flow *flow, const struct liveness *live)
{
	struct stretch *s = xalloc(1, sizeof *s);

	number_sites(planned, flow->unit);
	s->flow = flow;
	s->unit = flow->unit;
	s->live = live;
	s->planned = planned;
	for (size_t b = 0; b < flow->blocks.n; b++) {
		const struct block_bb *block = &flow->blocks.at[b];
		uint32_t end = block->first + block->n;

		if (!block->reachable)
			continue;
		for (s->first = block->first; s->first < end; s->first += s->n) {
			s->n = stretch_length(s->unit, s->first, end - s->first);
			plan_stretch(s);
		}
	}
	VEC_FREE(&s->refs);
	free(s);
}

static void dump_address(FILE *out, const struct address *a)
{
	if (a->segment)
		fprintf(out, "%%%cs:", a->segment);
	fprintf(out, "%.*s%+lld(", (int)a->symbol.len, a->symbol.p ? a->symbol.p : "",
		(long long)a->disp);
	if (a->base == REG_IP)
		fputs("%rip", out);
	if (is_register(a->base))
		fputs(register_name(a->base), out);
	if (is_register(a->index))
		fprintf(out, ",%s,%u", register_name(a->index), a->scale);
	fputc(')', out);
}

void groups_dump(const struct planned *planned, const struct flow *flow, FILE *out)
{
	const struct unit *u = flow->unit;

	for (size_t i = 0; i < planned->segments.n; i++) {
		const struct segment *seg = &planned->segments.at[i];

		fprintf(out, "line %u: %u references\n",
			u->file->stmts[u->insns.at[seg->point].stmt].line, seg->n_refs);
		for (uint32_t c = seg->first; c < seg->first + seg->n; c++) {
			const struct cluster *cl = &planned->clusters.at[c];

			fputs("\t", out);
			dump_address(out, &cl->low);
			fprintf(out, " %u bytes, sites", cl->span);
			for (uint32_t r = cl->first; r < cl->first + cl->n; r++)
				fprintf(out, " %u", planned->refs.at[r].site);
			fputs(cl->special ? " special\n" : cl->got ? " got\n" : cl->wide ? " wide\n" : "\n", out);
		}
	}
}
