/* Objective-C++: objects of both languages in each other, and exceptions of C++ through messages. */
#include <cstdio>
#include <map>
#include <objc/runtime.h>
#include <stdexcept>
#include <string>
#include <vector>

@interface Root {
	Class isa;
}
+ (id)make;
@end

@implementation Root
+ (id)make
{
	return class_createInstance(self, 0);
}
@end

@interface Words : Root {
	std::map<std::string, std::vector<int>> *places;
}
- (void)add:(const std::string &)word at:(int)place;
- (const std::vector<int> &)placesOf:(const std::string &)word;
- (void)drop;
@end

@implementation Words
- (void)add:(const std::string &)word at:(int)place
{
	if (!places)
		places = new std::map<std::string, std::vector<int>>;
	(*places)[word].push_back(place);
}
- (const std::vector<int> &)placesOf:(const std::string &)word
{
	return places->at(word);
}
- (void)drop
{
	delete places;
	object_dispose(self);
}
@end

/* Of a word; -1: there is none. */
template <typename Of> static long sum_of(Words *words, Of word)
{
	try {
		long sum = 0;

		for (int place : [words placesOf:word])
			sum += place;
		return sum;
	} catch (const std::out_of_range &) {
		return -1;
	}
}

int main()
{
	Words *words = [Words make];
	long sum = 0;

	for (int i = 0; i < 3000; i++)
		[words add:std::to_string(i * 7919L % 101) at:i];
	for (int i = 0; i < 200; i++)
		sum += sum_of(words, std::to_string(i));
	std::printf("%ld %ld\n", sum, sum_of(words, "none"));
	[words drop];
	return 3;
}
