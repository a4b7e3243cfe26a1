/* SPDX-License-Identifier: MIT */
#include "analyses/brief/parts.h"

#include <stdio.h>

#include "analyses/blockio/brief.h"
#include "analyses/brief/branches.h"
#include "analyses/brief/faults.h"
#include "analyses/brief/host.h"
#include "analyses/common/hw-events.h"
#include "analyses/locks/brief.h"
#include "analyses/mem/brief.h"
#include "analyses/syscalls/brief.h"

static const struct cp_brief_part *const parts[] = {
	&cp_syscalls_brief,
	&cp_locks_brief,
	&cp_blockio_brief,
	&cp_faults_brief,
	&cp_branches_brief,
	&cp_mem_brief,
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

struct cp_brief_parts {
	struct cp_run *run;
	bool looked;
	unsigned n; /* parts that the capture has events for */
	struct {
		const struct cp_brief_part *part;
		void *state;
		bool told; /* some line */
	} at[PARTS];
};

struct cp_brief_parts *
cp_brief_parts_new(struct cp_run *run)
{
	struct cp_brief_parts *p = cp_run_alloc(run, sizeof(*p));

	p->run = run;
	return p;
}

/* A pipe does not describe its events before its first records. */
uint32_t
cp_brief_parts_wants(const struct cp_run *run)
{
	uint32_t wants = 0;

	if (cp_run_evsel_count(run) == 0)
		return CP_WANT_RAW | CP_WANT_ALL;
	for (unsigned i = 0; i < PARTS; i++)
		if (parts[i]->recorded(run))
			wants |=
			    CP_WANT_RAW | (parts[i]->all ? CP_WANT_ALL : 0);
	return wants;
}

static void
look(struct cp_brief_parts *p)
{
	p->looked = true;
	for (unsigned i = 0; i < PARTS; i++) {
		if (!parts[i]->recorded(p->run))
			continue;
		p->at[p->n].part = parts[i];
		p->at[p->n++].state = parts[i]->begin(p->run);
	}
}

void
cp_brief_parts_sample(struct cp_brief_parts *p, const struct cp_sample *s)
{
	if (!p->looked)
		look(p);
	for (unsigned i = 0; i < p->n; i++)
		if (s->kept || p->at[i].part->all)
			p->at[i].part->sample(p->at[i].state, s);
}

void
cp_brief_parts_event(struct cp_brief_parts *p, const struct cp_sideband *e)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->at[i].part->event != NULL)
			p->at[i].part->event(p->at[i].state, e);
}

void
cp_brief_parts_show(
    struct cp_brief_parts *p, struct cp_brief_lines *l, struct cp_report *rep)
{
	l->rep = rep;
	for (unsigned i = 0; i < p->n; i++) {
		char more[64];

		(void)snprintf(
		    more, sizeof(more), "coldperf %s", p->at[i].part->command);
		l->command = more;
		l->n = 0;
		p->at[i].part->show(p->at[i].state, l);
		p->at[i].told = l->n != 0;
	}
}

static bool
has_role(const struct cp_run *run, enum cp_role role)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_counted_of(run, i).role == role)
			return true;
	return false;
}

static void
row(struct cp_table *t, const char *what, enum cp_advice_id id)
{
	char option[40];

	(void)snprintf(option, sizeof(option), "--for %s", cp_advice[id].name);
	cp_table_row(t);
	cp_table_text(t, what);
	cp_table_text(t, option);
}

/* A part is also missing if its events were recorded but gave no line. */
static bool
is_missing(const struct cp_brief_parts *p, const struct cp_brief_part *part)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->at[i].part == part)
			return !p->at[i].told;
	return !part->recorded(p->run);
}

/* CP_ADVICE_COUNT: the host cannot record it. */
static enum cp_advice_id
advice_of(const struct cp_run *run, const struct cp_brief_part *part)
{
	if (part == &cp_branches_brief && !cp_host_branches(run))
		return CP_ADVICE_COUNT;
	if (part == &cp_mem_brief && !cp_host_memory(run))
		return CP_ADVICE_COUNT;
	return part->record;
}

/*
 * The options below are of today's perf.  Linux before 4 (2015) lacks half of
 * them: there one line says what was not recorded.
 */
static bool
is_old(const struct cp_run *run)
{
	const char *release = cp_run_fact(run, "os-release");

	return release != NULL && release[0] >= '2' && release[0] <= '3' &&
	       release[1] == '.';
}

/* Notes all that is missing in one line. */
static void
note_missing(const struct cp_brief_parts *p, bool waits, struct cp_report *rep)
{
	char text[400] = "";
	size_t n = 0;

	for (unsigned i = 0; i < PARTS; i++)
		if (advice_of(p->run, parts[i]) != CP_ADVICE_COUNT &&
		    is_missing(p, parts[i]) && n < sizeof(text) - 100)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%s%s", n != 0 ? ", " : "", parts[i]->what);
	if (!waits)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    "%swaits, scheduler delays", n != 0 ? ", " : "");
	if (n != 0)
		cp_report_note(rep, "not recorded: %s", text);
}

static void
missing_parts(const struct cp_brief_parts *p, struct cp_table *t)
{
	for (unsigned i = 0; i < PARTS; i++) {
		enum cp_advice_id id = advice_of(p->run, parts[i]);

		if (id != CP_ADVICE_COUNT && is_missing(p, parts[i]))
			row(t, parts[i]->what, id);
	}
}

void
cp_brief_parts_missing(
    const struct cp_brief_parts *p, bool waits, struct cp_report *rep)
{
	const struct cp_run *run = p->run;
	bool counts = cp_host_counts(run);
	struct cp_table *t;

	if (is_old(run)) {
		note_missing(p, waits, rep);
		return;
	}
	t = cp_report_table(
	    rep, "missing", "Not recorded; coldperf advise has perf's options");
	cp_table_column(t, "What", CP_COL_TEXT);
	cp_table_column(t, "coldperf capture", CP_COL_TEXT);
	cp_table_prose(t);
	missing_parts(p, t);
	if (!waits)
		row(t, "waits, scheduler delays", CP_ADVICE_latency);
	if (counts && (!has_role(run, CP_ROLE_CYCLES) ||
			  !has_role(run, CP_ROLE_INSTRUCTIONS)))
		row(t, "cycles per instruction", CP_ADVICE_cpi);
	if (!counts)
		cp_report_note(rep,
		    "the host's CPUs had no counters for perf, as in many "
		    "virtual machines: cycles per instruction, branch stacks, "
		    "loads and stores need another host");
}
