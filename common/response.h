/* Response files: @file among a compiler's arguments. */
#ifndef COMMON_RESPONSE_H
#define COMMON_RESPONSE_H

/* The arguments with every @file replaced by the words in that file, by the rules of gcc
 * (libiberty's expandargv): words end at white space, quotes of both kinds and backslashes protect,
 * files may name files, and an @file that cannot be read stays as it is. NULL-terminated, like
 * argv; both live to the end. */
char **response_expand(char **argv);

#endif
