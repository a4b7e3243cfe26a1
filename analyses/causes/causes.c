/* SPDX-License-Identifier: MIT */
/*
 * causes: brings the rules together; blocked.c, queues.c and on-cpu.c have
 * them, words.c the sentences.
 */
#include "analyses/causes/causes.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/causes/words.h"
#include "analyses/common/label.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/record-hint.h"
#include "analyses/summary/thresholds.h"

#define SHOWN 5
#define SIDE_BY_SIDE 1.2
#define RECORD                                                                 \
	"perf record -a -g -e sched:sched_switch -e sched:sched_waking -e "    \
	"cpu-clock"

struct cp_causes *
cp_causes_new(struct cp_run *run, struct cp_waitwatch *watch,
    struct cp_waitclasses *classes)
{
	struct cp_causes *c = cp_run_alloc(run, sizeof(*c));

	*c = (struct cp_causes){ .run = run, .watch = watch };
	cp_account_init(&c->account, run);
	cp_programs_init(&c->programs, run);
	c->cpu = cp_oncpu_causes_new(run);
	cp_mix_init(&c->mix, run);
	c->sites = (struct cp_sites){ .run = run,
		.waits = &watch->waits,
		.account = &c->account,
		.programs = &c->programs,
		.classes = classes };
	watch->also = cp_account_span;
	watch->also_ctx = &c->account;
	return c;
}

void
cp_causes_sample(struct cp_causes *c, const struct cp_sample *s)
{
	cp_oncpu_causes_sample(c->cpu, s);
	cp_mix_sample(&c->mix, s);
}

void
cp_causes_event(struct cp_causes *c, const struct cp_sideband *e)
{
	cp_programs_event(&c->programs, e);
}

/* What the processes of that name waited for: one process at a time. */
static cp_string_id
child_of(struct cp_causes *c, cp_string_id comm, uint64_t lived)
{
	const struct cp_programs *p = &c->programs;
	struct cp_tally *sums = cp_tally_new(c->run);
	const struct cp_tally_row *most;

	for (uint32_t i = 0; i < p->names.n; i++) {
		const struct cp_program *parent =
		    cp_programs_of(p, (uint32_t)p->names.all[i].b);

		if (parent != NULL && parent->comm == comm)
			cp_tally_add(
			    sums, p->names.all[i].a, 0, p->lives[i].sum);
	}
	most = cp_rows_heaviest(sums);
	return most != NULL && most->weight > lived / 2 &&
		       most->weight <= lived && most->a != comm
		   ? (cp_string_id)most->a
		   : 0;
}

/* Processes that began and ended, where waits for them were not recorded. */
static void
find_processes(struct cp_causes *c)
{
	const struct cp_programs *p = &c->programs;
	struct cp_word n, mean, sum;

	for (uint32_t i = 0; i < p->names.n; i++) {
		struct cp_quantiles *l = &p->lives[i];
		const struct cp_program *parent =
		    cp_programs_of(p, (uint32_t)p->names.all[i].b);
		cp_string_id child;
		struct cp_cause *x;

		/* Those that work side by side are no reason to be slow. */
		if (parent == NULL || l->n < 5 ||
		    (double)l->sum > SIDE_BY_SIDE * (double)c->elapsed ||
		    (double)l->sum <
			cp_threshold(CP_T_PROCESSES) * (double)c->elapsed)
			continue;
		x = cp_cause_new(c, "child processes", l->sum);
		x->who = cp_run_string(c->run, parent->comm);
		x->by = cp_run_string(c->run, (cp_string_id)p->names.all[i].a);
		x->share = cp_share((double)l->sum, (double)c->elapsed);
		x->of = "the time that passed";
		x->command = "tasks";
		cp_cause_say(x,
		    "%.64s started %s processes, %.64s, one after the other; "
		    "they lived %s on average, %s in sum",
		    cp_run_string(c->run, parent->comm),
		    cp_word_count(&n, l->n),
		    cp_run_string(c->run, (cp_string_id)p->names.all[i].a),
		    cp_word_time(&mean, cp_quantiles_mean(l)),
		    cp_word_time(&sum, l->sum));
		child = child_of(c, (cp_string_id)p->names.all[i].a, l->sum);
		if (child != 0)
			cp_cause_say(x,
			    ", mostly for %.64s, which they started",
			    cp_run_string(c->run, child));
	}
}

