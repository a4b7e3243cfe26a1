/* SPDX-License-Identifier: MIT */
/*
 * parts: which part of its captures a run is about.  A snapshot tells what was
 * chosen when it was made; filters of the run choose of that.
 */
#include <string.h>

#include "base/match/short-name.h"
#include "run/api.h"
#include "run/filter/filter.h"

/* Most parts that are told. */
enum { NAMED = 8 };

/*
 * Writes what is chosen of a capture; NULL: of the one that is read.  Captures
 * that were added up tell all of it.
 */
static void
put_part(const struct cp_run *run, const struct cp_report_origin *o,
    bool events, struct cp_buf *b)
{
	const char *told = o != NULL ? o->filter : "";
	struct cp_buf chosen;

	cp_buf_init(&chosen, SIZE_MAX / 2);
	if (run->tables != NULL || o == NULL) {
		uint64_t wall;

		if (o != NULL)
			wall = o->wall;
		else if (!cp_info_wall_clock(
			     &run->rec.info, cp_run_start(run), &wall))
			wall = CP_NO_TIME;
		cp_filter_told(run->options, wall, events, &chosen);
	}
	cp_buf_str(b, told);
	if (chosen.len != 0 && strcmp(cp_buf_text(&chosen), told) != 0)
		cp_buf_printf(b, "%s%s", *told != '\0' ? " then " : "",
		    cp_buf_text(&chosen));
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

/* Parts, and how many captures have each. */
struct parts {
	const char *part[NAMED];
	size_t captures[NAMED], n, others;
};

static void
count(struct parts *p, const char *part)
{
	size_t i = 0;

	while (i < p->n && strcmp(p->part[i], part) != 0)
		i++;
	if (i == NAMED) {
		p->others++;
		return;
	}
	if (i == p->n) {
		p->part[p->n] = part;
		p->captures[p->n++] = 0;
	}
	p->captures[i]++;
}

/* Writes the only part, or "3 of --comm a; 1 of everything". */
static void
put_counts(const struct parts *p, struct cp_buf *b)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->n > 1)
			cp_buf_printf(
			    b, "%s%zu of ", i != 0 ? "; " : "", p->captures[i]);
		cp_buf_str(b, p->n > 1 && p->part[i][0] == '\0' ? "everything"
								: p->part[i]);
	}
	if (p->others != 0)
		cp_buf_printf(b, "; %zu of other parts", p->others);
}

/* Writes what is chosen of the capture, or of those that are one. */
static size_t
put_own(const struct cp_run *run, struct cp_buf *b)
{
	struct parts p = { .n = 0 };
	struct cp_buf kept[NAMED], text;

	if (run->origins.len == 0) {
		put_part(run, NULL, false, b);
		return 1;
	}
	for (size_t i = 0; i < run->origins.len; i++) {
		size_t n = p.n;

		cp_buf_init(&text, SIZE_MAX / 2);
		put_part(run, &run->origins.data[i], false, &text);
		count(&p, cp_buf_text(&text));
		if (p.n > n)
			kept[n] = text;
		else
			cp_buf_free(&text);
	}
	put_counts(&p, b);
	for (size_t i = 0; i < p.n; i++)
		cp_buf_free(&kept[i]);
	return p.n;
}

size_t
cp_filter_label(const struct cp_run *run, struct cp_buf *b)
{
	struct parts p = { .n = 0 };
	struct cp_buf own;
	size_t n;

	cp_buf_init(&own, SIZE_MAX / 2);
	n = put_own(run, &own);
	for (size_t i = 0; i < run->compared.len; i++)
		count(&p, run->compared.data[i]);
	count(&p, cp_buf_text(&own));
	put_counts(&p, b);
	n = CP_MAX(n, p.n);
	cp_buf_free(&own);
	return n;
}

void
cp_filter_compared(struct cp_run *run)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	(void)put_own(run, &b);
	*cp_vec_push(&run->compared) =
	    cp_arena_strndup(&run->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

void
cp_filter_line(const struct cp_run *run, struct cp_buf *b)
{
	struct cp_buf told;
	size_t n;

	cp_buf_init(&told, SIZE_MAX / 2);
	n = cp_filter_label(run, &told);
	if (told.len != 0) {
		cp_buf_str(b, n == 1 ? "only " : "parts of captures: ");
		cp_filter_brief(cp_buf_text(&told), b);
	}
	cp_buf_free(&told);
}

/* Most functions that are named. */
enum { FUNCTIONS = 4 };

struct chosen {
	const struct cp_run *run;
	struct cp_map64 known; /* by id */
	const char *name[FUNCTIONS];
	size_t n;
};

static void
choose(struct chosen *c, const struct cp_symbol *y)
{
	uint32_t *known;

	if (y == NULL ||
	    cp_choice_of(&c->run->filter.symbols, y->id) != CP_CHOSEN)
		return;
	known = cp_map64_put(&c->known, y->id);
	if (*known == 0 && c->n < FUNCTIONS)
		c->name[c->n] = y->name;
	c->n += *known == 0;
	*known = 1;
}

void
cp_filter_functions(const struct cp_run *run, struct cp_buf *b)
{
	struct chosen c = { .run = run };
	const struct cp_spot *spots;

	if (run->filter.symbols.words.len == 0)
		return;
	for (size_t i = 0; i < run->symbol.len; i++) {
		size_t n = cp_frame_spots(run, (cp_frame_id)i, &spots);

		choose(&c, run->symbol.data[i]);
		for (size_t k = 0; k < n; k++)
			choose(&c, spots[k].symbol);
	}
	for (size_t i = 0; i < c.n && i < FUNCTIONS; i++) {
		if (i == 0)
			cp_buf_printf(b, "%zu: ", c.n);
		cp_buf_str(b, i != 0 ? ", " : "");
		cp_brief_name(b, c.name[i]);
	}
	if (c.n > FUNCTIONS)
		cp_buf_printf(b, " and %zu more", c.n - FUNCTIONS);
	cp_map64_free(&c.known);
}
