/* The predictor of an executable's threads, and what is kept of it while counting is off; see branch.h. */
#include "include/site.h"

#ifndef CACHEPROF_SHARED
	.section cacheprof_data,"awo",@nobits,.text
	.balign	64
	.globl	cacheprof_predictor
	.hidden	cacheprof_predictor
cacheprof_predictor:
	.skip	2*(PREDICTOR_HISTORY+8)
#endif

	.section .note.GNU-stack,"",@progbits
