/* Places (include/site.h) in the object that gas makes of planted code. */
#ifndef INSTRUMENT_PLACES_H
#define INSTRUMENT_PLACES_H

/* An undefined symbol with a name that begins so is to have only the rest of it, which gas cannot write (libc.c). */
#define PLACES_NAME "cacheprof_named_"

/* gas has taken them for addresses of 32 bits: makes their relocations those of places, those of displacements in
 * tables such with a sign, and symbols' names what they are to be. The object at path is changed where it is; what is
 * no ordinary file (/dev/null) is left alone. Dies when it cannot be. */
void places_make(const char *path);

#endif
