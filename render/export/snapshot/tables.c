/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/tables.h"

#include "base/snapshot-columns.h"

#define FIELD(type, field)                                                     \
	.at = offsetof(struct type, field),                                    \
	.size = sizeof(((struct type *)0)->field)
#define PLAIN(kind_, type, field) .kind = CP_COLUMN_##kind_, FIELD(type, field)
#define WORD(list, type, field)                                                \
	.kind = CP_COLUMN_WORD, FIELD(type, field), .words = (list),           \
	.n_words = CP_ARRAY_LEN(list)

/* By the kind that base/snapshot-columns.h tells. */
#define AS_ROW(type, field) .kind = CP_COLUMN_ROW
#define AS_I32(type, field) PLAIN(I32, type, field)
#define AS_I64(type, field) PLAIN(I64, type, field)
#define AS_DELTA32(type, field) PLAIN(DELTA32, type, field)
#define AS_DELTA64(type, field) PLAIN(DELTA64, type, field)
#define AS_DOUBLE(type, field) PLAIN(DOUBLE, type, field)
#define AS_TEXT(type, field) PLAIN(TEXT, type, field)
#define AS_LEVEL(type, field) WORD(cp_snapshot_levels, type, field)
#define AS_KIND(type, field) WORD(cp_snapshot_kinds, type, field)
#define AS_SOURCE(type, field) WORD(cp_snapshot_sources, type, field)
#define AS_TRUST(type, field) WORD(cp_snapshot_trusts, type, field)
#define AS_STATE(type, field) WORD(cp_snapshot_states, type, field)
#define AS_MARK(type, field) WORD(cp_snapshot_marks, type, field)
#define AS_END(type, field) WORD(cp_snapshot_ends, type, field)
#define AS_BUILD_ID(type, field) .kind = CP_COLUMN_MADE, .text = put_build_id

#define COLUMN(type, name_, kind_, field)                                      \
	{                                                                      \
		.name = #name_, AS_##kind_(type, field)                        \
	}

static void
put_build_id(struct cp_buf *b, const void *row)
{
	const struct cp_profile_object *o = row;

	cp_buf_hex_of(b, o->build_id, o->build_id_size);
}

#define SAMPLE(name, kind, field, about)                                       \
	COLUMN(cp_profile_sample, name, kind, field),
static const struct cp_parquet_column samples[] = { CP_SNAPSHOT_COLUMNS_samples(
    SAMPLE) };

#define STACK(name, kind, field, about)                                        \
	COLUMN(cp_profile_stack, name, kind, field),
static const struct cp_parquet_column stacks[] = { CP_SNAPSHOT_COLUMNS_stacks(
    STACK) };

#define FRAME(name, kind, field, about)                                        \
	COLUMN(cp_profile_frame, name, kind, field),
static const struct cp_parquet_column frames[] = { CP_SNAPSHOT_COLUMNS_frames(
    FRAME) };

#define SYMBOL(name, kind, field, about)                                       \
	COLUMN(cp_profile_symbol, name, kind, field),
static const struct cp_parquet_column symbols[] = { CP_SNAPSHOT_COLUMNS_symbols(
    SYMBOL) };

#define SPOT(name, kind, field, about)                                         \
	COLUMN(cp_snapshot_spot, name, kind, field),
static const struct cp_parquet_column spots[] = { CP_SNAPSHOT_COLUMNS_spots(
    SPOT) };

#define OBJECT(name, kind, field, about)                                       \
	COLUMN(cp_profile_object, name, kind, field),
static const struct cp_parquet_column objects[] = { CP_SNAPSHOT_COLUMNS_objects(
    OBJECT) };

#define THREAD(name, kind, field, about)                                       \
	COLUMN(cp_profile_thread, name, kind, field),
static const struct cp_parquet_column threads[] = { CP_SNAPSHOT_COLUMNS_threads(
    THREAD) };

#define EVENT(name, kind, field, about)                                        \
	COLUMN(cp_profile_event, name, kind, field),
static const struct cp_parquet_column events[] = { CP_SNAPSHOT_COLUMNS_events(
    EVENT) };

#define CONTEXT(name, kind, field, about)                                      \
	COLUMN(cp_profile_context, name, kind, field),
static const struct cp_parquet_column contexts[] = {
	CP_SNAPSHOT_COLUMNS_contexts(CONTEXT)
};

#define STATE(name, kind, field, about)                                        \
	COLUMN(cp_profile_state, name, kind, field),
static const struct cp_parquet_column states[] = { CP_SNAPSHOT_COLUMNS_states(
    STATE) };