/* What samples say that the CPU time went to. */
static void
find_on_cpu(struct cp_causes *c, uint32_t event)
{
	struct cp_oncpu_cause found[CP_ONCPU_CAUSES];
	struct cp_word share, sure, time;
	size_t n = cp_oncpu_causes_find(c->cpu, &c->programs, event, found);

	for (size_t i = 0; i < n; i++) {
		struct cp_cause *x;

		if ((double)found[i].ns <
		    cp_threshold(CP_T_CAUSE_SHARE) * (double)c->elapsed)
			continue;
		x = cp_cause_new(c, found[i].about, found[i].ns);
		x->who = cp_run_string(c->run, found[i].comm);
		if (found[i].where.own != 0)
			x->where = cp_run_string(c->run, found[i].where.own);
		x->share = found[i].share.share / 100;
		x->lo = found[i].share.lo / 100;
		x->hi = found[i].share.hi / 100;
		x->of = "its CPU time";
		x->command = "hotspots";
		cp_cause_say(x, "%.64s spent %s of its CPU time (%s), %s",
		    cp_run_string(c->run, found[i].comm),
		    cp_percent_share(&share, found[i].share),
		    cp_percent_interval(&sure, found[i].share),
		    cp_word_time(&time, found[i].ns));
		if (found[i].words != NULL)
			cp_cause_say(x, ", %s", found[i].words);
		if (found[i].call != 0)
			cp_cause_say(
			    x, " %.40s", cp_run_string(c->run, found[i].call));
		if (found[i].where.own != 0)
			cp_cause_say(x, ", in %.220s",
			    cp_run_string(c->run, found[i].where.own));
	}
}

/* The program does something else from some time on. */
static void
find_change(struct cp_causes *c, uint32_t event)
{
	double interval = cp_event_interval(cp_run_evsel(c->run, event));
	uint64_t first = cp_run_quality(c->run)->first_time;
	struct cp_word since, before, after, more;
	struct cp_mix_change m;
	struct cp_cause *x;

	if (!cp_mix_change(&c->mix, &c->programs, event, &m) ||
	    m.more * interval <
		cp_threshold(CP_T_CAUSE_SHARE) * (double)c->elapsed)
		return;
	x = cp_cause_new(c, "change", (uint64_t)(m.more * interval));
	x->where = cp_run_string(c->run, m.own);
	x->share = m.after;
	x->of = "the program's CPU time since then";
	x->when = m.since;
	x->command = "timeline";
	cp_cause_say(x,
	    "from +%s on %.200s with what it calls took %s of the program's "
	    "CPU time, before that %s: %s more: coldperf timeline",
	    cp_word_time(&since, m.since > first ? m.since - first : 0),
	    cp_run_string(c->run, m.own), cp_word_percent(&after, m.after, 1),
	    cp_word_percent(&before, m.before, 1), cp_word_time(&more, x->ns));
}

/*
 * Returns the site where the program's main thread waited longest, or where all
 * its threads did, if it did not wait: that workers have nothing to do does not
 * tell what the program waits for.  NULL: there is none.
 */
static const struct cp_site *
longest_of(struct cp_causes *c, cp_string_id program)
{
	const struct cp_sites *s = &c->sites;
	uint64_t *in_main = cp_run_alloc(c->run, (s->n + 1) * sizeof(*in_main));
	const struct cp_site *best = NULL;
	uint64_t most = 0;

	for (uint32_t m = 0; m < s->members.n; m++) {
		const struct cp_pair *of = &s->members.all[m];
		const struct cp_wait_task *t = &s->waits->task[of->b];

		if (t->tid == t->pid)
			in_main[of->a] += s->member_ns[m];
	}
	for (uint32_t i = 0; i < s->n; i++)
		if (s->all[i].comm == program && in_main[i] > most) {
			most = in_main[i];
			best = &s->all[i];
		}
	for (uint32_t i = 0; i < s->n && (most == 0 || best == NULL); i++)
		if (s->all[i].comm == program &&
		    (best == NULL || s->all[i].ns > best->ns))
			best = &s->all[i];
	return best;
}

/* Switches that were sampled tell no time: -F was given for all events. */
static bool
switches_sampled(struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (strcmp(e->name, "sched:sched_switch") == 0 &&
		    cp_event_sampled(e))
			return true;
	}
	return false;
}

static const char *
not_recorded(struct cp_run *run)
{
	return switches_sampled(run)
		   ? "what it waited for is not known, because -F was given "
		     "for the switches, too, and not each was recorded; this "
		     "records each: " RECORD
		   : "what it waited for was not recorded; this records "
		     "it: " RECORD;
}

/*
 * The program ran for a small part of its time, and no other cause explains
 * half of the rest.
 */
