/* SPDX-License-Identifier: MIT */
/*
 * analyses/brief/busy.h: when a CPU was busy all the time, and with what.
 *
 * From samples of an event that counts time, or that a frequency was asked
 * for: so many of them are a full slice.
 */
#ifndef CP_ANALYSES_BRIEF_BUSY_H
#define CP_ANALYSES_BRIEF_BUSY_H

#include "analyses/summary/brief-part.h"

struct cp_busy;

struct cp_busy *cp_busy_new(struct cp_run *);
/* Samples that are kept. */
void cp_busy_sample(struct cp_busy *, const struct cp_sample *);
/* The longest such span, if there is one; after frames were named. */
void cp_busy_show(struct cp_busy *, uint32_t event, struct cp_brief_lines *);

#endif
