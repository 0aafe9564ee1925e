/* Where cacheprof's own parts are: beside this program, or where the user says. */
#ifndef DRIVER_PARTS_H
#define DRIVER_PARTS_H

struct parts {
	char *tools;     /* the option -B<libexec>/cacheprof/instead-of-: a prefix that is no directory, in which
			  * the compiler finds nothing but an assembler (not `.`, which specs look for) */
	char *as;        /* cacheann, under the name by which a compiler calls it */
	char *runtime;   /* what every link of an executable is given */
	char *shared;    /* and of a shared object */
	char *ends;      /* and of both: what stands before functions of libc */
	char *show;      /* shows each instruction to the two that follow */
	char *selfcheck; /* the plain simulator, for --self-check */
	char *trace;     /* writes the references, for --trace */
};

/* The path of the running program, symbolic links resolved. */
char *own_path(void);

/* Paths below `asked` (--cacheprofdir=, or NULL), else $CACHEPROFDIR, else the directory above this
 * program's bin/. They are absolute; whether the files exist is not looked at. */
struct parts find_parts(const char *asked);

/* Returns path if it can be accessed so (as for access), else dies: the installation is not whole.
 */
char *need_part(char *path, int mode);

#endif