#define MARK(name, kind, field, about)                                         \
	COLUMN(cp_profile_mark, name, kind, field),
static const struct cp_parquet_column marks[] = { CP_SNAPSHOT_COLUMNS_marks(
    MARK) };

#define FACT(name, kind, field, about)                                         \
	COLUMN(cp_snapshot_fact, name, kind, field),
static const struct cp_parquet_column quality[] = { CP_SNAPSHOT_COLUMNS_quality(
    FACT) };

#define CAPTURE(name, kind, field, about)                                      \
	COLUMN(cp_report_origin, name, kind, field),
static const struct cp_parquet_column captures[] = {
	CP_SNAPSHOT_COLUMNS_captures(CAPTURE)
};

static void
make_spots(struct cp_snapshot_tables *t, const struct cp_profile *p)
{
	for (uint32_t i = 0; i < p->frames.len; i++) {
		const struct cp_profile_frame *f = &p->frames.data[i];

		for (uint32_t k = 0; k < f->spots; k++) {
			const struct cp_profile_spot *s =
			    &p->spots.data[f->first_spot + k];

			*cp_vec_push(&t->spots) = (struct cp_snapshot_spot){ i,
				k, s->symbol, s->file, s->line, s->column };
		}
	}
}

static void
make_facts(struct cp_snapshot_tables *t, const struct cp_report *r)
{
	const struct cp_section *s = cp_report_find(r, "quality");

	if (s == NULL || s->type != CP_SECTION_SCALARS)
		return;
	for (size_t i = 0; i < s->scalars.len; i++) {
		const struct cp_scalar *c = &s->scalars.data[i];
		bool share = c->type == CP_COL_SHARE;

		*cp_vec_push(&t->facts) = (struct cp_snapshot_fact){ c->key,
			share ? 0 : c->value.u64, share ? c->value.value : 0 };
	}
}

#define TABLE(name_, vec, about_)                                              \
	{                                                                      \
		.name = #name_, .about = about_, .columns = name_,             \
		.n_columns = CP_ARRAY_LEN(name_), .base = (vec).data,          \
		.stride = sizeof(*(vec).data), .rows = (vec).len               \
	}

void
cp_snapshot_samples(
    struct cp_parquet_table *t, const void *const *columns, size_t rows)
{
	_Static_assert(CP_ARRAY_LEN(samples) == CP_SNAPSHOT_SAMPLE_COLUMNS,
	    "each column has its values");
	*t = (struct cp_parquet_table){ .name = "samples",
		.about = "in the order of time",
		.columns = samples,
		.n_columns = CP_ARRAY_LEN(samples),
		.bases = columns,
		.rows = rows };
}

void
cp_snapshot_tables(struct cp_snapshot_tables *t, const struct cp_report *r,
    const struct cp_profile *p)
{
	const void *sample[] = { p->time.data, p->weight.data, p->stack.data,
		p->thread.data, p->event.data, p->cpu.data, p->context.data };

	*t = (struct cp_snapshot_tables){ .spots = { 0 } };
	make_spots(t, p);
	make_facts(t, r);
	memcpy(t->sample, sample, sizeof(sample));
	const struct cp_parquet_table all[CP_SNAPSHOT_TABLES] = {
		TABLE(events, p->events, "events that were sampled"),
		TABLE(objects, p->objects, "files and the kernel; row 0: none"),
		TABLE(symbols, p->symbols, "functions; row 0: none"),
		TABLE(frames, p->frames, "code addresses; row 0: none"),
		TABLE(spots, t->spots, "functions and lines of frames"),
		TABLE(stacks, p->stacks, "a tree of frames; row 0: none"),
		TABLE(threads, p->threads, "threads by name"),
		{ .name = "samples" },
		TABLE(contexts, p->contexts,
		    "cgroup and end of unwinding; row 0: none"),
		TABLE(states, p->states, "states of threads over time"),
		TABLE(marks, p->marks,
		    "fork, exit, losses and other single moments"),
		TABLE(quality, t->facts, "the account of coldperf quality"),
		TABLE(captures, r->origins, "the captures that were added up"),
	};
	memcpy(t->table, all, sizeof(all));
	for (size_t i = 0; i < CP_SNAPSHOT_TABLES; i++)
		if (t->table[i].columns == NULL)
			cp_snapshot_samples(
			    &t->table[i], t->sample, cp_profile_samples(p));
}

void
cp_snapshot_tables_free(struct cp_snapshot_tables *t)
{
	cp_vec_free(&t->spots);
	cp_vec_free(&t->facts);
}
