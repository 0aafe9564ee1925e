/* Calls the rows that the assembly file linked with it has collected in the section "rows". */
#include "rows.h"

typedef void row_function(char *area);

extern row_function *const __start_rows[], *const __stop_rows[];
static char area[8192] __attribute__((aligned(4096)));

int main(void)
{
	for (row_function *const *row = __start_rows; row < __stop_rows; row++)
		for (int i = 0; i < ROW_CALLS; i++)
			(*row)(area);
	return 0;
}
