/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/watch.h: fills cp_waits from the spans of threads.
 *
 * Wants CP_WANT_RAW and CP_WANT_ALL.  --time cuts spans, --cpu and the filters
 * of tasks leave them out.
 */
#ifndef CP_ANALYSES_WAITS_WATCH_H
#define CP_ANALYSES_WAITS_WATCH_H

#include "analyses/waits/waits.h"

/*
 * Called for each span, cut to --time.  row: of the waits; CP_NO_ID: the
 * filters leave it out.
 */
typedef void (*cp_waitwatch_fn)(
    void *ctx, const struct cp_span *, const struct cp_wait *, uint32_t row);

struct cp_waitwatch {
	struct cp_run *run;
	cp_waitwatch_fn also; /* NULL: nobody else wants the spans */
	void *also_ctx;
	unsigned hops; /* links of a chain of wakers */
	/* Time that two CPUs count, by clocks that differ, counts once. */
	bool once;
	uint64_t *until; /* by thread: end of its last span */
	uint32_t until_cap;
	const struct cp_spans *state;
	struct cp_waits waits; /* by index of the state's threads */
	uint32_t *chain;       /* by thread: who woke it last, + 1 */
	uint32_t chain_cap;
};

void cp_waitwatch_init(struct cp_waitwatch *, struct cp_run *, unsigned hops);
/* Ends it and names the tasks; false: the capture had no switches. */
bool cp_waitwatch_finish(struct cp_waitwatch *);
bool cp_waitwatch_sees_wakes(const struct cp_waitwatch *);
/* Adds the notes that readers of the numbers need. */
void cp_waitwatch_notes(const struct cp_waitwatch *, struct cp_report *);

#endif
