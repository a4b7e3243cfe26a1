/* SPDX-License-Identifier: MIT */
#include "run/filter/miss.h"

/* Bytes for the list of candidates in a diagnostic. */
#define ROOM 150

void
cp_filter_candidate(
    struct cp_filter_misses *c, const char *name, uint32_t samples)
{
	if (name != NULL && name[0] != '\0')
		*cp_vec_push(&c->there) =
		    (struct cp_filter_seen){ name, samples };
}

void
cp_filter_candidate_code(
    struct cp_filter_misses *c, cp_frame_id frame, uint32_t samples)
{
	const struct cp_symbol *y = cp_frame_symbol(c->run, frame);
	const struct cp_spot *spots;
	size_t n = cp_frame_spots(c->run, frame, &spots);

	if (y != NULL)
		cp_filter_candidate(
		    c, cp_run_name_short(c->run, y->name), n < 2 ? samples : 0);
	for (size_t i = 1; i < n; i++)
		if (spots[i].symbol != NULL)
			cp_filter_candidate(c,
			    cp_run_name_short(c->run, spots[i].symbol->name),
			    i + 1 == n ? samples : 0);
}

void
cp_filter_candidate_number(struct cp_filter_misses *c, uint64_t number)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRIu64, number);

	cp_filter_candidate(c, cp_arena_strndup(&c->arena, text, (size_t)n), 0);
}

enum cp_diag_id
cp_filter_miss_id(const struct cp_filter_misses *c)
{
	return c->several ? CP_D_PART_MATCH : CP_D_NO_MATCH;
}

static int
compare_names(const void *a, const void *b)
{
	const struct cp_filter_seen *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int
compare_seen(const void *a, const void *b)
{
	const struct cp_filter_seen *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Adds up what is of one name, and sorts: heaviest first. */
static void
sort_candidates(struct cp_filter_misses *c)
{
	struct cp_filter_seen *all = c->there.data;
	size_t n = 0;

	if (c->there.len == 0)
		return;
	qsort(all, c->there.len, sizeof(*all), compare_names);
	for (size_t i = 1; i < c->there.len; i++)
		if (strcmp(all[i].name, all[n].name) == 0)
			all[n].samples += all[i].samples;
		else
			all[++n] = all[i];
	c->there.len = n + 1;
	qsort(all, c->there.len, sizeof(*all), compare_seen);
}

void
cp_filter_miss(
    struct cp_filter_misses *c, const char *option, const char *word, bool all)
{
	cp_candidates names = { 0 };
	struct cp_buf b;

	sort_candidates(c);
	for (size_t i = 0; i < c->there.len; i++)
		*cp_vec_push(&names) = c->there.data[i].name;
	cp_buf_init(&b, 4096);
	cp_nearest_list(&b, word, &names, ROOM);
	cp_vec_free(&names);
	cp_diag(c->run->diags, all ? cp_filter_miss_id(c) : CP_D_PART_MATCH,
	    "--%s %.40s; %s%s", option, word,
	    b.len == 0          ? "the samples have none"
	    : c->there.len == 1 ? "there is: "
				: "there are: ",
	    cp_buf_text(&b));
	cp_buf_free(&b);
	c->missed |= all;
}

void
cp_filter_miss_ranges(struct cp_filter_misses *c, const char *option,
    const struct cp_range *r, size_t n)
{
	char text[32];

	for (size_t i = 0; i < n; i++) {
		if (r[i].from == r[i].to)
			snprintf(text, sizeof(text), "%" PRIu32, r[i].from);
		else
			snprintf(text, sizeof(text), "%" PRIu32 "-%" PRIu32,
			    r[i].from, r[i].to);
		cp_filter_miss(c, option, text, true);
	}
}

/* How long the longest capture is, in seconds. */
static double
longest(const struct cp_run *run)
{
	uint64_t most = 0;

	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_quality *q = &run->origins.data[i].quality;

		if (q->first_time <= q->last_time)
			most = CP_MAX(most, q->last_time - q->first_time);
	}
	return (double)most / 1e9;
}

void
cp_filter_miss_windows(struct cp_filter_misses *c, size_t n)
{
	size_t all = c->run->filter.placed;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_filter_times(c->run->options, &b);
	cp_diag(c->run->diags,
	    n == all ? cp_filter_miss_id(c) : CP_D_PART_MATCH,
	    "%.60s: no sample lies there in %zu of %zu captures, each "
	    "by itself; the longest lasts %.3f s",
	    cp_buf_text(&b), n, all, longest(c->run));
	c->missed |= n == all;
	cp_buf_free(&b);
}

void
cp_filter_miss_time(
    struct cp_filter_misses *c, enum cp_diag_id id, const char *more)
{
	struct cp_run *run = c->run;
	const struct cp_quality *q = &run->quality;
	uint64_t first = cp_run_start(run);
	struct cp_buf b;

	c->missed = true;
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_filter_times(run->options, &b);
	if (q->first_time == CP_NO_TIME)
		cp_diag(run->diags, id, "%.60s; the samples have no times",
		    cp_buf_text(&b));
	else
		cp_diag(run->diags, id,
		    "%.60s; the samples lie in +%.3fs..+%.3fs, on the "
		    "capture's clock %.6f,%.6f%s",
		    cp_buf_text(&b), (double)(q->first_time - first) / 1e9,
		    (double)(q->last_time - first) / 1e9,
		    (double)q->first_time / 1e9, (double)q->last_time / 1e9,
		    more);
	cp_buf_free(&b);
}
