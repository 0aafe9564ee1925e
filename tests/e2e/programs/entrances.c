/* What stands first in a function stays there: others look for it, or jump to it. */
#include <stdio.h>
#include <string.h>

static int kept;

__attribute__((noinline, ms_hook_prologue)) int patchable(void)
{
	return ++kept;
}

__attribute__((noinline)) int reached(void)
{
	return kept += 2;
}

static void begins(int (*f)(void), const char *with, unsigned n)
{
	printf("%s\n", memcmp((const void *)f, with, n) ? "something else" : "what it should");
}

int main(void)
{
	begins(patchable, "\x48\x8d\xa4\x24\0\0\0\0", 8);
	begins(reached, "\xf3\x0f\x1e\xfa", 4);
	return patchable() + reached();
}
