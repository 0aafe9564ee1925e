/* The predictor's state, which each thread has of its own; see branch.c. */
#include "include/site.h"

	.section cacheprof_data,"aw",@nobits
	.balign	64
	.macro	variable name,size
	.globl	\name
	.hidden	\name
\name:	.skip	\size
	.endm
	variable cacheprof_directions,(DIRECTION_ROWS+1)*DIRECTION_ROW
	variable cacheprof_targets,2*TARGET_ROWS*8
	variable cacheprof_history,1
	.balign	8

	.section .note.GNU-stack,"",@progbits
