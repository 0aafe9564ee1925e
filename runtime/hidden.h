/* Included before every C file of the runtime: -fvisibility=hidden is for what a file defines, this
 * is for what it declares too, so that nothing goes through a global offset table. */
#pragma GCC visibility push(hidden)

/* gcc calls these on its own, to copy or clear a structure, from version 16 on in this runtime, too. */
__asm__(".weakref memcpy, cacheprof_memcpy\n"
	".weakref memset, cacheprof_memset");
