/* From the geometry of a cache to the C text of its simulator. */
#ifndef CACHEGEN_GENERATE_H
#define CACHEGEN_GENERATE_H

#include "include/geometry.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Reads a decimal number with an optional suffix k, K, m or M (powers of 1024). Returns false
 * when text is anything else or does not fit. */
bool cachegen_number(const char *text, uint32_t *number);

/* Writes the simulator, the file that becomes runtime/cachesim_doref.c (its contract:
 * runtime/cachesim.h). g must be valid. Returns false on a write error. */
bool cachegen_write(struct geometry g, FILE *out);

#endif
