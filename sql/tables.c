/* SPDX-License-Identifier: MIT */
/*
 * tables: the columns of each table, in the order of its declaration.
 *
 * Row 0 of objects, symbols, frames, stacks and contexts is no row, and a
 * reference to it is NULL.
 */
#include "sql/tables.h"

#include "base/base.h"
#include "sql/libsqlite.h"
#include "sql/values.h"
#include "sql/views.h"
#include "sql/words.h"

#define ROWS(column)                                                           \
	static size_t rows_of_##column(struct cp_sql_data *d)                  \
	{                                                                      \
		return d->profile->column.len;                                 \
	}
ROWS(time)
ROWS(events)
ROWS(threads)
ROWS(stacks)
ROWS(frames)
ROWS(symbols)
ROWS(spots)
ROWS(objects)
ROWS(contexts)
ROWS(marks)
ROWS(states)

static void
put_sample(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile *p = d->profile;

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, p->time.data[row], CP_NO_TIME); break;
	case 2: cp_sql_u64(ctx, p->weight.data[row]); break;
	case 3: cp_sql_u64(ctx, p->event.data[row]); break;
	case 4: cp_sql_id(ctx, p->thread.data[row], CP_NO_ID); break;
	case 5: cp_sql_id(ctx, p->cpu.data[row], CP_NO_ID); break;
	case 6: cp_sql_id(ctx, p->stack.data[row], 0); break;
	default: cp_sql_id(ctx, cp_profile_context_at(p, row), 0);
	}
}

static void
put_event(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_event *e = &d->profile->events.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_text(ctx, e->name); break;
	case 2: cp_sql_text(ctx, e->unit); break;
	case 3: cp_sql_u64(ctx, e->type); break;
	case 4: cp_sql_address(ctx, e->config); break;
	case 5: cp_sql_id(ctx, e->freq ? 0 : e->period, 0); break;
	case 6: cp_sql_id(ctx, e->freq ? e->period : 0, 0); break;
	case 7: cp_sql_u64(ctx, e->clock); break;
	case 8: cp_sql_u64(ctx, e->complete); break;
	case 9: cp_sql_u64(ctx, e->samples); break;
	case 10: cp_sql_u64(ctx, e->weight); break;
	case 11: cp_sql_u64(ctx, e->lost); break;
	case 12: cp_sql_u64(ctx, e->lost_samples); break;
	default: cp_sql_u64(ctx, e->throttled);
	}
}

static void
put_thread(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_thread *t = &d->profile->threads.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, t->pid, CP_NO_ID); break;
	case 2: cp_sql_id(ctx, t->tid, CP_NO_ID); break;
	case 3: cp_sql_text(ctx, t->name); break;
	case 4: cp_sql_text(ctx, t->process); break;
	case 5: cp_sql_id(ctx, t->start, CP_NO_TIME); break;
	default: cp_sql_id(ctx, t->end, CP_NO_TIME);
	}
}

static void
put_stack(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_stack *s = &d->profile->stacks.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, s->parent, 0); break;
	default: cp_sql_id(ctx, s->frame, 0);
	}
}

/*
 * Writes the offset in the symbol; NULL if the address is below it, which
 * bounds allow.
 */
static void
put_offset(sqlite3_context *ctx, const struct cp_sql_data *d,
    const struct cp_profile_frame *f)
{
	const struct cp_profile_symbol *s =
	    &d->profile->symbols.data[f->symbol];

	if (f->symbol != 0 && f->addr >= s->start)
		cp_sql_u64(ctx, f->addr - s->start);
}

static void
put_frame(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_frame *f = &d->profile->frames.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, f->object, 0); break;
	case 2: cp_sql_id(ctx, f->symbol, 0); break;
	case 3: cp_sql_address(ctx, f->addr); break;
	case 4:
		if (f->vaddr != UINT64_MAX)
			cp_sql_address(ctx, f->vaddr);
		break;
	case 5: put_offset(ctx, d, f); break;
	case 6: cp_sql_text(ctx, cp_sql_level(f->level)); break;
	default: cp_sql_text(ctx, cp_sql_guess(f->flags));
	}
}

static void
put_symbol(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_symbol *s = &d->profile->symbols.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_text(ctx, s->name); break;
	case 2: cp_sql_text(ctx, s->raw); break;
	case 3: cp_sql_id(ctx, s->object, 0); break;
	case 4: cp_sql_address(ctx, s->start); break;
	case 5: cp_sql_address(ctx, s->end); break;
	case 6: cp_sql_text(ctx, cp_source_word(s->source)); break;
	default: cp_sql_text(ctx, cp_trust_word(s->trust));
	}
}

