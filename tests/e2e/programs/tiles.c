/* Products of tiles of five rows of 24 bytes: what their moves refer to. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REQUEST_PERMISSION 0x1023 /* ARCH_REQ_XCOMP_PERM */
#define TILE_DATA 18

static int8_t a[4096], b[4096];
static int32_t sums[4096];

static struct {
	uint8_t palette, start_row, reserved[14];
	uint16_t row_bytes[16];
	uint8_t rows[16];
} config = {.palette = 1, .row_bytes = {24, 24, 24}, .rows = {5, 5, 6}};

int main(void)
{
	long stride = 100, all = 0;

	if (syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA))
		return 77;
	for (int i = 0; i < 4096; i++) {
		a[i] = i;
		b[i] = i * 3;
	}
	_tile_loadconfig(&config);
	for (int k = 0; k < 10; k++) {
		_tile_loadd(0, sums, stride); /* accumulator */
		_tile_loadd(1, a + 64 * k, stride); /* left */
		_tile_loadd(2, b + 8 * k, 2 * stride); /* right */
		_tile_dpbssd(0, 1, 2);
		_tile_stored(0, sums, stride); /* result */
	}
	_tile_release();
	for (int i = 0; i < 4096; i++)
		all = all * 3 + sums[i];
	printf("%ld\n", all);
	return 0;
}
