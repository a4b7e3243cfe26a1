/* SPDX-License-Identifier: MIT */
/*
 * naming: frames -> symbols, once each, in batches per object.
 */
#include "cli/host.h"

static struct cp_symbols *
symbols_of(struct cp_run *run)
{
	const struct cp_cli *cli = run->cli;
	struct cp_symbolize_options o = { .paths = cli->symbols.data,
		.n_paths = cli->symbols.len, .cache_dir = cli->cache,
		.demangle = cli->demangle,
		.recorded_paths = cli->recorded_paths,
		.running_kernel = cli->recorded_paths, .jobs = cli->jobs };

	if (run->symbols == NULL)
		run->symbols = cp_symbols_new(
		    &o, &run->session.strings, run->diags);
	return run->symbols;
}

/* Room for every frame that there is by now. */
static void
names_reserve(struct cp_run *run)
{
	size_t n = run->session.stacks.frames.len, had = run->named.len;

	if (n <= had)
		return;
	cp_vec_reserve(&run->symbol, n);
	cp_vec_reserve(&run->named, n);
	memset(run->symbol.data + had, 0,
	    (n - had) * sizeof(*run->symbol.data));
	memset(run->named.data + had, 0, n - had);
	run->symbol.len = run->named.len = n;
}

const struct cp_symbol *
cp_frame_symbol(const struct cp_run *run, cp_frame_id id)
{
	return id < run->symbol.len ? run->symbol.data[id] : NULL;
}

const struct cp_symbol *
cp_run_symbol_now(struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	if (id < run->named.len && run->named.data[id])
		return run->symbol.data[id];
	names_reserve(run);
	run->named.data[id] = 1;
	if (f->dso != 0)
		cp_symbols_names(symbols_of(run),
		    cp_dsos_at(&run->session.dsos, f->dso), &f->addr, 1,
		    &run->symbol.data[id]);
	return run->symbol.data[id];
}

struct asked {
	uint64_t addr;
	uint32_t dso;
	cp_frame_id frame;
};

static int
asked_order(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	if (x->dso != y->dso)
		return x->dso < y->dso ? -1 : 1;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->frame > y->frame) - (x->frame < y->frame);
}

typedef CP_VEC(struct asked) asked_vec;

/* Frames on the stacks that have not been asked for. */
static void
collect(struct cp_run *run, const cp_stack_id *stacks, size_t n,
    asked_vec *asked)
{
	const struct cp_stacks *all = &run->session.stacks;
	CP_CLEANUP(cp_cleanup_free) uint8_t *seen =
	    cp_xcalloc(all->nodes.len, 1);

	for (size_t i = 0; i < n; i++)
		for (cp_stack_id s = stacks[i]; s != 0 && !seen[s];
		     s = all->nodes.data[s].parent) {
			cp_frame_id id = all->nodes.data[s].frame;
			const struct cp_frame *f = &all->frames.data[id];

			seen[s] = 1;
			if (run->named.data[id] || f->dso == 0)
				continue;
			run->named.data[id] = 1;
			*cp_vec_push(asked) = (struct asked) {
				.addr = f->addr, .dso = f->dso, .frame = id };
		}
}

void
cp_run_name(struct cp_run *run, const cp_stack_id *stacks, size_t n)
{
	asked_vec asked = { 0 };
	CP_VEC(struct cp_names) batch = { 0 };
	uint64_t *addr;
	const struct cp_symbol **out;

	names_reserve(run);
	collect(run, stacks, n, &asked);
	if (asked.len == 0)
		return;
	qsort(asked.data, asked.len, sizeof(*asked.data), asked_order);
	addr = cp_xcalloc(asked.len, sizeof(*addr));
	out = cp_xcalloc(asked.len, sizeof(*out));
	for (size_t i = 0; i < asked.len; i++) {
		addr[i] = asked.data[i].addr;
		if (i == 0 || asked.data[i].dso != asked.data[i - 1].dso)
			*cp_vec_push(&batch) = (struct cp_names) {
				.dso = cp_dsos_at(&run->session.dsos,
				    asked.data[i].dso),
				.addr = addr + i, .out = out + i };
		batch.data[batch.len - 1].n++;
	}
	cp_symbols_batch(symbols_of(run), batch.data, batch.len);
	for (size_t i = 0; i < asked.len; i++)
		run->symbol.data[asked.data[i].frame] = out[i];
	free(addr);
	free(out);
	cp_vec_free(&asked);
	cp_vec_free(&batch);
}

struct cp_dso_state
cp_run_dso_state(struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;
	struct cp_object_state s;

	if (d == NULL)
		return (struct cp_dso_state) { 0 };
	s = cp_symbols_state(symbols_of(run), d);
	return (struct cp_dso_state) { .symbolizer = s.symbolizer,
		.path = s.path, .symbols = s.symbols,
		.source = (uint8_t)s.source, .trust = (uint8_t)s.trust,
		.mismatch = s.mismatch };
}
