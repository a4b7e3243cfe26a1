/* SPDX-License-Identifier: MIT */
/* functions: names of functions as users read and type them. */
#include "base/match/nearest.h"
#include "base/match/pattern.h"
#include "base/match/short-name.h"
#include "run/api.h"

static const char *
shortened(struct cp_run *run, const char *name, bool last)
{
	struct cp_buf b;
	const char *text;

	cp_buf_init(&b, SIZE_MAX / 2);
	if (last)
		cp_symbol_bare(&b, name);
	else
		cp_brief_calls(&b, name);
	text = last ? cp_name_tail(cp_buf_text(&b)) : cp_buf_text(&b);
	text = cp_run_string(run, cp_run_intern(run, text));
	cp_buf_free(&b);
	return text;
}

const char *
cp_run_name_short(struct cp_run *run, const char *name)
{
	return shortened(run, name, false);
}

const char *
cp_run_name_last(struct cp_run *run, const char *name)
{
	return shortened(run, name, true);
}

void
cp_run_no_match(
    struct cp_run *run, const char *option, const char *const *names, size_t n)
{
	const char *typed = cp_run_option(run, option);
	cp_candidates all = { 0 };
	struct cp_buf b;

	for (size_t i = 0; i < n; i++)
		*cp_vec_push(&all) = cp_run_name_short(run, names[i]);
	cp_buf_init(&b, 4096);
	cp_nearest_list(&b, typed, &all, 150);
	cp_diag(run->diags, CP_D_NO_MATCH, "--%s %.80s; there are: %s", option,
	    typed, b.len != 0 ? cp_buf_text(&b) : "none with a name");
	cp_buf_free(&b);
	cp_vec_free(&all);
}
