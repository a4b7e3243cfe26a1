/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* The most functions in the picture. */
#define DRAWN 30u

/* Returns the name of a version: its capture's, or that of their folder. */
static const char *
name_of(struct cp_diff *d, const struct cp_diff_version *v)
{
	const char *path = d->profiles.all[v->first].name;
	const char *end = strrchr(path, '/'), *from;

	if (v->runs == 1 || end == NULL)
		return path;
	for (from = end; from > path && from[-1] != '/';)
		from--;
	return cp_diff_copy(d->run, from, (size_t)(end - from));
}

int
cp_diff_versions_parse(struct cp_diff *d)
{
	struct cp_diff_versions *v = &d->versions;
	const char *runs = cp_run_option(d->run, "versions");
	uint32_t n = d->profiles.n, first = 0;

	v->asked = runs != NULL;
	if (!v->asked && (d->baseline != 1 || n < 3))
		return CP_OK;
	v->all = cp_run_alloc(d->run, (n + 1) * sizeof(*v->all));
	while (first < n) {
		struct cp_diff_version *at = &v->all[v->n++];
		char *end = NULL;
		unsigned long k = v->asked ? strtoul(runs, &end, 10) : 1;

		*at = (struct cp_diff_version){ .first = first,
			.runs = k > 0 && k < n - first ? (uint32_t)k
				: k > 0                ? n - first
						       : 1,
			.found = "",
			.most = "" };
		at->name = name_of(d, at);
		first += at->runs;
		if (v->asked)
			runs = *end == ',' ? end + 1 : end;
	}
	if (v->n > 1)
		return CP_OK;
	cp_run_diag(d->run, CP_D_USAGE,
	    "--versions wants two versions at least: captures, or folders of "
	    "captures");
	return CP_FAIL;
}

static void
keep_step(struct cp_diff *d, struct cp_diff_versions *v, uint32_t version,
    const struct cp_diff_row *row)
{
	const struct cp_diff_result *r = &d->result[row->symbol];

	cp_grow_to(d->run, v->step, &v->cap, v->n_steps);
	v->step[v->n_steps++] = (struct cp_diff_step){ .result = *r,
		.all_before = d->tree.result[0].before,
		.all_after = d->tree.result[0].after,
		.object = row->object,
		.symbol = row->name,
		.found = cp_diff_direction(r),
		.number = row->symbol,
		.version = version };
}

/* Keeps what the comparison of a version with the one before it found. */
static void
keep(struct cp_diff *d, struct cp_diff_versions *v, uint32_t version)
{
	struct cp_diff_version *at = &v->all[version], *last = at - 1;
	const struct cp_diff_total *t = cp_diff_total(d, "Elapsed");

	at->whole = d->whole;
	at->found = cp_diff_found(d, d->whole_verdict, &d->whole);
	if (t != NULL) {
		last->elapsed = t->before;
		at->elapsed = t->after;
	}
	t = cp_diff_total(d, "CPU time");
	if (t != NULL) {
		last->cpu = t->before;
		at->cpu = t->after;
	}
	if (d->lacks != NULL)
		at->found = "not comparable";
	for (uint32_t i = 0; i < d->n_rows; i++)
		if (d->row[i].verdict == CP_DIFF_CHANGED) {
			if (at->most[0] == '\0')
				at->most = d->row[i].name;
			keep_step(d, v, version, &d->row[i]);
		}
}

