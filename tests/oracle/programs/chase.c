/* Goes around a ring of pointers with chase (chase.S). */
#include <stddef.h>

#define N 100000

void *chase(void *at);

static void *ring[N];

int main(void)
{
	void *at = ring;

	for (int i = 0; i < N; i++)
		ring[i] = &ring[(i + 7919) % N];
	for (int i = 0; i < 2 * N; i++)
		at = chase(at);
	return at == NULL;
}
