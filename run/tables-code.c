/* SPDX-License-Identifier: MIT */
/*
 * tables-code: turns a snapshot's tables of code into a run's objects, symbols,
 * frames and stacks.
 */
#include "base/limits.h"
#include "base/parquet/columns.h"
#include "base/redact/names.h"
#include "base/snapshot-columns.h"
#include "run/tables-rows.h"
#include "symbolize/object/snapshot.h"
#include "symbolize/object/symbol-columns.h"

/* Returns the number of a row, 0 if it does not exist. */
static size_t
row_of(int64_t v, size_t n)
{
	return v > 0 && (uint64_t)v < n ? (size_t)v : 0;
}

static uint32_t
object_at(const struct cp_tables *t, int64_t row)
{
	size_t i = row_of(row, t->object.len);

	return i != 0 ? t->object.data[i] : 0;
}

static const struct cp_symbol *
symbol_at(const struct cp_tables *t, int64_t row)
{
	size_t i = row_of(row, t->symbol.len);

	return i != 0 ? t->symbol.data[i] : NULL;
}

static const char *
text_or_null(const char *s)
{
	return s[0] != '\0' ? s : NULL;
}

/* ----------------------------------------------------------------- objects */

/* `gen' keeps each row an object of its own. */
static struct cp_dso_info *
object_new(struct cp_run *run, const char *name, const char *build_id,
    struct cp_dso_key *key, size_t row)
{
	key->name =
	    cp_run_intern(run, cp_tables_shown(run, CP_REDACT_PATH, name));
	key->gen = row;
	key->build_id_size = (uint8_t)cp_hex_read(
	    build_id, strlen(build_id), key->build_id, sizeof(key->build_id));
	return cp_dsos_get(&run->session.dsos, &run->session.strings, key);
}

static struct cp_dso_state
state_of(const char *file, const char *source, const char *trust,
    int64_t symbols, int64_t found)
{
	return (struct cp_dso_state){
		.symbolizer = text_or_null(source),
		.path = text_or_null(file),
		.symbols = (uint64_t)symbols,
		.source = (uint8_t)cp_snapshot_source(source),
		.trust = (uint8_t)cp_snapshot_trust(trust),
		.mismatch = (found & CP_PROFILE_MISMATCH) != 0,
		.damaged = (found & CP_PROFILE_DAMAGED) != 0,
		.code = (found & CP_PROFILE_CODE) != 0,
		.stripped = (found & CP_PROFILE_STRIPPED) != 0,
	};
}

static void
read_objects(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *pid = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(objects, pid)),
		*base =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(objects, base)),
		*symbols =
		    cp_columns_later(t, CP_SNAPSHOT_NUMBER(objects, symbols)),
		*found =
		    cp_columns_later(t, CP_SNAPSHOT_NUMBER(objects, found));
	const char *
	    *name = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, name)),
	   **kind = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, kind)),
	   **level = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, level)),
	   **id = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, build_id)),
	   **source = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, source)),
	   **trust = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, trust)),
	   **file = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, file)),
	   **of = cp_columns_later_texts(t, CP_SNAPSHOT_TEXT(objects, base_of)),
	   **release =
	       cp_columns_later_texts(t, CP_SNAPSHOT_TEXT(objects, release)),
	   **reason =
	       cp_columns_later_texts(t, CP_SNAPSHOT_TEXT(objects, reason));

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		struct cp_dso_key key = { .pid = (uint32_t)pid[i] };
		struct cp_dso_info *d = NULL;
		struct cp_dso_state state;

		if (i != 0) {
			key.kind = (uint8_t)cp_snapshot_kind(kind[i]);
			key.level = (uint8_t)cp_snapshot_level(level[i]);
			d = object_new(run, name[i], id[i], &key, i);
		}
		*cp_vec_push(&to->object) = d != NULL ? d->pub.id : 0;
		if (d == NULL)
			continue;
		d->pub.runs = (found[i] & CP_PROFILE_DATA) == 0;
		d->ref_addr = (uint64_t)base[i];
		d->ref_name = cp_run_intern(run, of[i]);
		*cp_vec_push(&to->merged.release) = text_or_null(
		    cp_tables_shown(run, CP_REDACT_SYSTEM, release[i]));
		state = state_of(
		    file[i], source[i], trust[i], symbols[i], found[i]);
		state.reason = text_or_null(reason[i]);
		cp_tables_shown_object(run, d, &state);
		*cp_vec_push(&to->merged.object) = state;
		*cp_vec_push(&to->said) = false;
	}
}

/* ----------------------------------------------------------------- symbols */

static void
read_symbols(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	struct cp_symbol_columns c = cp_symbol_columns_of(t);

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		struct cp_symbol *s = cp_arena_alloc(&to->arena, sizeof(*s));

		*s = (struct cp_symbol){
			.name = c.name[i],
			.raw = text_or_null(c.raw[i]),
			.start = (uint64_t)c.start[i],
			.end = (uint64_t)c.end[i],
			.id = (uint32_t)i,
			.dso = object_at(to, c.object[i]),
			.source = (uint8_t)cp_snapshot_source(c.source[i]),
			.trust = (uint8_t)cp_snapshot_trust(c.trust[i]),
			.label = text_or_null(c.label[i]),
		};
		*cp_vec_push(&to->symbol) = cp_tables_shown_symbol(run, s);
	}
}

/* ------------------------------------------------------------------ frames */

