/* SPDX-License-Identifier: MIT */
/*
 * render/page/bins.h: the samples that a page carries.
 *
 * If they are more than a page should have, those of one stretch of time, with
 * the same thread, CPU, event and stack, become one row.  Rows of a stretch
 * have one time, and are in the order of event, thread, stack and CPU.
 */
#ifndef CP_RENDER_PAGE_BINS_H
#define CP_RENDER_PAGE_BINS_H

#include "report/profile.h"

struct cp_page_samples {
	size_t n;
	uint64_t width; /* of a stretch, in ns; 0: each sample is a row */
	const uint64_t *time, *weight;
	const uint32_t *stack, *thread, *event, *cpu;
	const uint32_t *count; /* samples of a row; NULL: one */
};

/*
 * The shortest stretches that make at most `most' rows; twice as many before
 * there are less than a hundred stretches, and more where longer ones would
 * merge next to nothing.
 */
struct cp_page_samples cp_page_bin(const struct cp_profile *, size_t most);
void cp_page_bin_free(struct cp_page_samples *);

#endif
