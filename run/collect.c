/* SPDX-License-Identifier: MIT */
/*
 * collect: what is to be found out about frames, and whom to ask.
 *
 * A frame is asked for once; frames of an object follow each other.
 */
#include "run/api.h"

/* The folder of the capture; NULL: a pipe. */
static const char *
beside(struct cp_run *run)
{
	const char *path = run->options->capture;
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0)
		return NULL;
	if (slash == NULL || slash == path)
		return slash == NULL ? "." : "/";
	return cp_arena_strndup(&run->arena, path, (size_t)(slash - path));
}

/* NULL: a pipe. */
static const char *
capture_of(struct cp_run *run)
{
	const char *path = run->options->capture;

	return strcmp(path, "-") != 0 ? path : NULL;
}

struct cp_symbolize_options
cp_run_symbolize_options(struct cp_run *run)
{
	const struct cp_run_options *o = run->options;

	return (struct cp_symbolize_options){ .paths = o->symbols.data,
		.n_paths = o->symbols.len,
		.cache_dir = o->cache,
		.beside = beside(run),
		.capture = capture_of(run),
		.bundle = strcmp(run->rec.container, "bundle") == 0,
		.demangle = o->demangle,
		.allow_mismatch = o->allow_mismatch,
		.debuginfod = o->debuginfod,
		.recorded_paths = o->recorded_paths,
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

/* One pass of a radix sort: by 11 bits of one of the two keys. */
static void
asked_pass(const struct cp_asked *from, struct cp_asked *to, size_t n,
    bool by_dso, unsigned shift)
{
	uint32_t at[2048] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(by_dso ? from[i].dso : from[i].addr) >> shift & 2047]++;
	for (size_t b = 0; b < 2048; b++) {
		uint32_t count = at[b];

		at[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(by_dso ? from[i].dso : from[i].addr) >> shift &
		      2047]++] = from[i];
}

/* In which bits addresses of one object differ. */
static uint64_t
differing_bits(const cp_asked_vec *v, uint32_t max_dso)
{
	CP_CLEANUP(cp_cleanup_free)
	uint32_t *first = cp_xcalloc((size_t)max_dso + 1, sizeof(*first));
	const struct cp_asked *a = v->data;
	uint64_t bits = 0;

	for (size_t i = 0; i < v->len; i++) {
		uint32_t *of = &first[a[i].dso];

		if (*of == 0)
			*of = (uint32_t)i + 1;
		bits |= a[i].addr ^ a[*of - 1].addr;
	}
	return bits;
}

/* By object, then by address: only what differs is looked at. */
static void
asked_sort(cp_asked_vec *v)
{
	struct cp_asked *a = v->data, *b, *swap, *spare;
	uint32_t dso = 0, max_dso = 0;
	uint64_t addr;

	for (size_t i = 0; i < v->len; i++) {
		dso |= a[i].dso ^ a[0].dso;
		max_dso = CP_MAX(max_dso, a[i].dso);
	}
	if (v->len < 2)
		return;
	addr = differing_bits(v, max_dso);
	spare = b = cp_xmalloc(v->len * sizeof(*b));
	for (unsigned pass = 0; pass < 9; pass++) {
		bool by_dso = pass >= 6;
		unsigned shift = (by_dso ? pass - 6 : pass) * 11;

		if (((by_dso ? dso : addr) >> shift & 2047) == 0)
			continue;
		asked_pass(a, b, v->len, by_dso, shift);
		swap = a;
		a = b;
		b = swap;
	}
	if (a != v->data)
		memcpy(v->data, a, v->len * sizeof(*a));
	free(spare);
}

/* Unless it was asked for before. */
static void
collect_one(
    struct cp_run *run, cp_frame_id id, uint8_t mark, cp_asked_vec *asked)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	if ((run->named.data[id] & mark) != 0 || f->dso == 0)
		return;
	run->named.data[id] |= mark;
	*cp_vec_push(asked) =
	    (struct cp_asked){ .addr = f->addr, .dso = f->dso, .frame = id };
}

void
cp_run_collect(struct cp_run *run, const cp_stack_id *stacks, size_t n,
    uint8_t mark, cp_asked_vec *asked)
{
	const struct cp_stacks *all = &run->session.stacks;
	CP_CLEANUP(cp_cleanup_free)
	uint8_t *seen = cp_xcalloc(all->nodes.len, 1);

	cp_run_reserve_names(run);
	for (size_t i = 0; i < n; i++)
		for (cp_stack_id s = stacks[i]; s != 0 && !seen[s];
		     s = all->nodes.data[s].parent) {
			seen[s] = 1;
			collect_one(run, all->nodes.data[s].frame, mark, asked);
		}
	asked_sort(asked);
}

void
cp_run_collect_frames(struct cp_run *run, const cp_frame_id *frames, size_t n,
    uint8_t mark, cp_asked_vec *asked)
{
	cp_run_reserve_names(run);
	for (size_t i = 0; i < n; i++)
		collect_one(run, frames[i], mark, asked);
	asked_sort(asked);
}
