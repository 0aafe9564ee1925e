#include "cacheprint/choose.h"

#include "common/diag.h"
#include "include/profile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool choose_is_unknown(const struct file *f)
{
	return strcmp(f->name, PROFILE_UNKNOWN) == 0;
}

const struct choice *choose_find(const choice_list *choices, const struct file *f)
{
	for (size_t i = 0; i < choices->n; i++)
		if (choices->at[i].file == f)
			return &choices->at[i];
	return NULL;
}

static void choose(choice_list *choices, const struct file *f, const char *named)
{
	if (!choose_find(choices, f))
		VEC_PUSH(choices, (struct choice){f, named});
}

static bool choose_name(const struct report *r, choice_list *choices, const char *name)
{
	file_list files = source_match(r->model, name);
	bool found = files.n > 0;

	if (!found && profile_is_one(name))
		REPORT_WARN(r, "%s is not in the profile; it is a profile itself: cacheprint -f %s", name, name);
	else if (!found && !access(name, F_OK))
		REPORT_WARN(r,
			    "%s is not in the profile: nothing of it was executed, or it was not compiled by "
			    "cacheprof",
			    name);
	else if (!found)
		REPORT_WARN(r, "%s is not in the profile", name);
	if (files.n > 1)
		REPORT_WARN(r, "%s may be any of %zu files of the profile; here are all", name,
		            files.n);
	for (size_t i = 0; i < files.n; i++)
		choose(choices, files.at[i], name);
	VEC_FREE(&files);
	return found;
}

bool choose_named(const struct report *r, choice_list *choices)
{
	bool good = true;

	for (size_t i = 0; i < r->options->sources.n; i++)
		good &= choose_name(r, choices, r->options->sources.at[i]);
	return good;
}

bool choose_are_there(const struct report *r)
{
	choice_list unused = {0};
	bool good = choose_named(r, &unused);

	VEC_FREE(&unused);
	return good;
}

void choose_shown(const struct report *r, choice_list *choices)
{
	for (size_t i = 0; i < r->model->functions.n; i++) {
		const struct function *f = r->model->functions.at[i];

		if (report_shows(r, f->sums) && !choose_is_unknown(f->file))
			choose(choices, f->file, NULL);
	}
}
