/* One member of ends.a: what instrumented code calls in place of a function of libc. MEMBER is its name in
 * include/libc.def. Each is an object of its own, because it needs the function, and a program that does
 * not call that need not have it. The function is named by way of the PLT, as the program does, so that
 * the linker makes no more and no fewer entries there than without us. x86-64 only. */
	.text

	.macro stand_before name,hook,how
	.globl	cacheprof_libc_\name
	.hidden	cacheprof_libc_\name
	.type	cacheprof_libc_\name,@function
	.p2align 4
cacheprof_libc_\name:
	.cfi_startproc
	endbr64
	lea	\name@PLT(%rip),%r10
	lea	\hook(%rip),%r11
	jmp	cacheprof_libc_\how
	.cfi_endproc
	.size	cacheprof_libc_\name,.-cacheprof_libc_\name
	.hidden	\hook,cacheprof_libc_\how
	.endm

#define BEFORE(name, hook) .ifc name,MEMBER; stand_before name,hook,before; .endif
#define CHANGE(name, hook) .ifc name,MEMBER; stand_before name,hook,change; .endif
#define AFTER(name, hook) .ifc name,MEMBER; stand_before name,hook,after; .endif
#define AROUND(name, hook) .ifc name,MEMBER; stand_before name,hook,around; .endif
#define INSTEAD(name, function) .ifc name,MEMBER; stand_before name,function,instead; .endif
#include "include/libc.def"

	.section .note.GNU-stack,"",@progbits
