/* The user's compiler: which file it is, and which assembler it runs. */
#ifndef DRIVER_COMPILER_H
#define DRIVER_COMPILER_H

#include "driver/options.h"
#include "driver/parts.h"

struct compiler {
	char *path; /* the file to run */
	char *name; /* its argv[0] */
	bool launcher; /* ccache or distcc: runs the compiler that is named behind it */
	bool gnatmake; /* compiles and links through gcc: words for that go behind -cargs, -largs */
	char *settings; /* "NAME=VALUE", already in our own environment, that it needs; or NULL */
	struct compiler *gcc; /* answers questions: itself, or gnatmake's gcc */
};

/* Looks the request's compiler up as a shell does, passing over links to cacheprof itself. Dies
 * with 127 when there is none, 126 when it cannot be run. */
struct compiler *compiler_find(const struct request *req);

/* Whether the file is ccache under a compiler's name. */
bool is_ccache(const struct compiler *compiler);

/* For a command without inputs, which a compiler refuses or answers: dies if it is none, as make, and would run as
 * ever. */
void compiler_check_is_one(const struct compiler *compiler, const struct request *req);

/* Whether it assembles by itself unless told otherwise, as clang and its kin do. */
bool compiler_assembles_itself(const struct compiler *compiler);

/* The absolute path of the assembler that it runs for the request without cacheprof. Dies if there
 * is none. */
char *compiler_assembler(const struct compiler *compiler, const struct request *req,
                         const struct parts *parts);

/* Dies if our -B does not make it run our assembler: what it compiles would silently stay as it is.
 */
void compiler_check_diverted(const struct compiler *compiler, const struct request *req,
                             const struct parts *parts);

#endif
