/* SPDX-License-Identifier: MIT */
/* cli/progress.h: a line on stderr when the work takes over a second. */
#ifndef CP_CLI_PROGRESS_H
#define CP_CLI_PROGRESS_H

#include "cli/cli.h"

struct cp_progress {
	bool wanted, shown;
	uint32_t countdown; /* records until the clock is read */
	double start, last;
};

void cp_progress_begin(struct cp_progress *, const struct cp_cli *);
void cp_progress_now(struct cp_progress *, const struct cp_quality *);
void cp_progress_end(struct cp_progress *);

/* After n more records. */
static inline void
cp_progress_step(struct cp_progress *p, const struct cp_quality *q, uint64_t n)
{
	if (CP_UNLIKELY(p->countdown <= n))
		cp_progress_now(p, q);
	else
		p->countdown -= (uint32_t)n;
}

#endif