static void
put_spot(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_spot *s = &d->profile->spots.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, d->frame_of_spot[row], 0); break;
	case 2: cp_sql_id(ctx, s->symbol, 0); break;
	case 3: cp_sql_text(ctx, s->file); break;
	case 4: cp_sql_id(ctx, s->line, 0); break;
	default: cp_sql_id(ctx, s->column, 0);
	}
}

static void
spots_of_frame(
    const struct cp_sql_data *d, uint64_t frame, size_t *from, size_t *to)
{
	const struct cp_profile_frame *f;

	*from = *to = 0;
	if (frame == 0 || frame >= d->profile->frames.len)
		return;
	f = &d->profile->frames.data[frame];
	*from = f->first_spot;
	*to = (size_t)f->first_spot + f->spots;
}

static void
put_build_id(sqlite3_context *ctx, const struct cp_profile_object *o)
{
	char text[2 * sizeof(o->build_id) + 1];
	size_t n = CP_MIN(o->build_id_size, sizeof(o->build_id));

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", o->build_id[i]);
	if (n != 0)
		cp_sqlite.result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

static void
put_object(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_object *o = &d->profile->objects.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_text(ctx, o->name); break;
	case 2: cp_sql_text(ctx, cp_sql_kind(o->kind)); break;
	case 3: cp_sql_text(ctx, cp_sql_level(o->level)); break;
	case 4: put_build_id(ctx, o); break;
	case 5: cp_sql_text(ctx, cp_source_word(o->source)); break;
	case 6: cp_sql_text(ctx, cp_trust_word(o->trust)); break;
	case 7: cp_sql_id(ctx, o->pid, CP_NO_ID); break;
	default: cp_sql_text(ctx, o->file);
	}
}

static void
put_context(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_context *c = &d->profile->contexts.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_text(ctx, c->cgroup); break;
	case 2: cp_sql_text(ctx, cp_sql_end(c->unwound)); break;
	default: cp_sql_id(ctx, c->object, 0);
	}
}

static void
put_mark(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_mark *m = &d->profile->marks.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, m->time, CP_NO_TIME); break;
	case 2: cp_sql_id(ctx, m->thread, CP_NO_ID); break;
	case 3: cp_sql_id(ctx, m->cpu, CP_NO_ID); break;
	case 4: cp_sql_text(ctx, cp_sql_mark(m->kind)); break;
	case 5: cp_sql_u64(ctx, m->count); break;
	default: cp_sql_text(ctx, m->text);
	}
}

static void
put_state(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_profile_state *s = &d->profile->states.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, row); break;
	case 1: cp_sql_id(ctx, s->thread, CP_NO_ID); break;
	case 2: cp_sql_id(ctx, s->from, CP_NO_TIME); break;
	case 3: cp_sql_id(ctx, s->to, CP_NO_TIME); break;
	case 4: cp_sql_id(ctx, s->cpu, CP_NO_ID); break;
	case 5: cp_sql_text(ctx, cp_sql_tone(s->tone)); break;
	case 6: cp_sql_id(ctx, s->stack, 0); break;
	case 7: cp_sql_id(ctx, s->waker, CP_NO_ID); break;
	default: cp_sql_text(ctx, s->reason);
	}
}

static size_t
rows_of_facts(struct cp_sql_data *d)
{
	return d->facts.len;
}

static void
put_fact(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_sql_fact *f = &d->facts.data[row];
	const struct cp_value *v = &f->scalar->value;

	if (column == 0)
		cp_sql_text(ctx, f->section);
	else if (column == 1)
		cp_sql_text(ctx, f->scalar->key);
	else if (f->scalar->type == CP_COL_TEXT)
		cp_sql_text(ctx, v->text);
	else if (f->scalar->type == CP_COL_SHARE ||
		 f->scalar->type >= CP_COL_RATE)
		cp_sqlite.result_double(ctx, v->value);
	else if (f->scalar->type == CP_COL_ADDRESS)
		cp_sql_address(ctx, v->u64);
	else if (!cp_value_unknown(f->scalar->type, v))
		cp_sql_u64(ctx, v->u64);
}

static size_t
rows_of_stack_sums(struct cp_sql_data *d)
{
	cp_sql_add_up(d);
	return d->sums.len;
}

