/* SPDX-License-Identifier: MIT */
/*
 * docs/page-format.md lists the columns; change both together.
 */
#include "render/page/page.h"

#include "render/page/strings.h"

struct tables {
	struct cp_page_columns *c;
	const struct cp_profile *p;
	struct cp_page_strings strings;
	uint64_t from;
};

/* A column of n numbers, each an expression of its index i. */
#define COLUMN(t, name, type, how, n, value)                                   \
	do {                                                                   \
		uint64_t *v_ = cp_page_values((t)->c, (n));                    \
                                                                               \
		for (size_t i = 0; i < (n); i++)                               \
			v_[i] = (value);                                       \
		cp_page_column((t)->c, name, CP_PAGE_##type, how, (n));        \
	} while (0)
/* A column of a vector of rows. */
#define FIELD(t, table, type, how, field)                                      \
	COLUMN(t, #table "." #field, type, how, (t)->p->table.len,             \
	    (t)->p->table.data[i].field)
#define TEXT(t, table, field)                                                  \
	COLUMN(t, #table "." #field, U32, CP_PAGE_PLAIN, (t)->p->table.len,    \
	    cp_page_string(&(t)->strings, (t)->p->table.data[i].field))
#define MOMENT(t, table, how, field)                                           \
	COLUMN(t, #table "." #field, F64, (how) | CP_PAGE_MORE,                \
	    (t)->p->table.len, since(t, (t)->p->table.data[i].field))

/* Threads and marks may be older than what a page begins with. */
static uint64_t
since(const struct tables *t, uint64_t time)
{
	if (time >= CP_PAGE_NO_TIME)
		return CP_NO_TIME;
	return time > t->from ? time - t->from : 0;
}

static uint64_t
length_of(const struct cp_profile_capture *c)
{
	return c->start < CP_PAGE_NO_TIME && c->start <= c->end
		   ? c->end - c->start
		   : CP_NO_TIME;
}

static void
put_objects(struct tables *t)
{
	TEXT(t, objects, name);
	TEXT(t, objects, nickname);
	FIELD(t, objects, U32, CP_PAGE_PLAIN, kind);
	FIELD(t, objects, U32, CP_PAGE_PLAIN, level);
	COLUMN(t, "objects.buildId", U32, CP_PAGE_PLAIN, t->p->objects.len,
	    cp_page_hex(&t->strings, t->p->objects.data[i].build_id,
		t->p->objects.data[i].build_id_size));
	FIELD(t, objects, U32, CP_PAGE_PLAIN, source);
	FIELD(t, objects, U32, CP_PAGE_PLAIN, trust);
	FIELD(t, objects, U32, CP_PAGE_MORE, pid);
	FIELD(t, objects, U64, CP_PAGE_PLAIN, base);
	TEXT(t, objects, file);
	FIELD(t, objects, U32, CP_PAGE_PLAIN, id);
	TEXT(t, objects, reason);
}

static void
put_symbols(struct tables *t)
{
	TEXT(t, symbols, name);
	TEXT(t, symbols, raw);
	TEXT(t, symbols, label);
	FIELD(t, symbols, U32, CP_PAGE_PLAIN, object);
	FIELD(t, symbols, U64, CP_PAGE_PLAIN, start);
	FIELD(t, symbols, U64, CP_PAGE_PLAIN, end);
	FIELD(t, symbols, U32, CP_PAGE_PLAIN, source);
	FIELD(t, symbols, U32, CP_PAGE_PLAIN, trust);
	FIELD(t, spots, U32, CP_PAGE_PLAIN, symbol);
	TEXT(t, spots, file);
	FIELD(t, spots, U32, CP_PAGE_PLAIN, line);
	FIELD(t, spots, U32, CP_PAGE_PLAIN, column);
}

static void
put_frames(struct tables *t)
{
	FIELD(t, frames, U64, CP_PAGE_PLAIN, addr);
	FIELD(t, frames, U64, CP_PAGE_MORE, vaddr);
	FIELD(t, frames, U32, CP_PAGE_PLAIN, object);
	FIELD(t, frames, U32, CP_PAGE_PLAIN, symbol);
	COLUMN(t, "frames.firstSpot", U32, CP_PAGE_DELTA, t->p->frames.len,
	    t->p->frames.data[i].first_spot);
	FIELD(t, frames, U32, CP_PAGE_PLAIN, spots);
	FIELD(t, frames, U32, CP_PAGE_PLAIN, level);
	FIELD(t, frames, U32, CP_PAGE_PLAIN, flags);
	FIELD(t, stacks, U32, CP_PAGE_BACK, parent);
	FIELD(t, stacks, U32, CP_PAGE_PLAIN, frame);
}

static void
put_threads(struct tables *t)
{
	FIELD(t, threads, U32, CP_PAGE_MORE, pid);
	FIELD(t, threads, U32, CP_PAGE_MORE, tid);
	TEXT(t, threads, name);
	TEXT(t, threads, process);
	MOMENT(t, threads, 0, start);
	MOMENT(t, threads, 0, end);
}

static void
put_events(struct tables *t)
{
	TEXT(t, events, name);
	TEXT(t, events, unit);
	FIELD(t, events, U32, CP_PAGE_PLAIN, type);
	FIELD(t, events, U64, CP_PAGE_PLAIN, config);
	FIELD(t, events, F64, CP_PAGE_PLAIN, period);
	FIELD(t, events, U32, CP_PAGE_PLAIN, freq);
	FIELD(t, events, U32, CP_PAGE_PLAIN, clock);
	FIELD(t, events, U32, CP_PAGE_PLAIN, complete);
	FIELD(t, events, F64, CP_PAGE_PLAIN, samples);
	FIELD(t, events, F64, CP_PAGE_PLAIN, weight);
	FIELD(t, events, F64, CP_PAGE_PLAIN, lost);
	COLUMN(t, "events.lostSamples", F64, CP_PAGE_PLAIN, t->p->events.len,
	    t->p->events.data[i].lost_samples);
	FIELD(t, events, F64, CP_PAGE_PLAIN, throttled);
}

static void
put_marks(struct tables *t)
{
	MOMENT(t, marks, CP_PAGE_DELTA, time);
	FIELD(t, marks, U32, CP_PAGE_MORE, thread);
	FIELD(t, marks, U32, CP_PAGE_MORE, cpu);
	FIELD(t, marks, U32, CP_PAGE_PLAIN, kind);
	FIELD(t, marks, F64, CP_PAGE_PLAIN, count);
	TEXT(t, marks, text);
	MOMENT(t, states, CP_PAGE_DELTA, from);
	MOMENT(t, states, CP_PAGE_DELTA, to);
	FIELD(t, states, U32, CP_PAGE_PLAIN, thread);
	FIELD(t, states, U32, CP_PAGE_MORE, cpu);
	FIELD(t, states, U32, CP_PAGE_PLAIN, tone);
	FIELD(t, states, U32, CP_PAGE_PLAIN, stack);
	FIELD(t, states, U32, CP_PAGE_MORE, waker);
	TEXT(t, states, reason);
}

/* Where there are several, each thread and event is of one. */
static void
put_captures(struct tables *t)
{
	if (t->p->captures.len == 0)
		return;
	TEXT(t, captures, name);
	COLUMN(t, "captures.length", F64, CP_PAGE_MORE, t->p->captures.len,
	    length_of(&t->p->captures.data[i]));
	FIELD(t, threads, U32, CP_PAGE_DELTA, capture);
	FIELD(t, events, U32, CP_PAGE_DELTA, capture);
}

static bool
has_labels(const struct cp_profile *p)
{
	for (size_t i = 0; i < p->contexts.len; i++)
		if (p->contexts.data[i].labels != NULL)
			return p->context.len != 0;
	return false;
}

static void
put_samples(struct tables *t, const struct cp_page_samples *s)
{
	COLUMN(t, "samples.time", F64, CP_PAGE_DELTA | CP_PAGE_MORE, s->n,
	    since(t, s->time[i]));
	COLUMN(t, "samples.weight", F64, CP_PAGE_PLAIN, s->n, s->weight[i]);
	COLUMN(t, "samples.stack", U32,
	    s->width != 0 ? CP_PAGE_DELTA : CP_PAGE_PLAIN, s->n, s->stack[i]);
	COLUMN(t, "samples.thread", U32, CP_PAGE_PLAIN, s->n, s->thread[i]);
	COLUMN(t, "samples.event", U32, CP_PAGE_PLAIN, s->n, s->event[i]);
	COLUMN(t, "samples.cpu", U32, CP_PAGE_MORE, s->n, s->cpu[i]);
	if (s->count == NULL && has_labels(t->p))
		COLUMN(t, "samples.labels", U32, CP_PAGE_PLAIN, s->n,
		    cp_page_string(&t->strings,
			t->p->contexts.data[t->p->context.data[i]].labels));
	if (s->count != NULL)
		COLUMN(
		    t, "samples.count", U32, CP_PAGE_PLAIN, s->n, s->count[i]);
}

void
cp_page_tables(struct cp_page_columns *c, const struct cp_profile *p,
    const struct cp_page_samples *samples, uint64_t from)
{
	struct tables t = { .c = c, .p = p, .from = from };

	put_objects(&t);
	put_symbols(&t);
	put_frames(&t);
	put_threads(&t);
	put_events(&t);
	put_marks(&t);
	put_captures(&t);
	put_samples(&t, samples);
	cp_page_strings_put(&t.strings, c);
	cp_page_strings_free(&t.strings);
}
