#ifndef WATCH_H
#define WATCH_H
int main(void);
void outer(int rounds), middle(int rounds), inner(int round);
/* 1: inner is active; 2: it may be. */
extern volatile int stage;
void watch_begin(void), watch_end(void);
#endif
