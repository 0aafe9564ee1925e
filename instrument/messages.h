/* What gas has to say of annotated assembly. */
#ifndef INSTRUMENT_MESSAGES_H
#define INSTRUMENT_MESSAGES_H

#include "instrument/emit.h"

/* Prints on stderr what gas said of the file in, which has the emission's text, as of the file that this was
 * made from; but for warnings that it had for that file, too. */
void messages_print(const char *said, const char *in, const struct emission *e);

#endif
