/* What gas writes beside the object, when it is asked to: a listing (-a...), dependencies for make (--MD). */
#ifndef INSTRUMENT_REPORTS_H
#define INSTRUMENT_REPORTS_H

#include "instrument/gas.h"
#include "instrument/options.h"

/* Its name in the temporary directory. */
#define REPORT_OBJECT "reported.o"

/* Lets gas write them of the user's own text, in the file in, which stands for standard input if there is no
 * o->input. Its object is dropped: the reports name o->output. Returns gas's exit status. */
int reports_write(const struct options *o, const char *temp_dir, const char *in);

#endif
