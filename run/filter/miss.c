/* SPDX-License-Identifier: MIT */
#include "run/filter/miss.h"

/* Bytes for the list of candidates in a diagnostic. */
#define ROOM 150

void
cp_filter_candidate(struct cp_filter_misses *c, const char *name)
{
	if (name != NULL && name[0] != '\0')
		*cp_vec_push(&c->there) = name;
}

void
cp_filter_candidate_number(struct cp_filter_misses *c, uint64_t number)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRIu64, number);

	cp_filter_candidate(c, cp_arena_strndup(&c->arena, text, (size_t)n));
}

enum cp_diag_id
cp_filter_miss_id(const struct cp_filter_misses *c)
{
	return c->several ? CP_D_PART_MATCH : CP_D_NO_MATCH;
}

void
cp_filter_miss(
    struct cp_filter_misses *c, const char *option, const char *word, bool all)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	cp_nearest_list(&b, word, &c->there, ROOM);
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
	size_t all = c->run->filter.windows.len;

	cp_diag(c->run->diags,
	    n == all ? cp_filter_miss_id(c) : CP_D_PART_MATCH,
	    "--time %.40s: no sample lies there in %zu of %zu captures, each "
	    "by itself; the longest lasts %.3f s",
	    c->run->options->time, n, all, longest(c->run));
	c->missed |= n == all;
}
