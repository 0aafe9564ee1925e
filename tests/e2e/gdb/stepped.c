/* A program to be stepped through: loops, recursion, callbacks, inlined functions, a switch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	long value;
};

static long table[2048];

static inline long mix(long a, long b)
{
	long c = a * 31 + b;

	return c ^ table[c & 2047];
}

long recursive(int n)
{
	long sum = table[n * 64];

	if (n > 0)
		sum += recursive(n - 1);
	return sum + n;
}

void endless(int *left)
{
	do {
		--*left;
	} while (*left > 0);
}

struct node *push(struct node *head, long value)
{
	struct node *n = malloc(sizeof *n);

	n->next = head;
	n->value = value;
	return n;
}

int compare(const void *a, const void *b)
{
	const long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

long walk(struct node *n)
{
	long total = 0;

	for (; n; n = n->next)
		total += mix(n->value, total);
	return total;
}

double average(const long *values, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (double)values[i];
	return sum / n;
}

int choose(int what)
{
	switch (what) {
	case 0:
		return 3;
	case 1:
		table[7]++;
		break;
	case 2:
		memset(table + 100, 1, 300);
		break;
	case 3:
	case 4:
		what += choose(what - 2);
		break;
	default:
		what = -1;
	}
	return what;
}

int main(int argc, char **argv)
{
	struct node *list = NULL;
	long values[4] = {4, 2, 3, 1};
	int left = 2;

	for (int i = 0; i < 3; i++)
		list = push(list, i * 7 + argc);
	qsort(values, 4, sizeof *values, compare);
	printf("%ld %ld\n", walk(list), recursive(3));
	printf("%g %ld\n", average(values, 4), values[0]);
	endless(&left);
	for (int i = 0; i < 6; i++)
		left += choose(i);
	printf("%d %s\n", left, argv[0] ? "done" : "");
	return 0;
}
