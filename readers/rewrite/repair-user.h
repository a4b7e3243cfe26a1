/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-user.h: the records that perf itself wrote. */
#ifndef CP_READERS_REWRITE_REPAIR_USER_H
#define CP_READERS_REWRITE_REPAIR_USER_H

#include "model/event.h"
#include "model/evsel.h"

/*
 * Can perf 6.1 process this record of perf's own?  It ends, or crashes, at a
 * type that its recorder did not write, and at a count or an id that is wrong.
 */
bool cp_repair_user_has(const struct cp_evsels *, const struct cp_event *);
/* Is it a value or the end of a round of perf stat? */
bool cp_repair_counts(const struct cp_event *);

#endif
