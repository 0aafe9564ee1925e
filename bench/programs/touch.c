/* Writes to every line of so many MiB, again and again: touch MIB. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 64) << 20;
	unsigned char *memory = calloc(bytes, 1);
	unsigned long sum = 0;

	if (!memory)
		return 1;
	for (int round = 1; round < 20; round++)
		for (size_t i = 0; i < bytes; i += 64)
			sum += memory[i] += round;
	printf("%lu\n", sum);
	return 0;
}
