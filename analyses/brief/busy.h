/* SPDX-License-Identifier: MIT */
/*
 * analyses/brief/busy.h: when a CPU was busy all the time, and with what.
 *
 * The samples are of an event that counts time, or that was recorded with a
 * frequency, so the number of samples in a full slice of time is known.
 */
#ifndef CP_ANALYSES_BRIEF_BUSY_H
#define CP_ANALYSES_BRIEF_BUSY_H

#include "analyses/summary/brief-part.h"

struct cp_busy;

struct cp_busy *cp_busy_new(struct cp_run *);
/* Counts a sample that the filters keep. */
void cp_busy_sample(struct cp_busy *, const struct cp_sample *);
/*
 * Adds a line on the longest busy span, if there is one; the frames must have
 * been named.
 */
void cp_busy_show(struct cp_busy *, uint32_t event, struct cp_brief_lines *);

#endif
