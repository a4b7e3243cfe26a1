/* SPDX-License-Identifier: MIT */
#include "analyses/pairs/match.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/common/options.h"

#define HEADS 65536u
/* Columns of pictures over time, and the first width of one. */
#define COLUMNS 120u
#define FIRST_WIDTH 1000u
#define MAX_ERRNO 4095u
/*
 * Begins looked at for an end: more with one key, or with one hash, are made
 * up, and would take time by their square.
 */
#define MOST_LOOKED 1024u

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
	cp_index_init(&p->rows, run);
	cp_index_init(&p->threads, run);
	cp_index_init(&p->lanes, run);
	cp_buckets_init(&p->lengths, run, COLUMNS, FIRST_WIDTH);
	cp_buckets_init(&p->overlap, run, COLUMNS, FIRST_WIDTH);
	p->heads = cp_run_alloc(run, HEADS * sizeof(*p->heads));
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

static uint32_t *
head_of(struct cp_pairs *p, uint32_t recipe, const uint64_t key[3])
{
	uint64_t h = recipe;

	for (unsigned i = 0; i < 3; i++)
		h = (h ^ key[i] ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	return &p->heads[(h >> 40) % HEADS];
}

/* Takes a slot out of its chain and its lane, and gives it back. */
static struct cp_pair_open
take(struct cp_pairs *p, uint32_t *at)
{
	uint32_t i = *at - 1;
	struct cp_pair_open open = p->open[i];

	*at = open.next;
	if (open.outer != 0)
		p->open[open.outer - 1].inside = open.inside;
	if (open.inside != 0)
		p->open[open.inside - 1].outer = open.outer;
	else if (open.lane != CP_NO_ID)
		p->innermost[open.lane] = open.outer;
	p->sum[open.recipe].now -= open.kept;
	p->open[i].next = p->unused;
	p->unused = i + 1;
	p->live--;
	return open;
}

/* Finds the newest with the key, or with FIFO the oldest; NULL: there is none.
 */
static uint32_t *
find(struct cp_pairs *p, uint32_t recipe, const uint64_t key[3])
{
	bool oldest = p->recipes.all[recipe].order == CP_PAIR_FIFO;
	uint32_t *found = NULL, looked = 0;

	/* The newest is first in its chain. */
	for (uint32_t *at = head_of(p, recipe, key);
	     *at != 0 && looked++ < MOST_LOOKED; at = &p->open[*at - 1].next) {
		const struct cp_pair_open *o = &p->open[*at - 1];

		if (o->recipe != recipe || memcmp(o->key, key, sizeof(o->key)))
			continue;
		found = at;
		if (!oldest)
			break;
	}
	return found;
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
		o->lane = cp_index_put(&p->lanes, kind, o->key[0]);
		cp_grow_to(p->run, p->innermost, &p->innermost_cap, o->lane);
		o->outer = p->innermost[o->lane];
	} else if (order == CP_PAIR_NEST) {
		same = find(p, o->recipe, o->key);
		if (same != NULL && p->open[*same - 1].inside == 0)
			o->outer = *same;
	}
	if (o->outer != 0)
		o->depth += p->open[o->outer - 1].depth;
}

