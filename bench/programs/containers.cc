// Maps, vectors, strings and sorting, as C++ programs have them.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
	unsigned seed = 1;
	std::map<int, int> tree;
	std::unordered_map<std::string, int> words;
	std::vector<int> numbers;
	unsigned long sum = 0;

	for (int i = 0; i < 300000; i++) {
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
		sum += entry.first * entry.second;
	std::printf("%lu %zu\n", sum, words.size());
	return 0;
}
