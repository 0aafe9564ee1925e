/* Arrays of structures larger than D1, of which several fields are referred to at once: particles of a line's length, and
 * points of 24 bytes, whose fields lie in two lines now and then. */
#include <stdio.h>
#include <stdlib.h>

#define PARTICLES 20000
#define POINTS 40000

struct particle {
	double x, y, z, vx, vy, vz, mass;
	long kind;
};
struct point {
	double x, y, weight;
};

static void move(struct particle *p, double time)
{
	for (long i = 0; i < PARTICLES; i++) {
		if (p[i].kind & 1) {
			p[i].x += p[i].vx * time;
			p[i].z += p[i].vz * time;
			p[i].mass += 1;
		} else {
			p[i].y -= p[i].vy * time;
			p[i].x += p[i].mass;
			p[i].vz *= 0.99;
		}
	}
}

static double gather(struct point *p)
{
	double sum = 0;

	for (long i = 0; i < POINTS; i++) {
		if (p[i].x > 0.5) {
			sum += p[i].y;
		} else {
			p[i].weight += 1;
			p[i].x += p[i].y;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	int rounds = 2000 * (argc > 1 ? atoi(argv[1]) : 100) / 100;
	struct particle *particles = malloc(PARTICLES * sizeof *particles);
	struct point *points = malloc(POINTS * sizeof *points);
	double sum = 0;

	if (!particles || !points)
		return 1;
	for (long i = 0; i < PARTICLES; i++)
		particles[i] = (struct particle){.vx = i, .vy = 3, .vz = i * 0.5, .mass = 1, .kind = i * 7 / 3};
	for (long i = 0; i < POINTS; i++)
		points[i] = (struct point){i * 7919 % 1000 / 1000.0, 1e-6, 0};
	for (int round = 0; round < rounds; round++) {
		move(particles, 0.001);
		sum += gather(points);
	}
	for (long i = 0; i < PARTICLES; i++)
		sum += particles[i].x + particles[i].y + particles[i].z;
	printf("%.9g\n", sum);
	return 0;
}