static void
find_idle(struct cp_causes *c, uint32_t event, bool switches)
{
	const struct cp_oncpu_life *life = &c->life;
	bool user_only = cp_event_user_only(cp_run_evsel(c->run, event));
	struct cp_word share, time, all;
	const struct cp_site *most;
	struct cp_cause *x;

	c->live = cp_oncpu_causes_life(c->cpu, &c->programs, event, &c->life);
	if (!c->live ||
	    (double)life->ran >=
		cp_threshold(CP_T_RAN) * (double)life->elapsed ||
	    (double)(life->elapsed - life->ran) <
		cp_threshold(CP_T_SATURATED_SPAN))
		return;
	c->live = false;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->all[i].ns >= (life->elapsed - life->ran) / 2)
			return;
	most = longest_of(c, life->comm);
	/* It says what is not known, so it comes last. */
	x = cp_cause_new(c, "ran", 0);
	x->who = cp_run_string(c->run, life->comm);
	x->share = cp_share((double)life->ran, (double)life->elapsed);
	x->of = "its time";
	if (user_only) {
		cp_cause_say(x,
		    "%.64s was seen in user code for %s of its %s: if it "
		    "waited for the rest, or was in the kernel, %.100s does "
		    "not tell; this records both: " RECORD,
		    cp_run_string(c->run, life->comm),
		    cp_word_percent(
			&share, (double)life->ran, (double)life->elapsed),
		    cp_word_time(&all, life->elapsed),
		    cp_event_name(c->run, event));
		return;
	}
	cp_cause_say(x, "%.64s ran for %s of its %s (%s on the CPU): ",
	    cp_run_string(c->run, life->comm),
	    cp_word_percent(&share, (double)life->ran, (double)life->elapsed),
	    cp_word_time(&all, life->elapsed), cp_word_time(&time, life->ran));
	if (switches && most != NULL) {
		cp_cause_say(x, "most of the rest it %s",
		    cp_cause_class(c, most->stack));
		cp_cause_where(c, x, most->where);
		cp_cause_say(x, ": coldperf offcpu");
		return;
	}
	cp_cause_say(x, "%s",
	    switches ? "where it waited, and for what: coldperf offcpu"
		     : not_recorded(c->run));
}

static int
compare(const void *va, const void *vb)
{
	const struct cp_cause *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return strcmp(a->text, b->text);
}

void
cp_causes_rest(struct cp_causes *c, struct cp_brief_lines *l)
{
	const struct cp_oncpu_life *life = &c->life;
	struct cp_word share, time, all;

	if (!c->live || life->lives >> 62 != 0 ||
	    (double)life->ran >=
		cp_threshold(CP_T_THREADS_RAN) * (double)life->lives)
		return;
	cp_brief_found(l, "ran",
	    "%.64s, all its threads added up, ran for %s of its time (%s of "
	    "%s): %s",
	    cp_run_string(c->run, life->comm),
	    cp_word_percent(&share, (double)life->ran, (double)life->lives),
	    cp_word_time(&time, life->ran), cp_word_time(&all, life->lives),
	    not_recorded(c->run));
}

/* The same as the sentences, in parts. */
static void
show_table(struct cp_causes *c, struct cp_report *rep)
{
	uint64_t first = cp_run_quality(c->run)->first_time;
	struct cp_table *t = cp_report_table(rep, "causes", "Causes");

	cp_table_data(t);
	cp_table_column(t, "Cause", CP_COL_TEXT);
	cp_table_column(t, "Time", CP_COL_TIME);
	cp_table_column(t, "Share", CP_COL_SHARE);
	cp_table_column(t, "Of", CP_COL_TEXT);
	cp_table_column(t, "Who", CP_COL_TEXT);
	cp_table_column(t, "Where", CP_COL_TEXT);
	cp_table_column(t, "By", CP_COL_TEXT);
	cp_table_column(t, "When", CP_COL_TIME);
	cp_table_column(t, "Command", CP_COL_TEXT);
	for (uint32_t i = 0; i < c->n && i < SHOWN; i++) {
		const struct cp_cause *x = &c->all[i];

		cp_table_row(t);
		cp_table_text(t, x->about);
		cp_table_u64(t, x->ns != 0 ? x->ns : CP_NO_TIME);
		cp_table_value(t, x->share, x->lo, x->hi);
		cp_table_text(t, x->of);
		cp_table_text(t, x->who);
		cp_table_text(t, x->where);
		cp_table_text(t, x->by);
		cp_table_u64(t, x->when != CP_NO_TIME && x->when > first
				    ? x->when - first
				    : CP_NO_TIME);
		cp_table_text(t, x->command);
	}
}

bool
cp_causes_find(struct cp_causes *c, const struct cp_causes_of *of,
    struct cp_brief_lines *l, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(c->run);
	bool queued = false;

	if (q->first_time == CP_NO_TIME || q->last_time <= q->first_time)
		return false;
	c->elapsed = q->last_time - q->first_time;
	for (uint32_t i = 0; i < c->programs.pids.n; i++) {
		const struct cp_program *p = &c->programs.all[i];

		if (p->command && p->born < p->died && p->died != CP_NO_TIME &&
		    p->died - p->born < c->elapsed)
			c->elapsed = p->died - p->born;
	}
	if (of->switches) {
		cp_sites_make(&c->sites);
		cp_causes_blocked(c);
		queued = of->all_cpus && cp_causes_queued(c);
	} else {
		find_processes(c);
	}
	if (of->event != CP_NO_ID) {
		find_on_cpu(c, of->event);
		find_change(c, of->event);
		find_idle(c, of->event, of->switches);
		c->live &= !of->switches &&
			   !cp_event_user_only(cp_run_evsel(c->run, of->event));
	}
	if (c->n != 0)
		qsort(c->all, c->n, sizeof(*c->all), compare);
	for (uint32_t i = 0; i < c->n && i < SHOWN; i++)
		cp_brief_found(l, c->all[i].about, "%s", c->all[i].text);
	if (c->n != 0)
		show_table(c, rep);
	if (of->switches)
		cp_causes_resources(c, of->all_cpus, rep);
	return queued || c->programs.found;
}
