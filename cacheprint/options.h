/* The command line. */
#ifndef CACHEPRINT_OPTIONS_H
#define CACHEPRINT_OPTIONS_H

#include "cacheprint/source.h"

struct options {
	path_list profiles;    /* -f; cacheprof.out when there is none */
	path_list sources;     /* the arguments */
	path_list directories; /* -I */
};

/* Ends the process for --help, --version (status 0) and mistakes (status 2). */
struct options options_parse(int argc, char **argv);

#endif