static int
compare_steps(const void *pa, const void *pb)
{
	const struct cp_diff_step *a = pa, *b = pb;
	double da = fabs(a->result.after - a->result.before);
	double db = fabs(b->result.after - b->result.before);

	if (da < db || da > db)
		return da > db ? -1 : 1;
	if (a->version != b->version)
		return a->version < b->version ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Takes the profiles of two versions as the two sides. */
static void
take_sides(struct cp_diff *d, struct cp_diff_profile *all,
    const struct cp_diff_version *a, const struct cp_diff_version *b)
{
	struct cp_diff_profiles *p = &d->profiles;

	p->n = p->cap = a->runs + b->runs;
	p->all = cp_run_alloc(d->run, p->n * sizeof(*p->all));
	memcpy(p->all, &all[a->first], a->runs * sizeof(*all));
	memcpy(&p->all[a->runs], &all[b->first], b->runs * sizeof(*all));
	d->baseline = a->runs;
	for (uint32_t s = 0; s < p->keys.n; s++) {
		p->symbol[s].same = s;
		p->symbol[s].inlined = p->symbol[s].into_callers = false;
	}
}

/* Forgets a comparison: all but the profiles, and the symbols that it added. */
static void
forget(struct cp_diff *d, const struct cp_diff *start)
{
	struct cp_diff_profiles p = d->profiles;

	*d = *start;
	p.all = start->profiles.all;
	p.n = start->profiles.n;
	p.cap = start->profiles.cap;
	d->profiles = p;
}

int
cp_diff_versions_compare(struct cp_diff *d)
{
	struct cp_diff start = *d;
	struct cp_diff_versions v = d->versions;
	const struct cp_diff_version *end;

	if (v.n == 0)
		return CP_OK;
	for (uint32_t i = 1; i < v.n; i++) {
		take_sides(d, start.profiles.all, &v.all[i - 1], &v.all[i]);
		d->alpha = start.alpha / (v.n - 1);
		if (cp_diff_compare(d) != CP_OK)
			return CP_FAIL;
		keep(d, &v, i);
		forget(d, &start);
	}
	if (v.n_steps != 0)
		qsort(v.step, v.n_steps, sizeof(*v.step), compare_steps);
	end = &v.all[v.n - 1];
	if (v.asked) {
		take_sides(d, start.profiles.all, &v.all[0], end);
	} else {
		struct cp_diff_version after = { .first = 1,
			.runs = start.profiles.n - 1 };

		take_sides(d, start.profiles.all, &v.all[0], &after);
	}
	d->versions = v;
	d->versions.profiles = start.profiles.all;
	return CP_OK;
}

/* -------------------------------------------------------------------- show */

static struct cp_cell
seconds(double s)
{
	return s > 0 ? cp_cell_u64(cp_diff_whole(s * 1e9)) : cp_cell_none();
}

static void
show_list(const struct cp_diff_versions *v, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change"), CP_CHANCE("p"), CP_TIME("Elapsed"),
		CP_TIME("CPU time"), CP_COUNT("Runs"),
		CP_TEXT("First function"), CP_TEXT("Version") };
	struct cp_table *t = cp_report_table(rep, "versions",
	    "Everything, each version against the one before it",
	    CP_COLUMNS(columns));

	for (uint32_t i = 0; i < v->n; i++) {
		const struct cp_diff_version *at = &v->all[i];
		const struct cp_diff_result *w = &at->whole;

		cp_table_add(t, at->found,
		    i == 0 ? cp_cell_value(NAN, 1, 0)
			   : cp_cell_value(w->change, w->lo, w->hi),
		    i == 0 ? (double)NAN : w->p, seconds(at->elapsed),
		    seconds(at->cpu), at->runs, at->most, at->name);
	}
}

static void
show_steps(const struct cp_diff *d, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change"), CP_CHANCE("p"), CP_SHARE("Before"),
		CP_SHARE("After"), CP_TEXT("Object"), CP_TEXT("Symbol"),
		CP_TEXT("Version") };
	const struct cp_diff_versions *v = &d->versions;
	struct cp_table *t = cp_report_table(rep, "steps",
	    "Change by symbol, each version against the one before it",
	    CP_COLUMNS(columns));

	for (uint32_t i = 0; i < v->n_steps && (d->top == 0 || i < d->top);
	     i++) {
		const struct cp_diff_step *s = &v->step[i];
		const struct cp_diff_result *r = &s->result;

		cp_table_add(t, s->found,
		    cp_cell_value(r->change, r->lo, r->hi), r->p,
		    s->all_before > 0 ? r->before / s->all_before : 0,
		    s->all_after > 0 ? r->after / s->all_after : 0, s->object,
		    s->symbol, v->all[s->version].name);
	}
	if (d->top != 0 && v->n_steps > d->top)
		cp_table_rest(t, v->n_steps - d->top, 0);
}