bool
cp_tables_frame(struct cp_tables *to, struct cp_run *run,
    const struct cp_frame *f, const struct cp_symbol *function, uint64_t vaddr)
{
	struct cp_stacks *stacks = &run->session.stacks;
	size_t id = stacks->frames.len;

	if (id > stacks->max) {
		stacks->over = true;
		return false;
	}
	*cp_vec_push(&stacks->frames) = *f;
	cp_run_reserve_names(run);
	/* When a report first needs the name, its object is told. */
	run->named.data[id] = CP_SPOTTED;
	run->symbol.data[id] =
	    function != NULL && function->source != CP_SOURCE_BOUNDS ? function
								     : NULL;
	*cp_vec_push(&to->merged.function) = function;
	*cp_vec_push(&to->merged.vaddr) = vaddr;
	return true;
}

/* True if a redaction shows the address: what is in no object may be a text. */
static bool
shows_address(const struct cp_run *run, const struct cp_frame *f)
{
	const struct cp_redact *r = run->options->redact;

	if (r == NULL || r->policy->how[CP_REDACT_STACK] == CP_REDACT_KEEP)
		return true;
	if (f->dso != 0)
		return cp_dsos_at(&run->session.dsos, f->dso)->pub.runs;
	return f->level == CP_LEVEL_KERNEL && f->addr >> 56 == 0xff;
}

/* Flags of inlined parts are set by the run, not read. */
enum {
	FLAGS = CP_FRAME_CALLER | CP_FRAME_GUESSED | CP_FRAME_SCANNED |
		CP_FRAME_EDGE | CP_FRAME_LOST
};

static void
read_frames(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *object =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, object)),
		*addr = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, addr)),
		*vaddr =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, vaddr)),
		*symbol =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, symbol)),
		*flags =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, flags));
	const char **level =
	    cp_columns_texts(t, CP_SNAPSHOT_TEXT(frames, level));

	for (size_t i = 1; i < t->p.rows && t->whole; i++) {
		struct cp_frame f = { .addr = (uint64_t)addr[i],
			.dso = object_at(to, object[i]),
			.level = (uint8_t)cp_snapshot_level(level[i]),
			.flags = (uint8_t)(flags[i] & FLAGS) };

		if (!shows_address(run, &f)) {
			f.addr = cp_no_code(f.addr);
			vaddr[i] = (int64_t)f.addr;
		}
		if (!cp_tables_frame(to, run, &f, symbol_at(to, symbol[i]),
			(uint64_t)vaddr[i]))
			break;
	}
}

/* Rows of a frame follow each other. */
static void
read_spots(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *frame =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, frame)),
		*symbol =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, symbol)),
		*line = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, line)),
		*column =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, column));
	const char **file = cp_columns_texts(t, CP_SNAPSHOT_TEXT(spots, file));
	size_t rows = (size_t)t->p.rows, n;

	for (size_t i = 0; i < rows && t->whole; i += n) {
		size_t f = row_of(frame[i], run->session.stacks.frames.len);
		struct cp_spots spots;
		struct cp_spot *at;

		n = 1;
		while (i + n < rows && frame[i + n] == frame[i] &&
		       n < CP_MAX_INLINED)
			n++;
		if (f == 0)
			continue;
		at = cp_arena_alloc(&to->arena, n * sizeof(*at));
		for (size_t k = 0; k < n; k++)
			at[k] = (struct cp_spot){
				.symbol = symbol_at(to, symbol[i + k]),
				.file = text_or_null(file[i + k]),
				.line = (uint32_t)line[i + k],
				.column = (uint32_t)column[i + k],
			};
		spots = cp_run_shown_spots(run,
		    run->session.stacks.frames.data[f].dso,
		    (struct cp_spots){ at, (uint32_t)n });
		cp_run_keep_spots(run, (cp_frame_id)f, &spots);
	}
}

/* ------------------------------------------------------------------ stacks */

/* A parent comes before its children. */
static void
read_stacks(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *parent =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(stacks, parent)),
		*frame =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(stacks, frame));
	struct cp_stacks *stacks = &run->session.stacks;

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		size_t up = row_of(parent[i], i);
		size_t f = row_of(frame[i], stacks->frames.len);

		cp_stack_id id = i == 0 ? 0 : to->stack.data[up];

		if (i != 0 &&
		    ((stacks->frames.data[f].flags & CP_FRAME_LOST) == 0 ||
			cp_run_marks_lost(run)))
			id = cp_stacks_push(stacks, id, (cp_frame_id)f);
		*cp_vec_push(&to->stack) = id;
	}
}

/* ---------------------------------------------------------------- contexts */

/* A path begins with a slash. */
static uint64_t
cgroup_of(struct cp_run *run, const char *text)
{
	cp_string_id path;

	if (text[0] != '/')
		return strtoull(text, NULL, 10) & ~CP_CGROUP_OF_PATH;
	path = cp_run_intern(run, cp_tables_shown(run, CP_REDACT_CGROUP, text));
	return CP_CGROUP_OF_PATH | path;
}

static void
read_contexts(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *object =
	    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(contexts, object));
	const char **cgroup =
		       cp_columns_texts(t, CP_SNAPSHOT_TEXT(contexts, cgroup)),
		   **unwound =
		       cp_columns_texts(t, CP_SNAPSHOT_TEXT(contexts, unwound));

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(&to->context) = (struct cp_tables_context){
			.cgroup = cgroup_of(run, cgroup[i]),
			.object = object_at(to, object[i]),
			.unwound = (uint8_t)cp_snapshot_end(unwound[i]),
		};
}

const struct cp_tables_reader cp_tables_code[] = {
	{ CP_SNAPSHOT_OBJECTS, read_objects, false },
	{ CP_SNAPSHOT_SYMBOLS, read_symbols, false },
	{ CP_SNAPSHOT_FRAMES, read_frames, false },
	{ CP_SNAPSHOT_SPOTS, read_spots, false },
	{ CP_SNAPSHOT_STACKS, read_stacks, false },
	{ CP_SNAPSHOT_CONTEXTS, read_contexts, true },
	{ 0, NULL, false },
};
