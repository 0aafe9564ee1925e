/* The parts of the HTML report, in the program so that it needs no files; each ends with a NUL. */
	.section .rodata

	.macro asset name, file
	.globl asset_\name
	.type asset_\name, @object
asset_\name:
	.incbin "\file"
	.byte 0
	.size asset_\name, . - asset_\name
	.endm

	asset css, "cacheprint/html/report.css"
	asset html, "cacheprint/html/report.html"
	asset js, "cacheprint/html/report.js"

	.section .note.GNU-stack, "", @progbits
