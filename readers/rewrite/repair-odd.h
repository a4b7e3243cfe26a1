/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repair-odd.h: samples whose size is no multiple of 4.
 *
 * OpenHarmony's hiperf writes raw data without padding, and perf ends there.
 */
#ifndef CP_READERS_REWRITE_REPAIR_ODD_H
#define CP_READERS_REWRITE_REPAIR_ODD_H

#include "readers/rewrite/writer.h"

/* Is it a sample that raw data with zeros at their end make even? */
bool cp_repair_odd(const struct cp_event *);
void cp_repair_put_odd(struct cp_rewriter *, const struct cp_event *);

#endif
