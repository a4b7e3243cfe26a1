/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/tables.h"

#include "render/export/snapshot/words.h"

#define FIELD(type, field)                                                     \
	.at = offsetof(struct type, field),                                    \
	.size = sizeof(((struct type *)0)->field)
#define WORDS(list) .words = (list), .n_words = CP_ARRAY_LEN(list)
#define COLUMN(name_, kind_, type, field, about_)                              \
	{                                                                      \
		.name = name_, .kind = CP_COLUMN_##kind_, FIELD(type, field),  \
		.about = about_                                                \
	}
#define WORD(name_, type, field, list, about_)                                 \
	{                                                                      \
		.name = name_, .kind = CP_COLUMN_WORD, FIELD(type, field),     \
		WORDS(list), .about = about_                                   \
	}
#define ROW(name_)                                                             \
	{                                                                      \
		.name = name_, .kind = CP_COLUMN_ROW,                          \
		.about = "the row's number"                                    \
	}

#define SAMPLE(name_, kind_, field, about_)                                    \
	COLUMN(name_, kind_, cp_profile_sample, field, about_)
static const struct cp_parquet_column samples[] = {
	SAMPLE("time_ns", DELTA64, time, "the capture's clock; -1: none"),
	SAMPLE("weight", I64, weight, "in the unit of the event"),
	SAMPLE("stack", I32, stack, "row of stacks; 0: none"),
	SAMPLE("thread", I32, thread, "row of threads; -1: none"),
	SAMPLE("event", I32, event, "row of events"),
	SAMPLE("cpu", I32, cpu, "-1: not recorded"),
};

#define STACK(name_, kind_, field, about_)                                     \
	COLUMN(name_, kind_, cp_profile_stack, field, about_)
static const struct cp_parquet_column stacks[] = {
	ROW("stack"),
	STACK("parent", DELTA32, parent, "row of stacks; 0: outermost"),
	STACK("frame", DELTA32, frame, "row of frames"),
};

#define FRAME(name_, kind_, field, about_)                                     \
	COLUMN(name_, kind_, cp_profile_frame, field, about_)
static const struct cp_parquet_column frames[] = {
	ROW("frame"),
	FRAME("object", I32, object, "row of objects; 0: in no mapping"),
	FRAME("addr", I64, addr, "offset in the object's file"),
	FRAME("vaddr", I64, vaddr, "as objdump shows it; -1: not known"),
	FRAME("symbol", I32, symbol, "row of symbols; 0: no name"),
	WORD("level", cp_profile_frame, level, cp_snapshot_levels,
	    "kernel, user ..."),
	FRAME("flags", I32, flags, "1 a return address, 2, 16, 32 guessed"),
};

#define SYMBOL(name_, kind_, field, about_)                                    \
	COLUMN(name_, kind_, cp_profile_symbol, field, about_)
static const struct cp_parquet_column symbols[] = {
	ROW("symbol"),
	SYMBOL("name", TEXT, name, "demangled"),
	SYMBOL("raw", TEXT, raw, "as in the object"),
	SYMBOL("object", I32, object, "row of objects"),
	SYMBOL("start", I64, start, "in the terms of frames.addr"),
	SYMBOL("end", I64, end, "the first address after it"),
	WORD("source", cp_profile_symbol, source, cp_snapshot_sources,
	    "what named it"),
	WORD("trust", cp_profile_symbol, trust, cp_snapshot_trusts,
	    "how sure that is"),
};

#define SPOT(name_, kind_, field, about_)                                      \
	COLUMN(name_, kind_, cp_snapshot_spot, field, about_)
static const struct cp_parquet_column spots[] = {
	SPOT("frame", DELTA32, frame, "row of frames"),
	SPOT("depth", I32, depth, "0: outermost; others are inlined"),
	SPOT("symbol", I32, symbol, "row of symbols; 0: no name"),
	SPOT("file", TEXT, file, "source file"),
	SPOT("line", I32, line, "0: not known"),
	SPOT("column", I32, column, "0: not known"),
};

static void
put_build_id(struct cp_buf *b, const void *row)
{
	const struct cp_profile_object *o = row;

	cp_buf_hex_of(b, o->build_id, o->build_id_size);
}

#define OBJECT(name_, kind_, field, about_)                                    \
	COLUMN(name_, kind_, cp_profile_object, field, about_)
static const struct cp_parquet_column objects[] = {
	ROW("object"),
	OBJECT("name", TEXT, name, "the recorded path"),
	WORD("kind", cp_profile_object, kind, cp_snapshot_kinds,
	    "file, kernel, module ..."),
	WORD("level", cp_profile_object, level, cp_snapshot_levels,
	    "kernel, user"),
	{ .name = "build_id",
	    .kind = CP_COLUMN_MADE,
	    .text = put_build_id,
	    .about = "hexadecimal; empty: none was recorded" },
	WORD("source", cp_profile_object, source, cp_snapshot_sources,
	    "what named most of it"),
	WORD("trust", cp_profile_object, trust, cp_snapshot_trusts,
	    "how sure that is"),
	OBJECT("pid", I32, pid, "of a JIT map"),
	OBJECT("base", I64, base, "of the kernel's text; 0: not known"),
	OBJECT("file", TEXT, file, "where its names were read"),
	OBJECT("symbols", I64, symbols, "in that file"),
	OBJECT("found", I32, found, "1 its code, 2 another build, 4 damaged"),
};

