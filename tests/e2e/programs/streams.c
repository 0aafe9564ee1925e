/* Loops whose streams the runtime goes on with in different ways. -DLOOP=NAME: which is run, twenty times. */
enum { N = 4000, ROWS = 400 };

struct body {
	double x, y, z, mass, charge;
};

double a[N + 1], b[N + 1], c[N + 1], table[ROWS][512];
struct body bodies[N];

#define KERNEL __attribute__((noinline, noclone, unused)) static void

KERNEL sum(void)
{
	double all = 0;

	for (int i = 0; i < N; i++)
		all += a[i];
	b[0] = all;
}

KERNEL triad(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 3 * c[i];
}

KERNEL stencil(void)
{
	for (int i = 1; i < N; i++)
		a[i] = b[i - 1] + b[i] + b[i + 1];
}

KERNEL members(void)
{
	double moment = 0, mass = 0;

	for (int i = 0; i < N; i++) {
		moment += bodies[i].x * bodies[i].mass;
		mass += bodies[i].mass;
	}
	b[0] = moment / mass;
}

KERNEL column(void)
{
	for (int i = 0; i < ROWS; i++)
		a[i] += table[i][5];
}

int main(void)
{
	for (int round = 0; round < 20; round++)
		LOOP();
	return 0;
}
