/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/spans.h: the times in which records were lost, as disjoint
 * ascending spans.
 *
 * This room knows when records were lost (spans.c, of each CPU cpus.c), keeps
 * waits until no loss can change them (waits.c), and knows samples that are
 * there twice (repeats.c).  It may use coldperf/plugin.h and analyses/common.
 * Begin in waits.h.
 */
#ifndef CP_ANALYSES_LOST_SPANS_H
#define CP_ANALYSES_LOST_SPANS_H

#include <coldperf/plugin.h>

struct cp_lost_span {
	uint64_t start, end;
};

/* Zeroed: none. */
struct cp_lost_spans {
	struct cp_lost_span *all; /* disjoint, ascending */
	uint32_t n, cap;
};

/*
 * Adds a loss; they come in order of their ends, and overlapping ones are
 * merged.
 */
void cp_lost_spans_add(
    struct cp_lost_spans *, struct cp_run *, uint64_t start, uint64_t end);
/* Finds the first loss that ends after a time; NULL: none does. */
const struct cp_lost_span *cp_lost_spans_after(
    const struct cp_lost_spans *, uint64_t time);
/* Says that losses were told after what they can change; 0: nothing. */
void cp_lost_late_note(struct cp_report *, uint64_t late);

#endif