#define THREAD(name_, kind_, field, about_)                                    \
	COLUMN(name_, kind_, cp_profile_thread, field, about_)
static const struct cp_parquet_column threads[] = {
	ROW("thread"),
	THREAD("pid", I32, pid, "-1: not recorded"),
	THREAD("tid", I32, tid, "-1: not recorded"),
	THREAD("comm", TEXT, name, "a row for each name that it had"),
	THREAD("process", TEXT, process, "comm of its first thread"),
	THREAD("start_ns", I64, start, "FORK; -1: not recorded"),
	THREAD("end_ns", I64, end, "EXIT; -1: not recorded"),
};

#define EVENT(name_, kind_, field, about_)                                     \
	COLUMN(name_, kind_, cp_profile_event, field, about_)
static const struct cp_parquet_column events[] = {
	ROW("event"),
	EVENT("name", TEXT, name, "as perf calls it"),
	EVENT("unit", TEXT, unit, "of weights: ns, cycles, samples ..."),
	EVENT("type", I32, type, "PERF_TYPE_*"),
	EVENT("config", I64, config, "perf_event_attr.config"),
	EVENT("period", I64, period, "a sample each, or Hz"),
	EVENT("freq", I32, freq, "1: period is in Hz"),
	EVENT("clock", I32, clock, "1: weights are ns of CPU time"),
	EVENT("complete", I32, complete, "1: all that happened"),
	EVENT("samples", I64, samples, "rows of samples"),
	EVENT("weight", I64, weight, "their sum"),
	EVENT("lost", I64, lost, "records lost"),
	EVENT("lost_samples", I64, lost_samples, "samples lost"),
	EVENT("throttled", I64, throttled, "times"),
};

#define STATE(name_, kind_, field, about_)                                     \
	COLUMN(name_, kind_, cp_profile_state, field, about_)
static const struct cp_parquet_column states[] = {
	STATE("from_ns", DELTA64, from, "the capture's clock"),
	STATE("to_ns", DELTA64, to, "the capture's clock"),
	STATE("thread", I32, thread, "row of threads"),
	STATE("cpu", I32, cpu, "where it ran, else -1"),
	WORD("state", cp_profile_state, tone, cp_snapshot_states,
	    "running, runnable, blocked ..."),
	STATE("reason", TEXT, reason, "disk, futex, preempted ..."),
	STATE("stack", I32, stack, "where it stopped; 0: none"),
	STATE("waker", I32, waker, "row of threads; -1: not known"),
};

#define MARK(name_, kind_, field, about_)                                      \
	COLUMN(name_, kind_, cp_profile_mark, field, about_)
static const struct cp_parquet_column marks[] = {
	MARK("time_ns", DELTA64, time, "the capture's clock; -1: none"),
	MARK("thread", I32, thread, "row of threads; -1: none"),
	MARK("cpu", I32, cpu, "-1: none"),
	WORD("kind", cp_profile_mark, kind, cp_snapshot_marks,
	    "fork, exit, comm, lost, throttle ..."),
	MARK("count", I64, count, "lost: records or samples"),
	MARK("text", TEXT, text, "comm: the new name"),
};

#define FACT(name_, kind_, field, about_)                                      \
	COLUMN(name_, kind_, cp_snapshot_fact, field, about_)
static const struct cp_parquet_column quality[] = {
	FACT("key", TEXT, key, "as in coldperf quality"),
	FACT("count", I64, count, "0 for a share"),
	FACT("share", DOUBLE, share, "0 to 1; 0 for a count"),
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
cp_snapshot_tables(struct cp_snapshot_tables *t, const struct cp_report *r,
    const struct cp_profile *p)
{
	const void *sample[] = { p->time.data, p->weight.data, p->stack.data,
		p->thread.data, p->event.data, p->cpu.data };

	*t = (struct cp_snapshot_tables){ .spots = { 0 } };
	make_spots(t, p);
	make_facts(t, r);
	memcpy(t->sample, sample, sizeof(sample));
	const struct cp_parquet_table all[CP_SNAPSHOT_TABLES] = {
		TABLE(events, p->events, "what was measured"),
		TABLE(objects, p->objects, "files and the kernel; row 0: none"),
		TABLE(symbols, p->symbols, "functions; row 0: none"),
		TABLE(frames, p->frames, "code addresses; row 0: none"),
		TABLE(spots, t->spots, "functions and lines of frames"),
		TABLE(stacks, p->stacks, "a tree of frames; row 0: none"),
		TABLE(threads, p->threads, "threads by name"),
		{ .name = "samples",
		    .about = "in the order of time",
		    .columns = samples,
		    .n_columns = CP_ARRAY_LEN(samples),
		    .bases = t->sample,
		    .rows = cp_profile_samples(p) },
		TABLE(states, p->states, "what threads did when"),
		TABLE(marks, p->marks, "what happened at one moment"),
		TABLE(quality, t->facts, "what was lost, skipped, guessed"),
	};
	memcpy(t->table, all, sizeof(all));
}

void
cp_snapshot_tables_free(struct cp_snapshot_tables *t)
{
	cp_vec_free(&t->spots);
	cp_vec_free(&t->facts);
}
