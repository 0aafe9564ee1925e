#include <vector>

// three

struct A { A(); };


int main()
{
}
