/* SPDX-License-Identifier: MIT */
#include "analyses/annotate/annotate.h"

#include "analyses/common/label.h"
#include "analyses/common/matched.h"

void
cp_wanted_hit(const struct cp_annotate *a, struct cp_hit *h, cp_frame_id frame)
{
	const struct cp_spot *spots;
	size_t n = cp_frame_spots(a->run, frame, &spots);

	if (a->pattern == NULL || h->symbol == NULL) {
		h->wanted = a->pattern == NULL;
		return;
	}
	h->wanted = cp_run_symbol_fits(a->run, a->pattern, h->symbol);
	h->itself = n < 2 && h->wanted;
	for (size_t i = n; i-- > 1;) {
		if (spots[i].symbol == NULL ||
		    !cp_run_symbol_fits(a->run, a->pattern, spots[i].symbol))
			continue;
		h->itself |= i + 1 == n;
		if (!h->wanted)
			h->inlined = spots[i].symbol;
		h->wanted = true;
	}
}

/*
 * Reports that no function has the name asked for, and lists those that have
 * samples, of their own or in what was inlined there.
 */
static void
none_wanted(const struct cp_annotate *a)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(a->leaves, &rows);
	struct cp_matched m;

	cp_matched_init(&m, a->run);
	for (size_t i = 0; i < n; i++) {
		cp_frame_id frame = (cp_frame_id)rows[i].b;
		const struct cp_symbol *y = cp_frame_function(a->run, frame);
		const struct cp_spot *spots;
		size_t k = cp_frame_spots(a->run, frame, &spots);

		if (y != NULL)
			cp_matched_add(&m, y, 0);
		for (size_t j = 1; j < k; j++)
			if (spots[j].symbol != NULL)
				cp_matched_add(&m, spots[j].symbol, 0);
		y = k > 1 ? spots[k - 1].symbol : y;
		if (y != NULL)
			cp_matched_add(&m, y, rows[i].weight);
	}
	if (n != 0)
		cp_matched_none(&m, "function");
}

void
cp_wanted_check(
    const struct cp_annotate *a, const struct cp_hit *hits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].wanted)
			return;
	none_wanted(a);
}

void
cp_wanted_note(const struct cp_annotate *a, struct cp_report *rep,
    const struct cp_hit *hits, size_t n)
{
	uint32_t event = hits->event;
	double all = (double)cp_groups_whole(&a->groups, event).mass.weight;
	uint64_t self = 0, code = 0;
	struct cp_matched m;

	cp_matched_init(&m, a->run);
	for (size_t i = 0; i < n; i++) {
		const struct cp_hit *h = &hits[i];

		if (!h->wanted || h->symbol == NULL)
			continue;
		cp_matched_add(&m, h->inlined != NULL ? h->inlined : h->symbol,
		    h->mass.weight);
		code += h->mass.weight;
		self += h->itself ? h->mass.weight : 0;
	}
	if (m.n != 0)
		cp_report_note(rep,
		    "%s; %.2f %% of %.200s, %.2f %% with what is inlined there",
		    cp_matched_text(&m, a->function),
		    100 * cp_share((double)self, all),
		    cp_event_name(a->run, event),
		    100 * cp_share((double)code, all));
}
