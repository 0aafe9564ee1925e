/* A list that visits a megabyte in no order. */
#include <stdio.h>
#include <stdlib.h>

#define NODES (1 << 14)

static struct node {
	struct node *next;
	long payload[7];
} nodes[NODES];

int main(int argc, char **argv)
{
	long steps = 800000 * (argc > 1 ? atol(argv[1]) : 100);
	static int order[NODES];
	struct node *at = nodes;
	long sum = 0;

	for (int i = 0; i < NODES; i++)
		order[i] = i;
	srand(1);
	for (int i = NODES - 1; i > 0; i--) {
		int j = rand() % i, t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	for (int i = 0; i < NODES; i++) {
		nodes[order[i]].next = &nodes[order[(i + 1) % NODES]];
		nodes[i].payload[0] = i;
	}
	for (long step = 0; step < steps; step++) {
		sum += at->payload[0];
		at = at->next;
	}
	printf("%ld\n", sum);
	return 0;
}
