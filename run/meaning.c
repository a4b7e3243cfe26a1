/* SPDX-License-Identifier: MIT */
/*
 * meaning: events that mean the same and are shown together.
 *
 * A hybrid processor has an event for each kind of core, and a thread that
 * moves between them is counted by one event after the other.  The first of
 * such events stands for all.
 */
#include "base/buf.h"
#include "run/api.h"
#include "run/bare-event.h"

/*
 * NEAR: most distance between events of one meaning.  It avoids quadratic time
 * in a capture with very many events.
 */
enum { MAX_NAME = 1024, NEAR = 128 };

static void
look(struct cp_run *run)
{
	uint32_t n = cp_run_evsel_count(run);

	for (uint32_t i = (uint32_t)run->meaning.len; i < n; i++) {
		uint32_t first = i < NEAR ? 0 : i - NEAR;

		while (first < i && (run->meaning.data[first] != first ||
					!cp_event_same(cp_run_evsel(run, first),
					    cp_run_evsel(run, i))))
			first++;
		*cp_vec_push(&run->meaning) = first;
	}
}

/* A pipe may describe events after the first samples. */
uint32_t
cp_run_event_of(struct cp_run *run, uint32_t evsel)
{
	if (CP_UNLIKELY(evsel >= run->meaning.len))
		look(run);
	return run->meaning.data[evsel];
}

/* Returns the end of the events that may be of an event's meaning. */
static uint32_t
end_of(const struct cp_run *run, uint32_t event)
{
	uint32_t n = cp_run_evsel_count(run);

	return n - event > NEAR ? event + NEAR + 1 : n;
}

uint64_t
cp_run_kept_meaning(struct cp_run *run, uint32_t event)
{
	uint64_t sum = 0;

	for (uint32_t i = event; i < end_of(run, event); i++)
		if (cp_run_event_of(run, i) == event)
			sum += cp_run_kept(run, i);
	return sum;
}

const char *
cp_run_event_name(struct cp_run *run, uint32_t event)
{
	const char *name = cp_run_evsel(run, event)->name;
	struct cp_buf b;

	cp_buf_init(&b, MAX_NAME);
	for (uint32_t i = event; i < end_of(run, event); i++)
		if (cp_run_event_of(run, i) == event &&
		    cp_run_kept(run, i) != 0)
			cp_buf_printf(&b, "%s%s", b.len != 0 ? " + " : "",
			    cp_run_evsel(run, i)->name);
	if (b.len != 0)
		name = cp_run_string(run, cp_run_intern(run, cp_buf_text(&b)));
	cp_buf_free(&b);
	return name;
}

bool
cp_run_hybrid(struct cp_run *run, uint32_t event, struct cp_buf *b)
{
	bool several = false;

	for (uint32_t i = event; i < cp_run_evsel_count(run); i++) {
		uint64_t n = cp_run_kept(run, i);

		if (cp_run_event_of(run, i) != event || n == 0)
			continue;
		several |= b->len != 0;
		cp_buf_printf(b, "%s%.200s (samples: %" PRIu64 ")",
		    b->len != 0 ? " + " : "", cp_run_evsel(run, i)->name, n);
	}
	cp_buf_str(b, ": the same on other cores, shown together");
	return several;
}
