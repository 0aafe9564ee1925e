/* References by their size in bytes, from the profile's "desc: refs 4 B:" lines. */
#ifndef CACHEPRINT_SIZES_H
#define CACHEPRINT_SIZES_H

#include "cacheprint/model.h"
#include "include/profile.h"

/* The order of the numbers on a line. */
enum size_event { SIZE_DR, SIZE_D1MR, SIZE_DLMR, SIZE_DW, SIZE_D1MW, SIZE_DLMW, SIZE_EVENTS };

struct sizes {
	int64_t counts[PROFILE_SIZE_CLASSES][SIZE_EVENTS];
};

/* The keys of the description lines: "refs 1 B" .. "refs other" */
extern const char *const size_keys[PROFILE_SIZE_CLASSES];
bool is_size_key(struct text key);

/* "1 byte" .. "other" */
extern const char *const size_labels[PROFILE_SIZE_CLASSES];

/* Adds up all profiles of the model. False: one does not tell sizes, or (why is then set) tells
 * some that disagree with its totals. */
bool sizes_read(const struct model *m, struct sizes *sizes, const char **why);

#endif
