/* SPDX-License-Identifier: MIT */
/*
 * parts: which part of its captures a run is about.  A snapshot tells what was
 * chosen when it was made; filters of the run choose of that.
 */
#include <string.h>

#include "run/api.h"
#include "run/filter/filter.h"

/* Most parts that are told. */
enum { NAMED = 8 };

static void
put_chosen(const struct cp_run *run, bool events, struct cp_buf *b)
{
	uint64_t wall = CP_NO_TIME;

	if (run->origins.len != 0)
		wall = run->origins.data[0].wall;
	else if (!cp_info_wall_clock(&run->rec.info, cp_run_start(run), &wall))
		wall = CP_NO_TIME;
	cp_filter_told(run->options, wall, events, b);
}

/* Captures that were added up to a union tell what was chosen of them. */
static void
put_part(const struct cp_run *run, const struct cp_report_origin *o,
    bool events, struct cp_buf *b)
{
	struct cp_buf chosen;

	cp_buf_init(&chosen, SIZE_MAX / 2);
	if (run->tables != NULL || o == NULL)
		put_chosen(run, events, &chosen);
	cp_buf_str(b, o != NULL ? o->filter : "");
	if (strcmp(cp_buf_text(&chosen), cp_buf_text(b)) != 0 &&
	    chosen.len != 0) {
		cp_buf_str(b, b->len != 0 ? " then " : "");
		cp_buf_str(b, cp_buf_text(&chosen));
	}
	cp_buf_free(&chosen);
}

const char *
cp_filter_part(struct cp_run *run, const struct cp_report_origin *o)
{
	struct cp_buf b;
	const char *text;

	cp_buf_init(&b, SIZE_MAX / 2);
	put_part(run, o, true, &b);
	text = cp_run_string(run, cp_run_intern(run, cp_buf_text(&b)));
	cp_buf_free(&b);
	return text;
}

/* Do all captures have the same part, told or not? */
static bool
is_alike(const struct cp_run *run)
{
	for (size_t i = 1; i < run->origins.len; i++)
		if (strcmp(run->origins.data[i].filter,
			run->origins.data[0].filter) != 0)
			return false;
	return true;
}

/* Parts, and how many captures have each. */
struct parts {
	const struct cp_report_origin *part[NAMED];
	size_t captures[NAMED], n, others;
};

static void
count(struct parts *p, const struct cp_report_origin *o)
{
	size_t i = 0;

	while (i < p->n && strcmp(p->part[i]->filter, o->filter) != 0)
		i++;
	if (i == NAMED) {
		p->others++;
		return;
	}
	if (i == p->n) {
		p->part[p->n] = o;
		p->captures[p->n++] = 0;
	}
	p->captures[i]++;
}

/* Writes "3 of --comm a; 1 of everything". */
static void
put_parts(const struct cp_run *run, struct cp_buf *b)
{
	struct parts p = { .n = 0 };
	struct cp_buf one;

	cp_buf_init(&one, SIZE_MAX / 2);
	for (size_t i = 0; i < run->origins.len; i++)
		count(&p, &run->origins.data[i]);
	for (size_t i = 0; i < p.n; i++) {
		cp_buf_reset(&one);
		put_part(run, p.part[i], false, &one);
		cp_buf_printf(
		    b, "%s%zu of ", i != 0 ? "; " : "", p.captures[i]);
		cp_buf_str(b, one.len != 0 ? cp_buf_text(&one) : "everything");
	}
	if (p.others != 0)
		cp_buf_printf(b, "; %zu of other parts", p.others);
	cp_buf_free(&one);
}

void
cp_filter_label(const struct cp_run *run, struct cp_buf *b)
{
	if (is_alike(run))
		put_part(run, run->origins.len != 0 ? run->origins.data : NULL,
		    false, b);
	else
		put_parts(run, b);
}

void
cp_filter_line(const struct cp_run *run, struct cp_buf *b)
{
	struct cp_buf told;

	cp_buf_init(&told, SIZE_MAX / 2);
	cp_filter_label(run, &told);
	if (told.len != 0) {
		cp_buf_str(b, is_alike(run) ? "only " : "parts of captures: ");
		cp_filter_brief(cp_buf_text(&told), b);
	}
	cp_buf_free(&told);
}
