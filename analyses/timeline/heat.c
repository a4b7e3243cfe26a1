/* SPDX-License-Identifier: MIT */
#include "analyses/timeline/timeline.h"

#include <stdio.h>

#include "analyses/common/event.h"

/*
 * Slots of a heat map of spans: six hours of 20 ms.  With its cell in the
 * report a slot takes 90 bytes; two spans, which any file can have, make all of
 * them.
 */
#define MAX_SLOTS (1u << 20)
/*
 * A picture has 60 columns or more.  Slots are 2 * 10^n ns until the end, when
 * they become 1, 2, 5 or 10 times as long; so they can become 10 times as long
 * before that as soon as there are 600 columns of them.
 */
#define FIRST_SLOT 200u
#define LEAST_COLUMNS 60u

void
cp_heat_init(
    struct cp_heat *h, struct cp_run *run, uint64_t column, uint32_t rows)
{
	*h = (struct cp_heat){ .run = run,
		.fits = column == 0,
		.rows = rows,
		.slot = column == 0 ? FIRST_SLOT : column / rows,
		.samples = cp_tally_new(run),
		.spare = cp_tally_new(run) };
}

/* ------------------------------------------------------------ longer slots */

static void
fold_samples(struct cp_heat *h, unsigned factor)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(h->samples, &rows);
	struct cp_tally *folded = h->spare;

	for (size_t i = 0; i < n; i++)
		cp_tally_add(
		    folded, rows[i].a, rows[i].b / factor, rows[i].weight);
	cp_tally_clear(h->samples);
	h->spare = h->samples;
	h->samples = folded;
}

static void
fold_slots(struct cp_heat_slots *s, uint64_t slot, unsigned factor)
{
	int64_t whole = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t ns;

		whole += s->whole[i];
		ns = s->part[i] + (uint64_t)whole * slot;
		s->whole[i] = 0;
		s->part[i] = 0;
		s->part[i / factor] += ns;
	}
	s->n = (s->n + factor - 1) / factor;
}

static void
fold(struct cp_heat *h, unsigned factor)
{
	fold_samples(h, factor);
	fold_slots(&h->off, h->slot, factor);
	fold_slots(&h->waiting, h->slot, factor);
	h->slot *= factor;
	h->n = (h->n + factor - 1) / factor;
}

void
cp_heat_finish(struct cp_heat *h)
{
	static const unsigned factors[] = { 10, 5, 2 };

	for (unsigned i = 0; h->fits && i < 3; i++) {
		uint64_t column = (uint64_t)factors[i] * h->rows;

		if ((h->n + column - 1) / column >= LEAST_COLUMNS) {
			fold(h, factors[i]);
			return;
		}
	}
}

/* Returns the slot of a moment. */
static uint64_t
reach(struct cp_heat *h, uint64_t at)
{
	while (
	    h->fits && at / h->slot >= UINT64_C(10) * LEAST_COLUMNS * h->rows)
		fold(h, 10);
	h->n = at / h->slot >= h->n ? at / h->slot + 1 : h->n;
	return at / h->slot;
}

/* ----------------------------------------------------------------- counting */

void
cp_heat_sample(struct cp_heat *h, uint32_t event, uint64_t at)
{
	uint64_t slot = reach(h, at);

	cp_tally_add(h->samples, event, slot, 1);
}

void
cp_heat_span(
    struct cp_heat *h, struct cp_heat_slots *s, uint64_t from, uint64_t to)
{
	uint64_t b = reach(h, to), a = from / h->slot;

	if (b >= MAX_SLOTS) {
		h->too_long = true;
		return;
	}
	cp_grow_to(h->run, s->part, &s->part_cap, (uint32_t)b);
	cp_grow_to(h->run, s->whole, &s->whole_cap, (uint32_t)b);
	s->n = s->n > b + 1 ? s->n : (uint32_t)b + 1;
	if (a == b) {
		s->part[a] += to - from;
		return;
	}
	s->part[a] += (a + 1) * h->slot - from;
	s->part[b] += to - b * h->slot;
	s->whole[a + 1]++;
	s->whole[b]--;
}

/* ------------------------------------------------------------------ showing */

static struct cp_grid *
grid_new(const struct cp_heat *h, struct cp_report *rep, const char *slug,
    const char *title, const char *value, enum cp_column_type type,
    uint64_t origin, uint64_t slots)
{
	struct cp_axis x = { .name = "from",
		.type = CP_COL_CLOCK,
		.count = (uint32_t)((slots + h->rows - 1) / h->rows),
		.from = origin,
		.step = h->slot * h->rows };
	struct cp_axis y = { .name = "offset",
		.type = CP_COL_TIME,
		.count = h->rows,
		.step = h->slot };

	return cp_report_grid(rep, slug, title, &x, &y, value, type);
}

void
cp_heat_show_samples(
    struct cp_heat *h, struct cp_report *rep, uint32_t event, uint64_t origin)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(h->samples, &rows);
	struct cp_grid *grid;
	uint64_t last = 0;
	char title[400];

	for (size_t i = 0; i < n; i++)
		if (rows[i].a == event && rows[i].b > last)
			last = rows[i].b;
	if (last / h->rows >= UINT32_MAX - 1) {
		h->too_long = true;
		return;
	}
	snprintf(title, sizeof(title), "Samples of %.300s over time",
	    cp_event_name(h->run, event));
	grid = grid_new(h, rep, "samples", title, "samples", CP_COL_COUNT,
	    origin, last + 1);
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == event)
			cp_grid_add(grid, (uint32_t)(rows[i].b / h->rows),
			    (uint32_t)(rows[i].b % h->rows), rows[i].weight);
}

void
cp_heat_show_slots(const struct cp_heat *h, struct cp_report *rep,
    const struct cp_heat_slots *s, uint64_t origin, const char *slug,
    const char *title, const char *value)
{
	struct cp_grid *grid =
	    grid_new(h, rep, slug, title, value, CP_COL_TIME, origin, s->n);
	int64_t whole = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		whole += s->whole[i];
		cp_grid_add(grid, i / h->rows, i % h->rows,
		    s->part[i] + (uint64_t)whole * h->slot);
	}
}
