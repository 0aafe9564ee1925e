/* From code planted by --self-check and --trace, before every instruction. */
#include "runtime/frame_x86_64.h"

	.text
	routine	cacheprof_show
	save_all
	call	cacheprof_show_instruction
	restore_all
	ret
	end	cacheprof_show

	.section .note.GNU-stack,"",@progbits
