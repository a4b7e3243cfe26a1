/* SPDX-License-Identifier: MIT */
#include "analyses/timeline/timeline.h"

#define LONGEST (UINT64_C(1) << 61) /* ns */

uint64_t
cp_timeline_since(struct timeline *t, uint64_t time)
{
	if (t->origin == CP_NO_TIME) {
		t->origin = cp_run_start(t->run);
		if (t->origin == CP_NO_TIME)
			t->origin = time;
	}
	if (time <= t->origin)
		return 0;
	return time - t->origin < LONGEST ? time - t->origin : LONGEST;
}
