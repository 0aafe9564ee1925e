/* Each kind of instruction is a row, a function void row_NAME(char *area): rows.c calls
 * all of them, ROW_CALLS times each. area: 8 KiB, aligned to 4 KiB, zero before the first call. */
#define ROW_CALLS 10

#ifdef __ASSEMBLER__
#define ROW(name)                                                                                  \
	.text;                                                                                     \
	.globl row_##name;                                                                         \
	.type row_##name, @function;                                                               \
	.p2align 4;                                                                                \
	row_##name:
#define END(name)                                                                                  \
	.size row_##name, . - row_##name;                                                          \
	.pushsection rows, "aw", @progbits;                                                        \
	.quad row_##name;                                                                          \
	.popsection
/* A function that a row calls. */
#define HELPER(name)                                                                               \
	.text;                                                                                     \
	.type row_##name, @function;                                                               \
	row_##name:
#define END_HELPER(name) .size row_##name, . - row_##name
#endif
