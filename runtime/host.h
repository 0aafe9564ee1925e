/* The caches of the processor that the program runs on. */
#ifndef RUNTIME_HOST_H
#define RUNTIME_HOST_H

#include "include/machines.h"
#include "runtime/runtime.h"

/* Who answers for the processor: cacheprof_cpuid, or a test. */
typedef struct cpuid cpuid_source(uint32_t leaf, uint32_t subleaf);

/* Fills caches with the first-level caches and the unified cache of the highest level, as they are; false
 * if the processor does not tell one of them. */
bool cacheprof_host_caches(cpuid_source *ask, struct caches *caches);

#endif
