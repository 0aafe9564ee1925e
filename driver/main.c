/* cacheprof: put before a compile, assemble or link command, makes the program that comes out of it
 * profile its own caches. Command line -> plan -> run. */
#include "common/diag.h"
#include "driver/options.h"
#include "driver/plan.h"
#include "driver/run.h"

static int answer(const struct request *req)
{
	if (req->version)
		puts("cacheprof " CACHEPROF_VERSION);
	else
		options_help(stdout);
	diag_end_output();
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	struct request req;
	struct plan plan;

	(void)argc;
	diag_program("cacheprof");
	options_read(&req, argv);
	if (req.help || req.version)
		return answer(&req);
	if (!req.compiler)
		die_usage("no compiler: cacheprof [options] gcc ... (see cacheprof --help)");
	plan_make(&plan, &req);
	if (req.dryrun || req.verbose)
		run_print(req.dryrun ? stdout : stderr, &plan);
	if (!req.dryrun)
		return run_plan(&plan);
	diag_end_output();
	return EXIT_OK;
}
