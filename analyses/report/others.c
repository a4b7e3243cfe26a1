/* SPDX-License-Identifier: MIT */
/*
 * What other analyses tell of events that need no time on a CPU; and what was
 * not recorded.
 */
#include "analyses/report/report.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/hw-events.h"

static const struct cp_teller *const tellers[] = {
	&cp_syscalls_teller,
	&cp_locks_teller,
	&cp_blockio_teller,
	&cp_faults_teller,
	&cp_branches_teller,
	&cp_mem_teller,
	&cp_pairs_teller,
};
enum { TELLERS = sizeof(tellers) / sizeof(tellers[0]) };

struct cp_others {
	struct cp_run *run;
	bool looked;
	void *state[TELLERS]; /* NULL: the capture has no such events */
	struct cp_payload_sums *payloads;
	/* by evsel: some command knows it; 0: not looked at yet */
	enum { NOT_LOOKED, KNOWN, UNKNOWN } * known;
	uint32_t known_cap;
};

static bool
recorded(const struct cp_run *run, const struct cp_teller *t)
{
	return t->recorded != NULL ? t->recorded(run)
				   : cp_teller_recorded(run, t->probes);
}

struct cp_others *
cp_others_new(struct cp_run *run)
{
	struct cp_others *o = cp_run_alloc(run, sizeof(*o));

	o->run = run;
	o->payloads = cp_payload_sums_new(run);
	return o;
}

/* A pipe does not describe its events before its first records. */
uint32_t
cp_others_wants(const struct cp_run *run)
{
	uint32_t wants = 0;

	if (cp_run_evsel_count(run) == 0)
		return CP_WANT_RAW | CP_WANT_ALL;
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (strchr(cp_run_evsel(run, i)->name, ':') != NULL)
			wants |= CP_WANT_RAW;
	for (unsigned i = 0; i < TELLERS; i++)
		if (recorded(run, tellers[i]))
			wants |=
			    CP_WANT_RAW | (tellers[i]->all ? CP_WANT_ALL : 0);
	return wants;
}

/* Does a command tell more of the event than its number? */
static bool
is_known(const struct cp_others *o, uint32_t evsel)
{
	const char *name = cp_run_evsel(o->run, evsel)->name;

	for (unsigned i = 0; i < TELLERS; i++)
		if ((tellers[i]->probes != NULL &&
			cp_probes_find(o->run, tellers[i]->probes, evsel) !=
			    CP_NO_ID) ||
		    (tellers[i]->knows != NULL && o->state[i] != NULL &&
			tellers[i]->knows(o->state[i], name)))
			return true;
	return strncmp(name, "sched:", 6) == 0 ||
	       strncmp(name, "exceptions:page_fault_", 22) == 0;
}

void
cp_others_sample(struct cp_others *o, const struct cp_sample *s)
{
	for (unsigned i = 0; i < TELLERS && !o->looked; i++)
		if (recorded(o->run, tellers[i])) {
			o->state[i] = cp_run_alloc(o->run, tellers[i]->size);
			if (tellers[i]->begin(o->run, o->state[i]) != CP_OK)
				o->state[i] = NULL;
		}
	o->looked = true;
	for (unsigned i = 0; i < TELLERS; i++)
		if (o->state[i] != NULL && (s->kept || tellers[i]->all) &&
		    tellers[i]->sample(o->run, o->state[i], s) != CP_OK)
			o->state[i] = NULL;
	if (!s->kept || s->raw == NULL)
		return;
	cp_grow_to(o->run, o->known, &o->known_cap, s->evsel);
	if (o->known[s->evsel] == NOT_LOOKED)
		o->known[s->evsel] = is_known(o, s->evsel) ? KNOWN : UNKNOWN;
	if (o->known[s->evsel] == UNKNOWN)
		cp_payload_sums_add(o->payloads, s);
}

void
cp_others_events(
    struct cp_others *o, const struct cp_overview *r, struct cp_report *rep)
{
	cp_payload_sums_show(o->payloads, r, rep);
}

void
cp_others_event(struct cp_others *o, const struct cp_sideband *e)
{
	for (unsigned i = 0; i < TELLERS; i++)
		if (o->state[i] != NULL && tellers[i]->event != NULL)
			(void)tellers[i]->event(o->run, o->state[i], e);
}

void
cp_others_tell(struct cp_others *o, struct cp_accounts *a)
{
	for (unsigned i = 0; i < TELLERS; i++)
		if (o->state[i] != NULL)
			tellers[i]->tell(o->state[i], a);
}

static bool
has_role(const struct cp_run *run, enum cp_role role)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_counted_of(run, i).role == role)
			return true;
	return false;
}

/* It is not there, or gave no line, and the host can record it. */
static bool
is_missing(const struct cp_run *run, const struct cp_teller *t,
    const struct cp_accounts *a)
{
	return t != &cp_pairs_teller && !cp_accounts_tell(a, t->command) &&
	       (t != &cp_branches_teller || cp_host_branches(run)) &&
	       (t != &cp_mem_teller || cp_host_memory(run));
}

struct missing {
	struct cp_table *t;
	char text[400];
	size_t n;
};

static void
add_missing(struct missing *m, const char *what, enum cp_advice_id id)
{
	char option[40];

	(void)snprintf(option, sizeof(option), "--for %s", cp_advice[id].name);
	cp_table_add(m->t, what, option);
	m->n += (size_t)snprintf(m->text + m->n, sizeof(m->text) - m->n, "%s%s",
	    m->n != 0 ? ", " : "", what);
}

void
cp_others_missing(const struct cp_run *run, const struct cp_accounts *a,
    bool waits, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("What"),
		CP_TEXT("coldperf capture") };
	struct missing m = { .t = cp_report_table(rep, "missing",
				 "Not recorded", CP_COLUMNS(columns)) };
	bool counts = cp_host_counts(run);

	cp_table_data(m.t);
	for (unsigned i = 0; i < TELLERS; i++)
		if (is_missing(run, tellers[i], a))
			add_missing(&m, tellers[i]->what, tellers[i]->record);
	if (!waits)
		add_missing(&m, "waits, scheduler delays", CP_ADVICE_latency);
	if (counts && (!has_role(run, CP_ROLE_CYCLES) ||
			  !has_role(run, CP_ROLE_INSTRUCTIONS)))
		add_missing(&m, "cycles per instruction", CP_ADVICE_cpi);
	if (!counts)
		cp_report_note(rep,
		    "the host's CPUs had no counters for perf, as in many "
		    "virtual machines: cycles per instruction, branch stacks, "
		    "loads and stores need another host");
	if (m.n != 0)
		cp_report_note(rep,
		    "not recorded: %s; coldperf advise says what would record "
		    "it",
		    m.text);
}
