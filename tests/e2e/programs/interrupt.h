/* Interrupts a stretch of code at one of its instructions. A trap flag that is set from its beginning on costs a signal
 * for each instruction that comes before; a breakpoint there costs one. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#define INTERRUPT_NEVER (-2)
#define INTERRUPT_RECORD (-1) /* learns which instructions there are */

/* The stretch begins; handler comes before its instruction number at. */
void interrupt_at(int at, void handler(void));
/* It ends. Whether the handler came. */
int interrupt_end(void);
/* How many instructions it had when they were recorded. */
int interrupt_places(void);

#endif
