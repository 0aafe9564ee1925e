/* Through cpp: line marks and long lines. */
#define ROW(i) movl ((i)+((i)&15)*4)(%rsp), %eax; addl %eax, %ecx;
#define ROW4(i) ROW(i) ROW(i + 4) ROW(i + 8) ROW(i + 12)
#define ROW16(i) ROW4(i) ROW4(i + 16) ROW4(i + 32) ROW4(i + 48)
#define ROW64(i) ROW16(i) ROW16(i + 64) ROW16(i + 128) ROW16(i + 192)
	.text
	.globl rows
rows:
	ROW64(0) ROW64(256)
	ret
	.section .note.GNU-stack, "", %progbits
