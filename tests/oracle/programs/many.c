/* More lines of one set than a D1 has ways, in one block, before a reference that straddles two. */
#include <stdint.h>
#include <string.h>
static _Alignas(4096) char memory[16 * 4096];
static uint64_t load(const char *p) { uint64_t v; memcpy(&v, p, 8); return v; }
__attribute__((noipa)) static uint64_t many(const char *p)
{
	return load(p) + load(p + 4096) + load(p + 2 * 4096) + load(p + 3 * 4096) + load(p + 4 * 4096) +
	       load(p + 5 * 4096) + load(p + 6 * 4096) + load(p + 7 * 4096) + load(p + 8 * 4096) +
	       load(p + 9 * 4096) + load(p + 10 * 4096 + 60);
}
int main(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < 100; i++)
		sum += many(memory);
	return sum != 0;
}
