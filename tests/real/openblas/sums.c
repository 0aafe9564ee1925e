/* Calls routines of BLAS with matrices of several sizes, whose rows and columns are no multiples of what its kernels
 * take at once, and prints sums of what they make, to the last bit. Argument: the greatest size. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
	    const int *, const double *, const int *, const double *, double *, const int *);
void dsymm_(const char *, const char *, const int *, const int *, const double *, const double *, const int *,
	    const double *, const int *, const double *, double *, const int *);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *, const int *,
	    const double *, double *, const int *);
void dtrmm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *,
	    const double *, const int *, double *, const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *,
	    const double *, const int *, double *, const int *);
void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *, const double *,
	    const int *, const double *, double *, const int *);
void dger_(const int *, const int *, const double *, const double *, const int *, const double *, const int *, double *,
	   const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
double dnrm2_(const int *, const double *, const int *);
double dasum_(const int *, const double *, const int *);
int idamax_(const int *, const double *, const int *);
void cgemm_(const char *, const char *, const int *, const int *, const int *, const float complex *,
	    const float complex *, const int *, const float complex *, const int *, const float complex *,
	    float complex *, const int *);
void cgemv_(const char *, const int *, const int *, const float complex *, const float complex *, const int *,
	    const float complex *, const int *, const float complex *, float complex *, const int *);

static const int one = 1, three = 3;
static const double half = 0.5, minus = -1.25;
static double *a, *b, *c;
static float complex *p, *q, *r;

/* Numbers between 1 and 2, the same ones each time. */
static void fill(double *x, int count, uint32_t seed)
{
	for (int i = 0; i < count; i++) {
		seed = seed * 69069 + 12345;
		x[i] = 1 + seed / 4294967296.0;
	}
}

static void fill_all(int n)
{
	fill(a, n * n, 1);
	fill(b, n * n, 2);
	fill(c, n * n, 3);
	for (int i = 0; i < n; i++)
		a[i * n + i] += 2 * n; /* what dtrsm divides by */
	for (int i = 0; i < n * n; i++) {
		p[i] = (float)a[i] + (float)c[i] * I;
		q[i] = (float)b[i] - (float)c[i] * I;
		r[i] = (float)c[i];
	}
}

static void show(const char *name, int n, double sum)
{
	printf("%s %d %a\n", name, n, sum);
	fill_all(n);
}

static double sum_of(const double *x, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += x[i] * (i % 7 + 1);
	return sum;
}

static double sum_of_complex(const float complex *x, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += (crealf(x[i]) + 2 * cimagf(x[i])) * (i % 7 + 1);
	return sum;
}

static void matrices(int n)
{
	static const char ways[] = "NT", parts[] = "UL";
	const float complex turned = 0.5F - 0.25F * I;

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			dgemm_(&ways[i], &ways[j], &n, &n, &n, &half, a, &n, b, &n, &minus, c, &n);
			show("dgemm", n, sum_of(c, n * n));
			dtrmm_("L", &parts[i], &ways[j], "N", &n, &n, &half, a, &n, b, &n);
			show("dtrmm", n, sum_of(b, n * n));
			dtrsm_("R", &parts[i], &ways[j], "N", &n, &n, &half, a, &n, b, &n);
			show("dtrsm", n, sum_of(b, n * n));
			dsyrk_(&parts[i], &ways[j], &n, &n, &half, a, &n, &minus, c, &n);
			show("dsyrk", n, sum_of(c, n * n));
			cgemm_(&ways[i], &ways[j], &n, &n, &n, &turned, p, &n, q, &n, &turned, r, &n);
			show("cgemm", n, sum_of_complex(r, n * n));
		}
	for (int i = 0; i < 2; i++) {
		dsymm_("L", &parts[i], &n, &n, &half, a, &n, b, &n, &minus, c, &n);
		show("dsymm", n, sum_of(c, n * n));
		dgemv_(&ways[i], &n, &n, &half, a, &n, b, &one, &minus, c, &three);
		show("dgemv", n, sum_of(c, n * n));
		cgemv_(&ways[i], &n, &n, &turned, p, &n, q, &one, &turned, r, &one);
		show("cgemv", n, sum_of_complex(r, n * n));
	}
}

static void vectors(int n)
{
	dger_(&n, &n, &half, a, &one, b, &one, c, &n);
	show("dger", n, sum_of(c, n * n));
	daxpy_(&n, &minus, a, &one, b, &three);
	show("daxpy", n, sum_of(b, n * n));
	show("ddot", n, ddot_(&n, a, &one, b, &one) + ddot_(&n, a, &three, b, &one));
	show("dnrm2", n, dnrm2_(&n, a, &one) + dasum_(&n, b, &one) + idamax_(&n, a, &one));
}

int main(int argc, char **argv)
{
	const int greatest = argc > 1 ? atoi(argv[1]) : 100;
	const size_t count = (size_t)greatest * (size_t)greatest;

	if (greatest < 3 || greatest > 5000)
		return 1;
	a = calloc(count, sizeof *a);
	b = calloc(count, sizeof *b);
	c = calloc(count, sizeof *c);
	p = calloc(count, sizeof *p);
	q = calloc(count, sizeof *q);
	r = calloc(count, sizeof *r);
	if (!a || !b || !c || !p || !q || !r)
		return 1;
	for (int n = 3; n <= greatest; n = n * 3 + 2) {
		fill_all(n);
		matrices(n);
		vectors(n);
	}
}
