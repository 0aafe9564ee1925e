/* Included before every C file of the runtime: -fvisibility=hidden is for what a file defines, this
 * is for what it declares too, so that nothing goes through a global offset table. */
#pragma GCC visibility push(hidden)
