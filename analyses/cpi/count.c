/* SPDX-License-Identifier: MIT */
#include "analyses/cpi/cpi.h"

#include <string.h>

void
cp_cpi_init(struct cpi *c, struct cp_run *run)
{
	c->run = run;
	cp_groups_init(&c->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	c->by_thread = cp_tally_new(run);
	c->by_cpu = cp_tally_new(run);
	c->by_event = cp_tally_new(run);
	c->by_stack = cp_tally_new(run);
	c->blocks.run = run;
	c->blocks.blocks = cp_tally_new(run);
}

static void
count(struct cpi *c, const struct cp_sample *s, unsigned slot, uint64_t n)
{
	struct cp_sample as;

	cp_tally_add(c->by_cpu, slot, s->cpu, n);
	cp_tally_add(c->by_event, slot, s->evsel, n);
	if (c->brief) {
		cp_tally_add(
		    c->by_stack, slot, cp_stack_frame(c->run, s->stack), n);
		return;
	}
	as = *s;
	as.event = slot;
	as.weight = n;
	cp_tally_add(c->by_thread, cp_groups_add(&c->threads, &as), 0, n);
	cp_tally_add(c->by_stack, (uint64_t)s->comm << 8 | slot, s->stack, n);
}

/*
 * Ends a record whose counts are complete: notes the ratios that it has both
 * events of.
 */
static void
reading_end(struct cpi *c)
{
	unsigned roles = 0;

	for (unsigned r = 0; r < CP_ROLES; r++)
		roles += c->has[r];
	if (c->at.reading == 0 || roles == 0)
		return;
	c->joint += roles > 1;
	for (unsigned k = 0; k < CP_RATIOS; k++) {
		const struct cp_ratio_def *d = &cp_ratio_defs[k];

		if (c->tells[k] && (c->has[d->above] || c->has[d->below]))
			count(c, &c->at, CP_ROLES + k,
			    c->value[d->above] + c->value[d->below]);
	}
	memset(c->has, 0, sizeof(c->has));
	memset(c->value, 0, sizeof(c->value));
}

static void
events_look(struct cpi *c)
{
	bool used[CP_ROLES] = { 0 };

	cp_cpi_choose(c->run, &c->events);
	for (uint32_t i = 0; i < c->events.n; i++) {
		if (!c->events.all[i].used)
			continue;
		used[c->events.all[i].what.role] = true;
		c->grouped |= c->events.all[i].read;
	}
	for (unsigned k = 0; k < CP_RATIOS; k++)
		c->tells[k] =
		    used[cp_ratio_defs[k].above] &&
		    used[cp_ratio_defs[k].below] &&
		    cp_cpi_in_same_places(&c->events, cp_ratio_defs[k].above,
			cp_ratio_defs[k].below);
}

/*
 * Scales the count of a counter that shared the hardware with others to the
 * whole time.
 */
static uint64_t
scaled(struct cpi *c, const struct cp_sample *s)
{
	double n;

	if (s->enabled == 0 || s->running == 0)
		return s->period;
	c->enabled += (double)s->enabled;
	c->running += (double)s->running;
	if (s->running >= s->enabled)
		return s->period;
	n = (double)s->period * ((double)s->enabled / (double)s->running);
	return n < 0x1p62 ? (uint64_t)(n + 0.5) : (uint64_t)1 << 62;
}

void
cp_cpi_sample(struct cpi *c, const struct cp_sample *s)
{
	enum cp_role role;
	uint64_t n;

	if (s->evsel >= c->events.n)
		events_look(c);
	if (!c->events.all[s->evsel].used)
		return;
	if (s->reading != c->at.reading)
		reading_end(c);
	role = c->events.all[s->evsel].what.role;
	n = scaled(c, s);
	count(c, s, role, n);
	if (s->reading == 0) {
		/*
		 * Counts a sample without readings.  Where other samples bring
		 * readings of a group, it counts as a reading of one event.
		 */
		for (unsigned k = 0; c->grouped && k < CP_RATIOS; k++)
			if (c->tells[k] && (cp_ratio_defs[k].above == role ||
					       cp_ratio_defs[k].below == role))
				count(c, s, CP_ROLES + k, n);
		return;
	}
	c->at = *s;
	c->value[role] += n;
	c->has[role] = true;
}

bool
cp_cpi_end(struct cpi *c)
{
	const struct cp_tally_row *t;
	size_t n;

	reading_end(c);
	n = cp_tally_rows(c->by_cpu, &t);
	for (size_t i = 0; i < n; i++)
		cp_cpi_counts_add(&c->whole, (unsigned)t[i].a, &t[i]);
	c->readings = c->joint != 0;
	return c->whole.samples[CP_ROLE_CYCLES] != 0 &&
	       c->whole.samples[CP_ROLE_INSTRUCTIONS] != 0;
}
