/* Floating point of every kind, vectors, masks, 128 bit integers, string operations. */
#include <complex.h>
#include <math.h>
#include <string.h>

typedef float v8 __attribute__((vector_size(32)));

v8 blend(v8 a, v8 b)
{
	return a * b + (v8)(a > b);
}

void saxpy(float *restrict y, const float *restrict x, float a, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] > 0)
			y[i] = a * x[i] + y[i];
}

double gather(const double *t, const int *at, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += t[at[i]];
	return s;
}

long double extended(long double x)
{
	return sinl(x) * x + 1.5L;
}

__int128 wide(__int128 a, unsigned long b)
{
	return a * b / 7;
}

double complex turn(double complex z)
{
	return z * z + I;
}

struct big { char text[400]; };

void copy(struct big *to, const struct big *from)
{
	*to = *from;
	memset(to->text, 0, 8);
}
