/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/waits.h: the time from one event to another, as of a
 * system call, reported once no later LOST record can change it.
 *
 * A LOST record may come long after the loss.  Until then a call whose end was
 * lost is paired with the end of the next call, and looks like one long call.
 * So the newest calls are held back, and each is reported with a flag: can a
 * record have been lost during it?  All CPUs count, because the thread may have
 * moved to another CPU and back.
 *
 * This room knows when a loss of each CPU began (cpus.c), keeps waits until no
 * loss can change them (waits.c), and knows which callers chains lack
 * (chain-ends.c, lost-callers.c).  It may use include/coldperf and
 * analyses/common.  Begin here.
 */
#ifndef CP_ANALYSES_LOST_WAITS_H
#define CP_ANALYSES_LOST_WAITS_H

#include "analyses/lost/cpus.h"

struct cp_lost_wait {
	uint64_t start, end;
	uint64_t what[3]; /* the caller's */
	uint32_t row;     /* the caller's */
	/* What --time keeps of it: nothing, or from when, and how long. */
	bool inside, cut;
	uint64_t at, ns;
};

/*
 * Reports a wait; known: no record was lost during it.  One that --time leaves
 * out is reported only to who asks for these, too.
 */
typedef void (*cp_lost_wait_fn)(
    void *ctx, const struct cp_lost_wait *, bool known);

struct cp_lost_waits {
	struct cp_lost_cpus cpus;
	cp_lost_wait_fn fn;
	void *ctx;
	bool outside; /* waits that --time leaves out are asked for, too */
	struct cp_lost_wait *held; /* a ring */
	uint32_t cap, first, n;
	uint64_t told_until; /* waits that end by then were reported */
	uint64_t late;       /* losses that began before told_until */
	uint64_t cut; /* waits that --time cuts, as far as the caller counts */
};

void cp_lost_waits_init(
    struct cp_lost_waits *, struct cp_run *, cp_lost_wait_fn, void *ctx);
static inline void
cp_lost_waits_sample(struct cp_lost_waits *w, const struct cp_sample *s)
{
	cp_lost_cpus_sample(&w->cpus, s);
}
void cp_lost_waits_event(struct cp_lost_waits *, const struct cp_sideband *);
/* Keeps a wait that ends now. */
void cp_lost_waits_add(struct cp_lost_waits *, const struct cp_lost_wait *);
/* True if a loss reported so far may have happened after the time. */
bool cp_lost_waits_since(const struct cp_lost_waits *, uint64_t time);
/* Reports all waits that are still held back. */
void cp_lost_waits_finish(struct cp_lost_waits *);
/* Says that losses were told after what they can change; 0: nothing. */
void cp_lost_late_note(struct cp_report *, uint64_t late);
/* Notes waits that --time cuts, and losses that were reported too late. */
void cp_lost_waits_note(const struct cp_lost_waits *, struct cp_report *);

#endif
