/* Objective-C: classes, categories, protocols, properties, messages by name, enumeration, exceptions, locks. */
#include <objc/objc-exception.h>
#include <objc/objc-sync.h>
#include <objc/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

@protocol Sized
- (unsigned long)size;
@end

@interface Root {
	Class isa;
}
+ (id)make;
- (const char *)name;
- (void)drop;
@end

@implementation Root
+ (id)make
{
	return class_createInstance(self, 0);
}
- (const char *)name
{
	return class_getName(object_getClass(self));
}
- (void)drop
{
	object_dispose(self);
}
@end

@interface Number : Root <Sized> {
	long value;
}
@property(nonatomic, assign) long value;
- (Number *)plus:(Number *)other;
@end

static int began;

@implementation Number
@synthesize value;
+ (void)initialize
{
	began++;
}
- (unsigned long)size
{
	return sizeof value;
}
- (Number *)plus:(Number *)other
{
	Number *sum = [Number make];

	sum.value = self.value + other.value;
	return sum;
}
@end

@interface Number (Comparing)
- (int)compare:(Number *)other;
@end

@implementation Number (Comparing)
- (int)compare:(Number *)other
{
	return (value > other.value) - (value < other.value);
}
@end

/* Numbers in order, four at a time when they are enumerated. */
enum { STEP = 4 };

typedef struct __objcFastEnumerationState Batch; /* which the compiler declares */

@interface List : Root <Sized> {
	id *items;
	unsigned long n, room;
}
- (void)add:(id)item;
- (unsigned long)countByEnumeratingWithState:(Batch *)batch objects:(id *)objects count:(unsigned long)count;
@end

@implementation List
- (unsigned long)size
{
	return n;
}
- (void)add:(id)item
{
	if (n == room) {
		room = room ? 2 * room : 4;
		items = realloc(items, room * sizeof *items);
	}
	for (unsigned long i = n++;; i--)
		if (i == 0 || [items[i - 1] compare:item] <= 0) {
			items[i] = item;
			return;
		} else {
			items[i] = items[i - 1];
		}
}
- (unsigned long)countByEnumeratingWithState:(Batch *)batch objects:(id *)objects count:(unsigned long)count
{
	unsigned long given = n - batch->state, most = count < STEP ? count : STEP;

	if (given > most)
		given = most;
	memcpy(objects, items + batch->state, given * sizeof *objects);
	batch->itemsPtr = objects;
	batch->mutationsPtr = &n;
	batch->state += given;
	return given;
}
- (void)drop
{
	for (unsigned long i = 0; i < n; i++)
		[items[i] drop];
	free(items);
	[super drop];
}
@end

@interface Trouble : Root {
	@public
	long depth;
}
@end

@implementation Trouble
@end

static long descend(long depth)
{
	long here = 0;

	@try {
		if (depth == 0) {
			Trouble *t = [Trouble make];

			t->depth = depth;
			@throw t;
		}
		here = descend(depth - 1);
	} @catch (Trouble *t) {
		t->depth++;
		if (depth < 10)
			@throw;
		here = t->depth;
		[t drop];
	} @finally {
		began++;
	}
	return here;
}

int main(void)
{
	List *list = [List make];
	Number *sum = [Number make], *next;
	SEL plus = sel_registerName("plus:");
	unsigned seed = 7;
	long weighed = 0, at = 0, deep;

	for (int i = 0; i < 500; i++) {
		Number *number = [Number make];

		seed = seed * 1664525 + 1013904223;
		number.value = seed >> 16;
		@synchronized(list) {
			[list add:number];
		}
	}
	for (Number *number in list) {
		Number *(*add)(id, SEL, Number *) =
			(Number *(*)(id, SEL, Number *))class_getMethodImplementation(object_getClass(sum), plus);

		next = add(sum, plus, number);
		[sum drop];
		sum = next;
		weighed += number.value * at++;
	}
	printf("%s %ld, %ld, %lu of %lu bytes\n", [sum name], sum.value, weighed, [list size], [sum size]);
	deep = descend(10);
	printf("%ld deep, %d\n", deep, began);
	[sum drop];
	[list drop];
	return 7;
}
