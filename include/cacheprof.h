/* What a program may say to cacheprof about itself: from where to where it wants to be counted.
 *
 *	#include <cacheprof.h>
 *
 *	CACHEPROF_STOP;			from here on nothing is counted,
 *	CACHEPROF_START;		from here on everything is
 *	CACHEPROF_TOGGLE;		counted if it was not, not counted if it was
 *	CACHEPROF_ZERO;			what was counted until here is forgotten
 *	CACHEPROF_DUMP("reason");	and written to cacheprof.out.1, then .2, ...
 *
 * These are statements, for all threads at once. CACHEPROF_START with instr-at-start=no in
 * CACHEPROF_OPTIONS counts nothing before it. They are Callgrind's client requests, so that they work
 * under valgrind --tool=callgrind too. In a program that is not instrumented they are a few
 * instructions that do nothing; nothing is linked. For x86-64 and compilers with GNU extensions;
 * elsewhere they are empty. */
#ifndef CACHEPROF_H
#define CACHEPROF_H

#if defined __x86_64__ && defined __GNUC__ && !defined __ILP32__
/* valgrind.h: VALGRIND_DO_CLIENT_REQUEST_STMT. The code is Callgrind's, 'C' 'T' and a number. */
#define CACHEPROF_REQUEST(number, argument)                                                        \
	do {                                                                                       \
		volatile unsigned long cacheprof_words_[6] = {                                     \
			0x43540000ul + (number), (unsigned long)(argument), 0, 0, 0, 0};           \
		unsigned long cacheprof_result_ = 0;                                               \
                                                                                                   \
		__asm__ volatile("rolq $3,%%rdi\n\trolq $13,%%rdi\n\t"                             \
				 "rolq $61,%%rdi\n\trolq $51,%%rdi\n\t"                            \
				 "xchgq %%rbx,%%rbx"                                               \
				 : "+d"(cacheprof_result_)                                         \
				 : "a"(cacheprof_words_)                                           \
				 : "cc", "memory");                                                \
	} while (0)
#else
#define CACHEPROF_REQUEST(number, argument)                                                        \
	do {                                                                                       \
	} while (0)
#endif

#define CACHEPROF_ZERO CACHEPROF_REQUEST(1, 0)
#define CACHEPROF_TOGGLE CACHEPROF_REQUEST(2, 0)
#define CACHEPROF_DUMP(reason) CACHEPROF_REQUEST(3, reason)
#define CACHEPROF_START CACHEPROF_REQUEST(4, 0)
#define CACHEPROF_STOP CACHEPROF_REQUEST(5, 0)

#endif