/* Adds up the shares of each symbol in each version. */
static double *
shares(const struct cp_diff *d)
{
	const struct cp_diff_versions *v = &d->versions;
	const struct cp_diff_symbol *symbol = d->profiles.symbol;
	double *share = cp_run_alloc(
	    d->run, ((size_t)d->profiles.keys.n * v->n + 1) * sizeof(*share));

	for (uint32_t i = 0; i < v->n; i++)
		for (uint32_t r = 0; r < v->all[i].runs; r++) {
			const struct cp_diff_profile *p =
			    &v->profiles[v->all[i].first + r];

			for (uint32_t k = 1; k < p->n && p->weight > 0; k++)
				share[(size_t)symbol[p->symbol[k]].same * v->n +
				      i] +=
				    p->self[k] / p->weight / v->all[i].runs;
		}
	return share;
}

/*
 * Chooses the rows of the picture: functions that a version changed, then the
 * heaviest; all are rows of the comparison of both sides, or of a step.
 */
static uint32_t
choose(const struct cp_diff *d, const double *share, uint32_t *row)
{
	const struct cp_diff_versions *v = &d->versions;
	uint32_t n = d->profiles.keys.n, chosen = 0;
	bool *taken = cp_run_alloc(d->run, n + 1);

	for (uint32_t i = 0; i < v->n_steps && chosen < DRAWN; i++) {
		uint32_t s = d->profiles.symbol[v->step[i].number].same;

		if (!taken[s])
			row[chosen++] = s;
		taken[s] = true;
	}
	while (chosen < DRAWN) {
		uint32_t best = CP_NO_ID;
		double most = 0.01;

		for (uint32_t s = 0; s < n; s++)
			for (uint32_t i = 0; i < v->n && !taken[s]; i++)
				if (share[(size_t)s * v->n + i] > most) {
					most = share[(size_t)s * v->n + i];
					best = s;
				}
		if (best == CP_NO_ID)
			break;
		row[chosen++] = best;
		taken[best] = true;
	}
	return chosen;
}

static void
show_shares(const struct cp_diff *d, struct cp_report *rep)
{
	const struct cp_diff_versions *v = &d->versions;
	const double *share = shares(d);
	uint32_t row[DRAWN], n = choose(d, share, row);
	const char *names[DRAWN];
	const char **versions =
	    cp_run_alloc(d->run, (v->n + 1) * sizeof(*versions));
	struct cp_axis x = { .name = "Version",
		.type = CP_COL_TEXT,
		.count = v->n,
		.labels = versions },
		       y = { .name = "Function",
			       .type = CP_COL_TEXT,
			       .count = n,
			       .labels = names };
	struct cp_grid *g;

	if (n == 0)
		return;
	for (uint32_t i = 0; i < v->n; i++)
		versions[i] = v->all[i].name;
	for (uint32_t i = 0; i < n; i++)
		names[i] = d->profiles.symbol[row[i]].name;
	g = cp_report_grid(rep, "shares", "Share of each function in percent",
	    &x, &y, "Share, %", CP_COL_RATE);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < v->n; k++)
			cp_grid_add(g, k, i,
			    cp_diff_whole(
				share[(size_t)row[i] * v->n + k] * 1e5));
}

void
cp_diff_versions_show(const struct cp_diff *d, struct cp_report *rep)
{
	if (d->versions.n == 0 || d->lacks != NULL)
		return;
	show_list(&d->versions, rep);
	show_steps(d, rep);
	show_shares(d, rep);
}
