/* cpuid's answers of some processors -> their caches. */
#include "runtime/host.h"
#include "tests/suite.h"

#include <stdlib.h>

/* ebx, ecx, edx of leaf 0 */
#define INTEL 0x756e6547, 0x6c65746e, 0x49656e69
#define AMD 0x68747541, 0x444d4163, 0x69746e65
#define HYGON 0x6f677948, 0x656e6975, 0x6e65476e
#define TOPOEXT (1u << 22)

#define N_ANSWERS 12

struct answer {
	uint32_t leaf, subleaf;
	struct cpuid is; /* eax, ebx, ecx, edx */
};

static const struct processor {
	const char *name;
	bool tells;
	struct caches caches;
	struct answer answers[N_ANSWERS]; /* any other is 0 */
} processors[] = {
	{"Sapphire Rapids, as a virtual machine", true,
	 {{65536, 16, 64}, {49152, 12, 64}, {503316480, 16, 64}},
	 {{0, 0, {0x24, INTEL}},
	  {4, 0, {0x4000121, 0x2c0003f, 0x3f, 0}},
	  {4, 1, {0x4000122, 0x3c0003f, 0x3f, 0}},
	  {4, 2, {0x4000143, 0x3c0003f, 0x7ff, 0}},
	  {4, 3, {0x4004163, 0x3c0003f, 0x77fff, 0}}}},
	{"Zen 3: 0x80000006 says 9, ask 0x8000001D", true,
	 {{32768, 8, 64}, {32768, 8, 64}, {33554432, 16, 64}},
	 {{0, 0, {0x10, AMD}},
	  {0x80000000, 0, {0x80000023, 0, 0, 0}},
	  {0x80000001, 0, {0, 0, TOPOEXT, 0}},
	  {0x80000005, 0, {0, 0, 0x20080140, 0x20080140}},
	  {0x80000006, 0, {0, 0, 0x02006140, 0x01009140}},
	  {0x8000001d, 0, {0x4121, 0x1c0003f, 0x3f, 0}},
	  {0x8000001d, 1, {0x4122, 0x1c0003f, 0x3f, 0}},
	  {0x8000001d, 2, {0x4143, 0x1c0003f, 0x3ff, 2}},
	  {0x8000001d, 3, {0x3c163, 0x3c0003f, 0x7fff, 1}}}},
	{"Hygon's Zen, without an L3 in sight", true,
	 {{65536, 4, 64}, {32768, 8, 64}, {524288, 8, 64}},
	 {{0, 0, {0xd, HYGON}},
	  {0x80000000, 0, {0x8000001f, 0, 0, 0}},
	  {0x80000001, 0, {0, 0, TOPOEXT, 0}},
	  {0x8000001d, 0, {0x4121, 0x1c0003f, 0x3f, 0}},
	  {0x8000001d, 1, {0x4122, 0xc0003f, 0xff, 0}},
	  {0x8000001d, 2, {0x4143, 0x1c0003f, 0x3ff, 2}}}},
	{"Phenom II, with codes for the ways", true,
	 {{65536, 2, 64}, {65536, 2, 64}, {6291456, 48, 64}},
	 {{0, 0, {5, AMD}},
	  {0x80000000, 0, {0x8000001b, 0, 0, 0}},
	  {0x80000005, 0, {0, 0, 0x40020140, 0x40020140}},
	  {0x80000006, 0, {0, 0, 0x02008140, 0x0030b140}}}},
	{"Athlon 64, L2 only", true,
	 {{65536, 2, 64}, {65536, 2, 64}, {1048576, 16, 64}},
	 {{0, 0, {1, AMD}},
	  {0x80000000, 0, {0x80000018, 0, 0, 0}},
	  {0x80000005, 0, {0, 0, 0x40020140, 0x40020140}},
	  {0x80000006, 0, {0, 0, 0x04008140, 0}}}},
	{"AMD without the leaves", .answers =
	 {{0, 0, {1, AMD}}, {0x80000000, 0, {0x80000004, 0, 0, 0}}}},
	{"Intel before leaf 4", .answers = {{0, 0, {2, INTEL}}}},
	{"first level only", .answers =
	 {{0, 0, {4, INTEL}},
	  {4, 0, {0x121, 0x1c0003f, 0x3f, 0}},
	  {4, 1, {0x122, 0x1c0003f, 0x3f, 0}}}},
};

static const struct processor *asked;

static struct cpuid answer(uint32_t leaf, uint32_t subleaf)
{
	for (const struct answer *a = asked->answers; a < asked->answers + N_ANSWERS; a++)
		if (a->leaf == leaf && a->subleaf == subleaf)
			return a->is;
	return (struct cpuid){0};
}

static void expect(struct geometry is, struct geometry want)
{
	ck_assert_uint_eq(is.size, want.size);
	ck_assert_uint_eq(is.assoc, want.assoc);
	ck_assert_uint_eq(is.line, want.line);
}

START_TEST(knows_the_processor)
{
	struct caches caches;

	asked = &processors[_i];
	ck_assert_msg(cacheprof_host_caches(answer, &caches) == asked->tells, "%s", asked->name);
	if (!asked->tells)
		return;
	expect(caches.i1, asked->caches.i1);
	expect(caches.d1, asked->caches.d1);
	expect(caches.ll, asked->caches.ll);
}
END_TEST

static const struct {
	struct geometry hardware, simulated;
} rounded[] = {
	{{8388608, 16, 64}, {8388608, 16, 64}},
	{{503316480, 15, 64}, {503316480, 15, 64}},   /* 524288 sets */
	{{503316480, 16, 64}, {503316480, 30, 64}},   /* 491520 */
	{{31457280, 12, 64}, {31457280, 15, 64}},     /* 40960 */
	{{40370176, 11, 64}, {39845888, 19, 64}},     /* 57344: 19.25 ways */
	{{12582912, 48, 64}, {12582912, 48, 64}},
};

START_TEST(rounds_the_sets)
{
	struct geometry g = geometry_rounded(rounded[_i].hardware);

	expect(g, rounded[_i].simulated);
	ck_assert_ptr_null(geometry_invalid(g));
}
END_TEST

START_TEST(every_machine_is_valid)
{
	const struct caches *c = &machines[_i].caches;

	ck_assert_ptr_null(geometry_invalid(c->i1));
	ck_assert_ptr_null(geometry_invalid(c->d1));
	ck_assert_ptr_null(geometry_invalid(geometry_rounded(c->ll)));
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("host");

	tcase_add_loop_test(c, knows_the_processor, 0, sizeof processors / sizeof *processors);
	tcase_add_loop_test(c, rounds_the_sets, 0, sizeof rounded / sizeof *rounded);
	tcase_add_loop_test(c, every_machine_is_valid, 0, N_MACHINES);
	return run_case(c, "host");
}
