/* Jump tables, computed goto, tail calls, thread-local storage, strings full of separators. */
#include <stdio.h>
#include <string.h>

static __thread int calls;
extern __thread int elsewhere __attribute__((weak));
__thread char name_tls[16] = "x;#\"\\";

int choose(int x)
{
	calls++;
	switch (x) {
	case 0: return 7;
	case 1: return calls;
	case 2: return puts("; # /* \" \\ \t \001 \377 */");
	case 3: return (int)strlen(name_tls);
	case 4: return x * 3;
	case 5: return -x;
	case 9: return x ^ 5;
	default: return 0;
	}
}

int interpret(const unsigned char *code)
{
	static void *const labels[] = {&&stop, &&add, &&sub};
	int acc = 0;

	goto *labels[*code++];
add:
	acc += *code++;
	goto *labels[*code++];
sub:
	acc -= *code++;
	goto *labels[*code++];
stop:
	return choose(acc);
}

int *elsewhere_address(void)
{
	return &elsewhere;
}