static void
open_one(struct cp_pairs *p, struct cp_pair_open *o, unsigned kind)
{
	uint32_t *head = head_of(p, o->recipe, o->key), i;
	struct cp_pair_sum *sum = &p->sum[o->recipe];

	if (p->recipes.all[o->recipe].order >= CP_PAIR_KEEP) {
		uint32_t *old = find(p, o->recipe, o->key);
		struct cp_pair_open was;

		if (old != NULL &&
		    p->recipes.all[o->recipe].order == CP_PAIR_KEEP)
			return;
		if (old != NULL) {
			/* It has ended, and no event says when. */
			was = take(p, old);
			p->replaced += was.kept && was.time <= p->to;
		}
	}
	if (p->live == CP_PAIRS_OPEN) {
		p->untracked += o->kept;
		return;
	}
	if (p->unused != 0) {
		i = p->unused - 1;
		p->unused = p->open[i].next;
	} else {
		i = p->n_open++;
		cp_grow_to(p->run, p->open, &p->open_cap, i);
	}
	nest(p, o, kind);
	p->open[i] = *o;
	p->open[i].next = *head;
	*head = i + 1;
	p->live++;
	if (o->outer != 0)
		p->open[o->outer - 1].inside = i + 1;
	if (o->lane != CP_NO_ID)
		p->innermost[o->lane] = i + 1;
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
    const struct cp_sample *s, uint64_t key[3])
{
	unsigned n = 0;

	memset(key, 0, 3 * sizeof(*key));
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
		} else if (n < 3)
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
	uint32_t row;

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
	row = cp_index_put(&p->rows, (uint64_t)kind << 32 | use->recipe, value);
	cp_grow_to(p->run, p->row, &p->row_cap, row);
	return row;
}

static void
begin(struct cp_pairs *p, const struct cp_pair_use *use,
    const struct cp_sample *s)
{
	struct cp_pair_open o = { .time = s->time,
		.recipe = use->recipe,
		.cpu = s->cpu,
		.evsel = s->evsel,
		.stack = s->stack };

	if (!key_of(p->run, use, s, o.key))
		return;
	o.row = row_of(p, use, s);
	o.thread =
	    cp_index_put(&p->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	o.kept = s->chosen;
	if (use->value != NULL)
		(void)cp_field_u64(use->value, s, &o.value);
	if (s->raw != NULL && p->recipes.all[o.recipe].order != CP_PAIR_LIFE) {
		o.raw_size = (uint8_t)(s->raw_size < CP_PAIR_RAW ? s->raw_size
								 : CP_PAIR_RAW);
		memcpy(o.raw, s->raw, o.raw_size);
	}
	open_one(p, &o, use->n != 0 ? use->word[0].kind : CP_WORD_FIELD);
}

/* Returns the fields of a begin as text if it may be one of the slowest. */
static cp_string_id
fields_of(struct cp_pairs *p, const struct cp_pair_open *o,
    const struct cp_sample *ends)
{
	struct cp_sample begin = *ends;
	const char *text;
	size_t n;

	if (o->raw_size == 0 ||
	    (p->n_slow == CP_PAIRS_SLOWEST &&
		ends->time - o->time <= p->slow[p->n_slow - 1].ns))
		return 0;
	begin.evsel = o->evsel;
	begin.raw = o->raw;
	begin.raw_size = o->raw_size;
	text = cp_sample_payload(p->run, &begin, &n);
	return text != NULL ? cp_run_intern(p->run, text) : 0;
}

static void
end(struct cp_pairs *p, const struct cp_pair_use *use,
    const struct cp_sample *s)
{
	struct cp_pair_open o;
	uint64_t key[3], result, fields = 0;
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
		p->open[o.outer - 1].inner +=
		    cp_run_kept_ns(p->run, o.time, s->time);
	if (!o.kept)
		return;
	if (use->error != NULL && cp_field_u64(use->error, s, &result) &&
	    cp_run_keeps_some(p->run, o.time, s->time))
		p->row[o.row].errors += -result - 1 < MAX_ERRNO;
	if (s->time > o.time)
		fields = fields_of(p, &o, s);
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
	const uint64_t key[3] = { tid };

	for (uint32_t i = 0; i < p->recipes.n; i++) {
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
	if (e->kind == CP_SIDE_EXIT && p->live != 0)
		thread_ends(p, e->tid);
}

void
cp_pairs_finish(struct cp_pairs *p)
{
	cp_lost_waits_finish(&p->waits);
	for (uint32_t h = 0; h < HEADS && p->live != 0; h++)
		while (p->heads[h] != 0) {
			struct cp_pair_open o = take(p, &p->heads[h]);

			cp_pairs_give_up(p, &o);
		}
}
