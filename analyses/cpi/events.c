/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi/events.c: chooses the events of a capture that make a ratio.
 *
 * Cycles and instructions must have been counted in the same place: by the same
 * PMU, in user mode, in kernel mode or in both.  Several such pairs are added
 * up if nothing is counted in two of them: user and kernel apart, fast and slow
 * cores.
 */
#include "analyses/cpi/cpi.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/options.h"

enum { SAMPLE_READ = 1 << 4, SAMPLE_PERIOD = 1 << 8 };

static bool
same_place(const struct cp_counted *a, const struct cp_counted *b)
{
	return strcmp(a->unit, b->unit) == 0 && strcmp(a->scope, b->scope) == 0;
}

/*
 * Finds the first event of that role that counts in the same place as event i.
 */
static uint32_t
partner(const struct cp_cpi_events *e, uint32_t i, enum cp_role role)
{
	for (uint32_t k = 0; k < e->n; k++)
		if (e->all[k].what.role == role && !e->all[k].uncounted &&
		    !e->all[k].left_out &&
		    same_place(&e->all[k].what, &e->all[i].what))
			return k;
	return CP_NO_ID;
}

/* True if no pair used so far counts in the same place. */
static bool
apart_from_used(const struct cp_cpi_events *e, uint32_t i)
{
	for (uint32_t k = 0; k < e->n; k++)
		if (e->all[k].used &&
		    !cp_counted_apart(&e->all[k].what, &e->all[i].what))
			return false;
	return true;
}

static void
use_place(struct cp_cpi_events *e, uint32_t i)
{
	for (unsigned role = 0; role < CP_ROLES; role++) {
		uint32_t k = partner(e, i, (enum cp_role)role);

		if (k != CP_NO_ID)
			e->all[k].used = true;
	}
}

/* Uses all pairs that are counted apart; false: there is none. */
static bool
use_pairs(struct cp_cpi_events *e)
{
	bool any = false;

	for (uint32_t i = 0; i < e->n; i++)
		if (e->all[i].what.role == CP_ROLE_CYCLES &&
		    partner(e, i, CP_ROLE_CYCLES) == i &&
		    partner(e, i, CP_ROLE_INSTRUCTIONS) != CP_NO_ID &&
		    apart_from_used(e, i)) {
			use_place(e, i);
			any = true;
		}
	return any;
}

/* True if the event counts where one does that the filters keep. */
static bool
beside_kept(struct cp_run *run, const struct cp_cpi_events *e, uint32_t i)
{
	for (uint32_t k = 0; k < e->n; k++)
		if (e->all[k].what.role != CP_ROLES &&
		    same_place(&e->all[k].what, &e->all[i].what) &&
		    cp_run_keeps_event(run, k))
			return true;
	return false;
}

void
cp_cpi_choose(struct cp_run *run, struct cp_cpi_events *e)
{
	uint32_t n = cp_run_evsel_count(run);

	if (n == 0)
		return;
	cp_grow_to(run, e->all, &e->cap, n - 1);
	e->n = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_evsel *ev = cp_run_evsel(run, i);

		e->all[i] = (struct cp_cpi_event){ .what =
						       cp_counted_of(run, i),
			.read = (ev->sample_type & SAMPLE_READ) != 0,
			.uncounted =
			    ev->freq &&
			    !(ev->sample_type & (SAMPLE_PERIOD | SAMPLE_READ)),
			.left_out = !cp_run_keeps_event(run, i) };
	}
	if (use_pairs(e))
		return;
	/* Notes say which event of a pair the filters leave out. */
	for (uint32_t i = 0; i < n; i++)
		e->all[i].left_out = !beside_kept(run, e, i);
	if (use_pairs(e))
		return;
	for (uint32_t i = 0; i < n; i++)
		e->all[i].left_out = false;
	(void)use_pairs(e);
}

bool
cp_cpi_in_same_places(
    const struct cp_cpi_events *e, enum cp_role a, enum cp_role b)
{
	for (uint32_t i = 0; i < e->n; i++) {
		enum cp_role role = e->all[i].what.role;

		if (e->all[i].used && (role == a || role == b) &&
		    partner(e, i, role == a ? b : a) == CP_NO_ID)
			return false;
	}
	return true;
}

const char *
cp_cpi_names(
    struct cp_run *run, const struct cp_cpi_events *e, enum cp_role role)
{
	char text[512] = "";
	size_t n = 0;

	for (uint32_t i = 0; i < e->n && n < sizeof(text); i++)
		if (e->all[i].used && e->all[i].what.role == role)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%s%.200s", n != 0 ? " + " : "",
			    cp_run_evsel(run, i)->name);
	return cp_run_string(run, cp_run_intern(run, text));
}

void
cp_cpi_note_events(
    struct cp_run *run, const struct cp_cpi_events *e, struct cp_report *rep)
{
	bool there[CP_ROLES + 1] = { 0 };

	for (uint32_t i = 0; i < e->n; i++)
		there[e->all[i].what.role] = true;
	/*
	 * If the capture lacks cycles or instructions, no event was left out.
	 */
	if (!there[CP_ROLE_CYCLES] || !there[CP_ROLE_INSTRUCTIONS])
		return;
	for (uint32_t i = 0; i < e->n; i++) {
		const struct cp_cpi_event *ev = &e->all[i];

		if (ev->used || ev->left_out || ev->what.role == CP_ROLES ||
		    cp_run_evsel(run, i)->samples == 0)
			continue;
		if (ev->uncounted)
			cp_report_note(rep,
			    "the samples of %.200s do not say how many events "
			    "they stand for (a frequency without periods), so "
			    "it is not used",
			    cp_run_evsel(run, i)->name);
		else
			cp_report_note(rep,
			    "%.200s is not used: it was recorded twice, or was "
			    "not counted in the same place as its partner",
			    cp_run_evsel(run, i)->name);
	}
}
