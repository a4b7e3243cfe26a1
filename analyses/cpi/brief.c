/* SPDX-License-Identifier: MIT */
#include "analyses/cpi/brief.h"

#include "analyses/cpi/cpi.h"

struct cpi *
cp_cpi_brief_new(struct cp_run *run, uint64_t top)
{
	struct cpi *c = cp_run_alloc(run, sizeof(*c));

	cp_cpi_init(c, run);
	c->brief = true;
	c->top = top;
	return c;
}

void
cp_cpi_brief_sample(struct cpi *c, const struct cp_sample *s)
{
	cp_cpi_sample(c, s);
}

void
cp_cpi_brief_show(struct cpi *c, double dispersion, struct cp_report *rep)
{
	c->dispersion = dispersion;
	if (!cp_cpi_end(c))
		return;
	cp_cpi_show(c, rep);
	cp_cpi_note_throttled(c, rep);
}
