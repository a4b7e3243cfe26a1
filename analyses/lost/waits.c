/* SPDX-License-Identifier: MIT */
#include "analyses/lost/waits.h"

#include <inttypes.h>

#include "analyses/common/label.h"

/* About 3 MiB; must be a power of two. */
#define LIMIT 65536u
#define FIRST 256u

void
cp_lost_waits_init(
    struct cp_lost_waits *w, struct cp_run *run, cp_lost_wait_fn fn, void *ctx)
{
	*w = (struct cp_lost_waits){ .fn = fn, .ctx = ctx };
	cp_lost_cpus_init(&w->cpus, run);
}

static struct cp_lost_wait *
held_at(const struct cp_lost_waits *w, uint32_t i)
{
	return &w->held[(w->first + i) & (w->cap - 1)];
}

static void
tell_oldest(struct cp_lost_waits *w)
{
	struct cp_run *run = w->cpus.run;
	struct cp_lost_wait h = *held_at(w, 0);
	const struct cp_lost_span *lost =
	    cp_lost_spans_after(&w->cpus.spans, h.start);
	uint64_t end = h.end;

	w->first++;
	w->n--;
	h.inside = cp_run_keeps_some(run, h.start, h.end);
	h.ns = cp_run_kept_ns(run, h.start, h.end);
	h.cut = h.ns != h.end - h.start;
	h.at = h.start;
	(void)cp_run_cut(run, &h.at, &end);
	if (h.inside || w->outside)
		w->fn(w->ctx, &h, lost == NULL || lost->start >= h.end);
}

static void
grow(struct cp_lost_waits *w)
{
	uint32_t cap = w->cap != 0 ? 2 * w->cap : FIRST;
	struct cp_lost_wait *all =
	    cp_run_alloc(w->cpus.run, cap * sizeof(*all));

	for (uint32_t i = 0; i < w->n; i++)
		all[i] = *held_at(w, i);
	w->held = all;
	w->cap = cap;
	w->first = 0;
}

void
cp_lost_waits_add(struct cp_lost_waits *w, const struct cp_lost_wait *wait)
{
	if (w->n == LIMIT) {
		w->told_until = held_at(w, 0)->end;
		tell_oldest(w);
	} else if (w->n == w->cap) {
		grow(w);
	}
	*held_at(w, w->n++) = *wait;
}

static void
lost_since(struct cp_lost_waits *w, uint64_t start)
{
	w->late += start < w->told_until;
}

void
cp_lost_waits_event(struct cp_lost_waits *w, const struct cp_sideband *e)
{
	lost_since(w, cp_lost_cpus_event(&w->cpus, e));
}

bool
cp_lost_waits_since(const struct cp_lost_waits *w, uint64_t time)
{
	return cp_lost_spans_after(&w->cpus.spans, time) != NULL;
}

void
cp_lost_waits_finish(struct cp_lost_waits *w)
{
	lost_since(w, cp_lost_cpus_finish(&w->cpus));
	while (w->n != 0)
		tell_oldest(w);
}

void
cp_lost_late_note(struct cp_report *rep, uint64_t late)
{
	if (late != 0)
		cp_report_note(rep,
		    "%" PRIu64
		    " loss%s reported late by the kernel: some times that %s "
		    "may affect are not marked as unknown",
		    late, late == 1 ? " was" : "es were",
		    late == 1 ? "it" : "they");
}

void
cp_lost_waits_note(const struct cp_lost_waits *w, struct cp_report *rep)
{
	struct cp_word n;

	if (w->cut != 0)
		cp_report_note(rep,
		    "begun before a window of --time, or ended after it: %s; "
		    "counted with their part inside",
		    cp_word_count(&n, w->cut));
	cp_lost_late_note(rep, w->late);
}
