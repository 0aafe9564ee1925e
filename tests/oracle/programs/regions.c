/* Lines of many regions of memory, 64 MiB each (runtime/ll_map.c): some come to be used again when others have been,
 * some lie where a table has one place for both, and most are left for good. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#define REGION (1ul << 26)
#define APART (1024 * REGION)

static char *map(uint64_t at, uint64_t bytes)
{
	char *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	return p;
}

/* Every other line of some pages, one set further in each region. */
__attribute__((noipa)) static void use(char *p, uint64_t lines)
{
	for (uint64_t i = 0; i < lines; i++)
		p[i * 128 % (4 * REGION / 64)]++;
}

int main(void)
{
	char *first = map(0x100000000000, 200 * REGION), *second = map(0x100000000000 + APART, 2 * REGION);

	for (int round = 0; round < 3; round++)
		for (int r = 0; r < 200; r++) {
			use(first + r * REGION + r * 64, 300);
			use(first + r % 7 * REGION, 50);
			if (r % 2) {
				use(second, 20);
				use(first, 20);
			}
		}
	/* Once more what LL has no lines of any more. */
	for (int r = 199; r >= 0; r--)
		use(first + r * REGION, 20);
	return 0;
}
