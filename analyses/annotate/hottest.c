/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/hottest.c: ranks places over all functions shown.
 *
 * A place is a source line, or an instruction if the function has no debug
 * information.
 */
#include "analyses/annotate/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"

#define SHOWN 10

struct place {
	const struct cp_hot *hot;
	struct cp_line line;
	size_t order; /* of functions and lines of one weight */
};

static int
compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	uint64_t x = a->line.part.mass.weight, y = b->line.part.mass.weight;

	if (x != y)
		return x > y ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool
has_lines(const struct cp_code *code)
{
	for (size_t i = 0; i < code->n; i++)
		if (cp_annotate_spot(&code->at[i]) != NULL)
			return true;
	return false;
}

static size_t
find_places(const struct cp_annotate *a, const struct cp_hot *hot, size_t n,
    struct place *places)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cp_hot *h = &hot[i];
		struct cp_line *lines =
		    cp_run_alloc(a->run, (h->n + 1) * sizeof(*lines));
		size_t k = cp_annotate_instructions(h, lines);

		if (has_lines(&h->code))
			k = cp_annotate_merge(lines, k);
		for (size_t j = 0; j < k; j++, found++)
			places[found] = (struct place){ h, lines[j], found };
	}
	qsort(places, found, sizeof(*places), compare_places);
	return found;
}

static void
place_row(struct cp_annotate *a, struct cp_table *t, const struct place *p)
{
	const struct cp_instruction *in = p->line.at;
	const struct cp_spot *s = cp_annotate_spot(in);
	struct cp_line_text place, text;
	char address[32];

	cp_table_row(t);
	cp_annotate_shares(a, t, p->hot, &p->line.part);
	cp_table_cells(t, p->hot->symbol->name);
	if (s != NULL || has_lines(&p->hot->code)) {
		cp_table_cells(t,
		    s != NULL ? cp_annotate_place(a, in, &place) : "[unknown]",
		    s != NULL
			? cp_annotate_line(a, p->hot->symbol->dso, s, &text)
			: "");
		return;
	}
	snprintf(address, sizeof(address), "0x%" PRIx64, in->shown);
	cp_table_cells(t, address, in->text != NULL ? in->text : "[not known]");
}

void
cp_annotate_hottest(struct cp_annotate *a, struct cp_report *rep,
    const struct cp_hot *hot, size_t n)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_SHARE("Local"), CP_COUNT("Samples"), CP_TEXT("Function"),
		CP_TEXT("Where"), CP_TEXT("Code") };
	size_t hits = 0, found;
	struct place *places;
	struct cp_table *t;
	char title[300];
	uint64_t rest = 0;

	for (size_t i = 0; i < n; i++)
		hits += hot[i].n;
	places = cp_run_alloc(a->run, (hits + 1) * sizeof(*places));
	found = find_places(a, hot, n, places);
	snprintf(title, sizeof(title), "%.200s: the hottest lines",
	    cp_event_name(a->run, hot->hits[0].event));
	t = cp_report_table(rep, "hottest", title, NULL, 0);
	cp_table_listing(t);
	cp_table_columns(t, CP_COLUMNS(columns));
	for (size_t i = 0; i < found; i++)
		if (i < SHOWN)
			place_row(a, t, &places[i]);
		else
			rest += places[i].line.part.mass.weight;
	if (found > SHOWN)
		cp_table_rest(t, found - SHOWN, rest);
}
