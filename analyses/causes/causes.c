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
}

void
cp_causes_event(struct cp_causes *c, const struct cp_sideband *e)
{
	cp_programs_event(&c->programs, e);
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
		struct cp_cause *x;

		/* Those that work side by side are no reason to be slow. */
		if (parent == NULL || l->n < 5 ||
		    (double)l->sum > SIDE_BY_SIDE * (double)c->elapsed ||
		    (double)l->sum <
			cp_threshold(CP_T_PROCESSES) * (double)c->elapsed)
			continue;
		x = cp_cause_new(c, "child processes", l->sum);
		cp_cause_say(x,
		    "%.64s started %s processes, %.64s, one after the other; "
		    "they lived %s on average, %s in sum",
		    cp_run_string(c->run, parent->comm),
		    cp_word_count(&n, l->n),
		    cp_run_string(c->run, (cp_string_id)p->names.all[i].a),
		    cp_word_time(&mean, cp_quantiles_mean(l)),
		    cp_word_time(&sum, l->sum));
	}
}

/* What samples say that the CPU time went to. */
static void
find_on_cpu(struct cp_causes *c, uint32_t event)
{
	struct cp_oncpu_cause found[CP_ONCPU_CAUSES];
	struct cp_word share, time;
	size_t n = cp_oncpu_causes_find(c->cpu, &c->programs, event, found);

	for (size_t i = 0; i < n; i++) {
		struct cp_cause *x =
		    cp_cause_new(c, found[i].about, found[i].ns);

		cp_cause_say(x, "%.64s spent %s of its CPU time, %s, %s",
		    cp_run_string(c->run, found[i].comm),
		    cp_word_percent(&share, found[i].share, 1),
		    cp_word_time(&time, found[i].ns), found[i].words);
		if (found[i].where.own != 0)
			cp_cause_say(x, ", in %.220s",
			    cp_run_string(c->run, found[i].where.own));
	}
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

/*
 * The program ran for a small part of its time, and no other cause explains
 * half of the rest.
 */
static void
find_idle(struct cp_causes *c, uint32_t event, bool switches)
{
	struct cp_oncpu_life life;
	struct cp_word share, time, all;
	const struct cp_site *most;
	struct cp_cause *x;

	if (!cp_oncpu_causes_life(c->cpu, &c->programs, event, &life) ||
	    (double)life.ran >= cp_threshold(CP_T_RAN) * (double)life.elapsed ||
	    (double)(life.elapsed - life.ran) <
		cp_threshold(CP_T_SATURATED_SPAN))
		return;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->all[i].ns >= (life.elapsed - life.ran) / 2)
			return;
	most = longest_of(c, life.comm);
	/* It says what is not known, so it comes last. */
	x = cp_cause_new(c, "ran", 0);
	cp_cause_say(x, "%.64s ran for %s of its %s (%s on the CPU): ",
	    cp_run_string(c->run, life.comm),
	    cp_word_percent(&share, (double)life.ran, (double)life.elapsed),
	    cp_word_time(&all, life.elapsed), cp_word_time(&time, life.ran));
	if (switches && most != NULL) {
		cp_cause_say(x, "most of the rest it %s",
		    cp_cause_class(c, most->stack));
		cp_cause_where(c, x, most->where);
		cp_cause_say(x, ": coldperf offcpu");
		return;
	}
	cp_cause_say(x,
	    switches ? "where it waited, and for what: coldperf offcpu"
	    : switches_sampled(c->run)
		? "what it waited for is not known, because -F was given for "
		  "the switches, too, and not each was recorded; this records "
		  "each: " RECORD
		: "what it waited for was not recorded; this records "
		  "it: " RECORD);
}

static int
compare(const void *va, const void *vb)
{
	const struct cp_cause *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return strcmp(a->text, b->text);
}

bool
cp_causes_find(struct cp_causes *c, const struct cp_causes_of *of,
    struct cp_brief_lines *l)
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
		find_idle(c, of->event, of->switches);
	}
	if (c->n != 0)
		qsort(c->all, c->n, sizeof(*c->all), compare);
	for (uint32_t i = 0; i < c->n && i < SHOWN; i++)
		cp_brief_found(l, c->all[i].about, "%s", c->all[i].text);
	return queued || c->programs.found;
}
