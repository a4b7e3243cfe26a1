/* SPDX-License-Identifier: MIT */
#include "analyses/pairs/match.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/common/options.h"

/* Columns of pictures over time, and the first width of one. */
#define COLUMNS 120u
#define FIRST_WIDTH 1000u
#define MAX_ERRNO 4095u
int
cp_pairs_init(struct cp_pairs *p, struct cp_run *run)
{
	const char *slower = cp_run_option(run, "slower");

	p->run = run;
	if (cp_recipes_check(run) != CP_OK)
		return CP_FAIL;
	if (slower != NULL && (p->slower = cp_parse_duration(slower)) == 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--slower wants a duration, as 10ms, not '%.40s'", slower);
		return CP_FAIL;
	}
	cp_lost_waits_init(&p->waits, run, cp_pairs_took, p);
	cp_pair_rows_init(&p->rows, run);
	cp_begun_init(&p->open, run, sizeof(struct cp_pair_open));
	cp_index_init(&p->threads, run);
	cp_index_init(&p->lanes, run);
	cp_buckets_init(&p->lengths, run, COLUMNS, FIRST_WIDTH);
	cp_buckets_init(&p->overlap, run, COLUMNS, FIRST_WIDTH);
	p->stacks = cp_tally_new(run);
	p->unended = cp_tally_new(run);
	return CP_OK;
}

/* --------------------------------------------------- pairs for an analysis */

struct told {
	struct cp_pairs pairs;
	cp_pair_fn fn;
	void *ctx;
};

static void
tell(void *ctx, const struct cp_pairs *p, const struct cp_lost_wait *w)
{
	const struct told *t = ctx;
	const struct cp_pair *thread = &p->threads.all[w->what[1] >> 32];
	struct cp_pair_told told = { .start = w->start,
		.end = w->end,
		.row = w->row,
		.pid = (uint32_t)(thread->a >> 32),
		.tid = (uint32_t)thread->a,
		.cpu = (uint32_t)w->what[1],
		.comm = (cp_string_id)thread->b,
		.stack = (cp_stack_id)w->what[0] };

	t->fn(t->ctx, &told);
}

struct cp_pairs *
cp_pairs_new(struct cp_run *run, cp_pair_fn fn, void *ctx)
{
	struct told *t = cp_run_alloc(run, sizeof(*t));

	*t = (struct told){ .fn = fn, .ctx = ctx };
	if (cp_pairs_init(&t->pairs, run) != CP_OK)
		return NULL;
	t->pairs.also = tell;
	t->pairs.waits.outside = true;
	t->pairs.also_ctx = t;
	return &t->pairs;
}

const char *
cp_pairs_recipe(const struct cp_pairs *p, uint32_t row)
{
	return p->recipes.all[cp_pair_recipe(p, row)].name;
}

/* ------------------------------------------------------------ what is open */

static struct cp_pair_open *
open_at(const struct cp_pairs *p, uint32_t i)
{
	return cp_begun_at(&p->open, i);
}

/* Takes a begin out of its chain and its lane. */
static struct cp_pair_open
take(struct cp_pairs *p, uint32_t *at)
{
	uint32_t i = cp_begun_unlink(&p->open, at);
	struct cp_pair_open open = *open_at(p, i);

	if (open.outer != 0)
		open_at(p, open.outer)->inside = open.inside;
	if (open.inside != 0)
		open_at(p, open.inside)->outer = open.outer;
	else if (open.lane != CP_NO_ID)
		p->innermost[open.lane] = open.outer;
	p->sum[open.recipe].now -= open.kept;
	cp_begun_free(&p->open, i);
	return open;
}

/* Finds the newest with the key, or with FIFO the oldest; NULL: there is none.
 */
static uint32_t *
find(struct cp_pairs *p, uint32_t recipe, const uint64_t *key)
{
	return cp_begun_find(
	    &p->open, key, p->recipes.all[recipe].order == CP_PAIR_FIFO);
}

/*
 * Finds the pair that a begin lies in: the innermost one of its thread or CPU,
 * of whichever recipe, or where the key has neither, the newest of the same
 * key.
 */
static void
nest(struct cp_pairs *p, struct cp_pair_open *o, unsigned kind)
{
	enum cp_pair_order order = p->recipes.all[o->recipe].order;
	const uint32_t *same;

	o->lane = CP_NO_ID;
	o->depth = 1;
	/* What is raised in one softirq runs after it: such waits do not nest.
	 */
	if (order == CP_PAIR_FIFO || order == CP_PAIR_LIFE ||
	    (kind == CP_WORD_CPU && order == CP_PAIR_KEEP))
		return;
	if (kind != CP_WORD_FIELD) {
		o->lane = cp_index_put(&p->lanes, kind, o->begun.key[0]);
		cp_grow_to(p->run, p->innermost, &p->innermost_cap, o->lane);
		o->outer = p->innermost[o->lane];
	} else if (order == CP_PAIR_NEST) {
		same = find(p, o->recipe, o->begun.key);
		if (same != NULL && open_at(p, *same)->inside == 0)
			o->outer = *same;
	}
	if (o->outer != 0)
		o->depth += open_at(p, o->outer)->depth;
}

