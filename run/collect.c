/* SPDX-License-Identifier: MIT */
/*
 * collect: collects the frames whose names are needed, and prepares the
 * symbolizer.  A frame is looked up once; frames are sorted by object.
 */
#include "run/api.h"

#include "base/radix.h"
#include "base/redact/names.h"

/* Returns the folder of the capture; NULL: a pipe, or tables without one. */
static const char *
capture_folder(struct cp_run *run)
{
	const char *path = run->path;
	const char *slash;

	if (path == NULL || strcmp(path, "-") == 0)
		return NULL;
	slash = strrchr(path, '/');
	if (slash == NULL || slash == path)
		return slash == NULL ? "." : "/";
	return cp_arena_strndup(&run->arena, path, (size_t)(slash - path));
}

/* Returns the path of the capture; NULL: it is read from a pipe. */
static const char *
capture_of(struct cp_run *run)
{
	const char *path = run->path;

	return path != NULL && strcmp(path, "-") != 0 ? path : NULL;
}

static const char *
recorded_name(const void *redact, const char *name)
{
	return cp_redact_recorded(redact, name);
}

struct cp_symbolize_options
cp_run_symbolize_options(struct cp_run *run)
{
	const struct cp_run_options *o = run->options;

	return (struct cp_symbolize_options){ .paths = o->symbols.data,
		.n_paths = o->symbols.len,
		.cache_dir = o->cache,
		.beside = capture_folder(run),
		.capture = capture_of(run),
		.again = o->again,
		.snapshot = run->capture.snapshot,
		.bundle = strcmp(run->rec.container, "bundle") == 0,
		.demangle = o->demangle,
		/* script prints what perf prints */
		.parameters = run->tap == NULL,
		.allow_mismatch = o->allow_mismatch,
		.debuginfod = o->debuginfod,
		.info = &run->rec.info,
		.dsos = &run->session.dsos,
		.script = run->session.script,
		.recorded_paths = o->recorded_paths,
		.recorded = o->redact != NULL ? recorded_name : NULL,
		.recorded_ctx = o->redact,
		.no_inline_cache = o->no_cache,
		.running_kernel = o->recorded_paths,
		.jobs = o->jobs,
		.jobs_at_once = o->jobs_asked };
}

struct cp_symbols *
cp_run_symbols(struct cp_run *run)
{
	struct cp_symbolize_options o = cp_run_symbolize_options(run);

	if (run->symbols == NULL)
		run->symbols =
		    cp_symbols_new(&o, &run->session.strings, run->diags);
	return run->symbols;
}

void
cp_run_reserve_names(struct cp_run *run)
{
	size_t n = run->session.stacks.frames.len, had = run->named.len;

	if (n <= had)
		return;
	cp_vec_reserve(&run->symbol, n);
	cp_vec_reserve(&run->named, n);
	memset(
	    run->symbol.data + had, 0, (n - had) * sizeof(*run->symbol.data));
	memset(run->named.data + had, 0, n - had);
	run->symbol.len = run->named.len = n;
}

void
cp_run_sort_asked(cp_asked_vec *v)
{
	cp_asked_vec sorted = { 0 };
	uint64_t *key = cp_xmalloc((v->len + 1) * sizeof(*key));
	uint64_t *order, high = 0;

	for (size_t i = 0; i < v->len; i++)
		key[i] = v->data[i].addr;
	order = cp_radix_order(key, v->len);
	for (size_t i = 0; i < v->len; i++) {
		uint32_t at = (uint32_t)order[i];

		order[i] = (uint64_t)v->data[at].dso << 32 | at;
		high = CP_MAX(high, v->data[at].dso);
	}
	cp_radix_sort(&order, &key, v->len, cp_bits_of(high));
	cp_vec_reserve(&sorted, v->len);
	for (size_t i = 0; i < v->len; i++)
		*cp_vec_push(&sorted) = v->data[(uint32_t)order[i]];
	free(key);
	free(order);
	cp_vec_free(v);
	*v = sorted;
}

const struct cp_symbol *
cp_run_stand_in(struct cp_run *run, const struct cp_frame *f)
{
	bool lost = (f->flags & CP_FRAME_LOST) != 0;
	bool deeper = lost && (f->flags & CP_FRAME_CALLER) != 0;
	const struct cp_symbol **made = deeper ? &run->deeper
					: lost ? &run->lost_caller
					       : &run->not_code;

	if (f->dso != 0 || f->level != CP_LEVEL_USER ||
	    (!lost && (f->addr > CP_NO_CODE || f->flags != CP_FRAME_CALLER ||
			  !cp_run_marks_lost(run))))
		return NULL;
	if (*made == NULL)
		*made =
		    cp_symbols_word(cp_run_symbols(run), deeper ? CP_DEEPER
							 : lost ? CP_LOST_CALLER
								: CP_NOT_CODE);
	return *made;
}

/* Adds a frame unless it has all of the marks. */
static void
collect_one(
    struct cp_run *run, cp_frame_id id, uint8_t marks, cp_asked_vec *asked)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	if ((run->named.data[id] & marks) == marks)
		return;
	if (f->dso == 0) {
		if (run->merged == NULL && run->symbol.data[id] == NULL)
			run->symbol.data[id] = cp_run_stand_in(run, f);
		return;
	}
	run->named.data[id] |= marks;
	*cp_vec_push(asked) = (struct cp_asked){
		.addr = cp_run_code_address(f), .dso = f->dso, .frame = id
	};
}

/* Has each frame the marks?  Several analyses ask for the same stacks. */
static bool
are_marked(struct cp_run *run, uint8_t marks)
{
	const struct cp_stacks *all = &run->session.stacks;

	for (size_t id = 1; id < all->frames.len; id++) {
		const struct cp_frame *f = &all->frames.data[id];

		if (f->dso != 0 ? (run->named.data[id] & marks) != marks
				: run->symbol.data[id] == NULL &&
				      cp_run_stand_in(run, f) != NULL)
			return false;
	}
	return true;
}

void
cp_run_collect(struct cp_run *run, const cp_stack_id *stacks, size_t n,
    uint8_t marks, cp_asked_vec *asked)
{
	const struct cp_stacks *all = &run->session.stacks;
	CP_CLEANUP(cp_cleanup_free) uint8_t *seen = NULL;

	cp_run_reserve_names(run);
	if (are_marked(run, marks))
		return;
	seen = cp_xcalloc(all->nodes.len, 1);
	for (size_t i = 0; i < n; i++)
		for (cp_stack_id s = stacks[i]; s != 0 && !seen[s];
		     s = all->nodes.data[s].parent) {
			seen[s] = 1;
			collect_one(
			    run, all->nodes.data[s].frame, marks, asked);
		}
	cp_run_sort_asked(asked);
}

void
cp_run_collect_frames(struct cp_run *run, const cp_frame_id *frames, size_t n,
    uint8_t marks, cp_asked_vec *asked)
{
	cp_run_reserve_names(run);
	for (size_t i = 0; i < n; i++)
		collect_one(run, frames[i], marks, asked);
	cp_run_sort_asked(asked);
}
