/* References as long as a line or as a word that have parts of two, and three in the same bytes, of which D1 or LL has
 * both, one or none: lines of few sets, at random, so that each is as often about to go as not, in D1 or in LL. Before
 * and after them comes a line of one of their sets: it may not remain the most recently used one in between. With
 * WAITING a mask register that stubs use has a value of the program's meanwhile. */
#include <stdint.h>
#include <string.h>

#define STEP 65536 /* bytes to the next line of the same set, of D1 as of an LL of 1024 sets */
#define STEPS 40
#define FEW 12 /* of which D1 has most */

typedef double line __attribute__((vector_size(64), aligned(8)));
typedef uint64_t word __attribute__((aligned(1)));

static char places[STEPS * STEP + 4096] __attribute__((aligned(4096)));
static uint32_t seed = 1;

static uint32_t any(uint32_t n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

int main(void)
{
	line sum = {0};

	for (int i = 0; i < 60000; i++) {
		unsigned steps = i & 1024 ? STEPS : FEW;
		unsigned set = any(2);
		char *place = places + any(steps) / 2 * STEP + set * 64;
		const volatile char *bytes = place + 8 * any(8);
		volatile char *beside = places + any(steps) * STEP + (set + any(2)) * 64;

		++*beside;
		switch (any(8)) {
		case 0:
			sum += *(line *)(place + 8 * any(8));
			break;
		case 1:
			*(line *)(place + 8 * any(8)) = sum;
			break;
		case 2:
			*(line *)(place + 8 * any(8)) += sum;
			break;
		case 3:
			if (bytes[0] + bytes[30] + bytes[60] == 7)
				places[0]++;
			break;
		case 4:
			*(word *)(place + 57 + any(7)) += 1;
			break;
		default:
			places[any(steps) * STEP + any(3) * 64]++;
		}
		++*beside;
#ifdef WAITING
		__asm__ volatile("kmovd %%k6,%%eax" : : : "rax");
#endif
	}
	memcpy(places, &sum, sizeof sum);
	return 0;
}
