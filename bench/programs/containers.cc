// Maps, vectors, strings and sorting, as C++ programs have them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char **argv)
{
	int count = 24000 * (argc > 1 ? std::atoi(argv[1]) : 100);
	unsigned seed = 1;
	std::map<int, int> tree;
	std::unordered_map<std::string, int> words;
	std::vector<int> numbers;
	unsigned long sum = 0;

	for (int i = 0; i < count; i++) {
		seed = seed * 1664525 + 1013904223;
		tree[seed % 20000] += i;
		words["word" + std::to_string(seed % 5000)]++;
		numbers.push_back(seed >> 4);
	}
	for (int round = 0; round < 3; round++) {
		std::sort(numbers.begin(), numbers.end(),
			  [round](int a, int b) { return (a ^ round) < (b ^ round); });
		sum += numbers[round * 1000];
	}
	for (auto &entry : tree)
		sum += 1ul * entry.first * entry.second;
	std::printf("%lu %zu\n", sum, words.size());
	return 0;
}
