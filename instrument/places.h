/* Places (include/site.h) in the object that gas makes of planted code. */
#ifndef INSTRUMENT_PLACES_H
#define INSTRUMENT_PLACES_H

/* gas has taken them for addresses of 32 bits: makes their relocations those of places. The object at path is changed
 * where it is; what is no ordinary file (/dev/null) is left alone. Dies when it cannot be. */
void places_make(const char *path);

#endif