static void
open_one(struct cp_pairs *p, struct cp_pair_open *o, unsigned kind)
{
	enum cp_pair_order order = p->recipes.all[o->recipe].order;
	struct cp_pair_sum *sum = &p->sum[o->recipe];
	uint32_t *old = order >= CP_PAIR_KEEP ? find(p, o->recipe, o->begun.key)
					      : NULL,
		 i;

	if (old != NULL && order == CP_PAIR_KEEP)
		return;
	if (old != NULL) {
		/* It has ended, and no event says when. */
		struct cp_pair_open was = take(p, old);

		p->replaced += was.kept && was.time <= p->to;
	}
	if (p->open.live == CP_PAIRS_OPEN) {
		p->untracked += o->kept;
		return;
	}
	nest(p, o, kind);
	i = cp_begun_new(&p->open, o);
	cp_begun_link(&p->open, i);
	if (o->outer != 0)
		open_at(p, o->outer)->inside = i;
	if (o->lane != CP_NO_ID)
		p->innermost[o->lane] = i;
	if (!o->kept || o->time > p->to)
		return;
	if (sum->deepest < o->depth)
		sum->deepest = o->depth;
	if (++sum->now > sum->most && cp_run_keeps_time(p->run, o->time)) {
		sum->most = sum->now;
		sum->most_at = o->time;
	}
}

/* -------------------------------------------------------------- events */

/* Returns the text of a field as a string of the run; false: it has none. */
static bool
text_of(struct cp_run *run, const struct cp_field *field,
    const struct cp_sample *s, uint64_t *out)
{
	size_t length;
	const char *text = cp_field_text(field, s, &length);
	char copy[128];

	if (text == NULL)
		return false;
	length = length < sizeof(copy) ? length : sizeof(copy) - 1;
	memcpy(copy, text, length);
	copy[length] = '\0';
	*out = cp_run_intern(run, copy);
	return true;
}

/* Reads the key of a sample; false: it has none, or an "if" does not hold. */
static bool
key_of(struct cp_run *run, const struct cp_pair_use *use,
    const struct cp_sample *s, uint64_t *key)
{
	unsigned n = 0;

	memset(key, 0, CP_BEGUN_KEY * sizeof(*key));
	key[CP_BEGUN_KEY - 1] = use->recipe;
	for (uint32_t i = 0; i < use->n; i++) {
		const struct cp_pair_word *w = &use->word[i];
		uint64_t value = w->kind == CP_WORD_TID ? s->tid : s->cpu;

		if (w->field != NULL && !cp_field_u64(w->field, s, &value) &&
		    !text_of(run, w->field, s, &value))
			return false;
		if (w->kind == CP_WORD_IF) {
			/* a field of 32 bits may be signed */
			if ((value == w->want || (uint32_t)value == w->want) !=
			    w->equal)
				return false;
		} else if (n < CP_BEGUN_KEY - 1)
			key[n++] = value;
	}
	return true;
}

/* Returns the row of what begins. */
static uint32_t
row_of(struct cp_pairs *p, const struct cp_pair_use *use,
    const struct cp_sample *s)
{
	const char *of = p->recipes.all[use->recipe].of;
	enum cp_pair_of kind = CP_PAIR_OF_NONE;
	uint64_t value = 0;

	if (use->common != CP_PAIR_NOT_COMMON) {
		kind = CP_PAIR_OF_PLAIN;
		switch (use->common) {
		case CP_PAIR_PID: value = s->pid; break;
		case CP_PAIR_TID: value = s->tid; break;
		case CP_PAIR_CPU: value = s->cpu; break;
		default:
			kind = CP_PAIR_OF_TEXT;
			value = use->common == CP_PAIR_COMM
				    ? s->comm
				    : cp_run_intern(p->run,
					  cp_cgroup_label(p->run, s->cgroup));
		}
	} else if (use->of != NULL && cp_field_u64(use->of, s, &value)) {
		kind = CP_PAIR_OF_NUMBER;
		if (of[0] == '*') {
			kind = CP_PAIR_OF_CODE;
			value =
			    cp_sample_frame(p->run, s, value, CP_LEVEL_UNKNOWN);
		} else if (strcmp(of, "@call") == 0)
			kind = CP_PAIR_OF_CALL;
	} else if (use->of != NULL && text_of(p->run, use->of, s, &value))
		kind = CP_PAIR_OF_TEXT;
	return cp_pair_rows_put(
	    &p->rows, (uint64_t)kind << 32 | use->recipe, value);
}