static void
put_stack_sum(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_sql_sum *s = &d->sums.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, s->event); break;
	case 1: cp_sql_id(ctx, s->stack, 0); break;
	case 2: cp_sql_u64(ctx, s->samples); break;
	default: cp_sql_u64(ctx, s->weight);
	}
}

static size_t
rows_of_function_sums(struct cp_sql_data *d)
{
	cp_sql_add_up(d);
	return d->functions.len;
}

static void
put_function_sum(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	const struct cp_sql_function *f = &d->functions.data[row];

	switch (column) {
	case 0: cp_sql_u64(ctx, f->event); break;
	case 1: cp_sql_id(ctx, f->symbol, 0); break;
	case 2: cp_sql_id(ctx, f->object, 0); break;
	case 3: cp_sql_u64(ctx, f->self_samples); break;
	case 4: cp_sql_u64(ctx, f->self_weight); break;
	case 5: cp_sql_u64(ctx, f->samples); break;
	default: cp_sql_u64(ctx, f->weight);
	}
}

static size_t
rows_of_tables(struct cp_sql_data *d)
{
	size_t n = 0;

	(void)d;
	while (cp_sql_tables[n].name != NULL)
		n++;
	for (const struct cp_sql_view *v = cp_sql_views; v->name != NULL; v++)
		n++;
	return n;
}

static void
put_table(
    sqlite3_context *ctx, const struct cp_sql_data *d, size_t row, int column)
{
	size_t n = 0;

	(void)d;
	while (cp_sql_tables[n].name != NULL)
		n++;
	if (row < n)
		cp_sql_text(ctx, column == 0 ? cp_sql_tables[row].name
					     : cp_sql_tables[row].columns);
	else
		cp_sql_text(ctx, column == 0 ? cp_sql_views[row - n].name
					     : cp_sql_views[row - n].columns);
}

const struct cp_sql_table cp_sql_tables[] = {
	{ "samples",
	    "id INTEGER, time, weight, event, thread, cpu, stack, context", 0,
	    -1, 0, rows_of_time, put_sample, NULL },
	{ "events",
	    "id INTEGER, name, unit, type, config, period, frequency, clock, "
	    "complete, samples, weight, lost, lost_samples, throttled",
	    0, -1, 0, rows_of_events, put_event, NULL },
	{ "threads", "id INTEGER, pid, tid, name, process, started, ended", 0,
	    -1, 0, rows_of_threads, put_thread, NULL },
	{ "stacks", "id INTEGER, parent, frame", 0, -1, 1, rows_of_stacks,
	    put_stack, NULL },
	{ "frames",
	    "id INTEGER, object, symbol, address, vaddr, symbol_offset, level, "
	    "guess",
	    0, -1, 1, rows_of_frames, put_frame, NULL },
	{ "symbols", "id INTEGER, name, raw, object, low, high, source, trust",
	    0, -1, 1, rows_of_symbols, put_symbol, NULL },
	{ "spots", "id INTEGER, frame INTEGER, symbol, file, line, col", 0, 1,
	    0, rows_of_spots, put_spot, spots_of_frame },
	{ "objects",
	    "id INTEGER, name, kind, level, build_id, source, trust, pid, file",
	    0, -1, 1, rows_of_objects, put_object, NULL },
	{ "contexts", "id INTEGER, cgroup, unwound, object", 0, -1, 1,
	    rows_of_contexts, put_context, NULL },
	{ "marks", "id INTEGER, time, thread, cpu, kind, count, text", 0, -1, 0,
	    rows_of_marks, put_mark, NULL },
	{ "states",
	    "id INTEGER, thread, began, ended, cpu, state, stack, waker, "
	    "reason",
	    0, -1, 0, rows_of_states, put_state, NULL },
	{ "stack_sums", "event, stack, samples, weight", -1, -1, 0,
	    rows_of_stack_sums, put_stack_sum, NULL },
	{ "function_sums",
	    "event, symbol, object, self_samples, self_weight, samples, weight",
	    -1, -1, 0, rows_of_function_sums, put_function_sum, NULL },
	{ "facts", "section, name, value", -1, -1, 0, rows_of_facts, put_fact,
	    NULL },
	{ "tables", "name, columns", -1, -1, 0, rows_of_tables, put_table,
	    NULL },
	{ NULL, NULL, -1, -1, 0, NULL, NULL, NULL },
};
