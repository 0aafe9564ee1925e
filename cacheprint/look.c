#include "cacheprint/look.h"

#define HOT 10 /* percent */
#define WARM 1

/* Longer than any run of backticks in a source, one hopes. */
#define FENCE "``````````"

const char *look_heading(const struct look *look)
{
	return look->colour ? "\x1b[1m" : "";
}

const char *look_heat(const struct look *look, long double share)
{
	if (!look->colour || share < WARM)
		return "";
	return share >= HOT ? "\x1b[1;31m" : "\x1b[33m";
}

const char *look_change(const struct look *look, int change)
{
	if (!look->colour || !change)
		return "";
	return change > 0 ? "\x1b[32m" : "\x1b[31m";
}

const char *look_end(const struct look *look)
{
	return look->colour ? "\x1b[0m" : "";
}

void look_fence(const struct look *look, FILE *out)
{
	if (look->markdown)
		fputs(FENCE "\n", out);
}