static void
begin(struct cp_pairs *p, const struct cp_pair_use *use,
    const struct cp_sample *s)
{
	struct cp_pair_open o = { .time = s->time,
		.recipe = use->recipe,
		.cpu = s->cpu,
		.stack = s->stack };

	if (!key_of(p->run, use, s, o.begun.key))
		return;
	o.row = row_of(p, use, s);
	o.thread =
	    cp_index_put(&p->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	o.kept = s->chosen;
	if (use->value != NULL)
		(void)cp_field_u64(use->value, s, &o.value);
	if (p->recipes.all[o.recipe].order != CP_PAIR_LIFE)
		cp_pair_raw_keep(&o.raw, s);
	open_one(p, &o, use->n != 0 ? use->word[0].kind : CP_WORD_FIELD);
}

static void
end(struct cp_pairs *p, const struct cp_pair_use *use,
    const struct cp_sample *s)
{
	struct cp_pair_open o;
	uint64_t key[CP_BEGUN_KEY], result, fields = 0;
	uint32_t *at;

	if (!key_of(p->run, use, s, key))
		return;
	at = find(p, use->recipe, key);
	if (at == NULL) {
		p->sum[use->recipe].unstarted += s->kept;
		return;
	}
	o = take(p, at);
	if (o.outer != 0)
		open_at(p, o.outer)->inner +=
		    cp_run_kept_ns(p->run, o.time, s->time);
	if (!o.kept)
		return;
	if (use->error != NULL && cp_field_u64(use->error, s, &result) &&
	    cp_run_keeps_some(p->run, o.time, s->time))
		p->rows.all[o.row].errors += -result - 1 < MAX_ERRNO;
	if (s->time > o.time && cp_slowest_takes(&p->slowest, s->time - o.time))
		fields = cp_pair_raw_text(p->run, &o.raw, s);
	cp_lost_waits_add(
	    &p->waits, &(struct cp_lost_wait){ .start = o.time,
			   .end = s->time > o.time ? s->time : o.time,
			   .what = { fields << 32 | o.stack,
			       (uint64_t)o.thread << 32 | o.cpu, o.inner },
			   .row = o.row });
}

int
cp_pairs_sample(struct cp_pairs *p, const struct cp_sample *s)
{
	const struct cp_pair_uses *uses;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	if (p->sum == NULL) {
		cp_run_window(p->run, &p->from, &p->to);
		p->first = s->time > p->from ? s->time : p->from;
		cp_recipes_init(&p->recipes, p->run);
		p->sum =
		    cp_run_alloc(p->run, (p->recipes.n + 1) * sizeof(*p->sum));
	}
	p->last = s->time > p->last ? s->time : p->last;
	cp_lost_waits_sample(&p->waits, s);
	uses = cp_recipes_of(&p->recipes, s);
	if (p->recipes.failed)
		return CP_FAIL;
	if (uses->twice &&
	    cp_sample_repeats(p->run, &p->repeats, uses->kind, s))
		return CP_OK;
	for (uint32_t i = 0; i < uses->n; i++)
		if (uses->all[i].ends)
			end(p, &uses->all[i], s);
		else
			begin(p, &uses->all[i], s);
	return CP_OK;
}

/* Gives up what a thread had begun. */
static void
thread_ends(struct cp_pairs *p, uint32_t tid)
{
	for (uint32_t i = 0; i < p->recipes.n; i++) {
		const uint64_t key[CP_BEGUN_KEY] = { tid, 0, 0, i };
		uint32_t *at;

		while (strcmp(p->recipes.all[i].begin_key, "@tid") == 0 &&
		       (at = find(p, i, key)) != NULL) {
			struct cp_pair_open o = take(p, at);

			cp_pairs_give_up(p, &o);
		}
	}
}

void
cp_pairs_sideband(struct cp_pairs *p, const struct cp_sideband *e)
{
	cp_lost_waits_event(&p->waits, e);
	if (e->kind == CP_SIDE_EXIT && p->open.live != 0)
		thread_ends(p, e->tid);
}

void
cp_pairs_finish(struct cp_pairs *p)
{
	uint32_t hash = 0, *at;

	cp_lost_waits_finish(&p->waits);
	while ((at = cp_begun_from(&p->open, &hash)) != NULL) {
		struct cp_pair_open o = take(p, at);

		cp_pairs_give_up(p, &o);
	}
}

int
cp_pair_begin(struct cp_run *run, void *state)
{
	return cp_pairs_init(state, run);
}

int
cp_pair_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	return cp_pairs_sample(state, s);
}

int
cp_pair_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	cp_pairs_sideband(state, e);
	return CP_OK;
}
