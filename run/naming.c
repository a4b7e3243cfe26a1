/* SPDX-License-Identifier: MIT */
/* naming: frames -> symbols, each once, in batches by object. */
#include "run/api.h"
#include "run/tables-rows.h"
#include "symbolize/bounds/bounds.h"
#include "symbolize/object/files.h"

const struct cp_symbol *
cp_frame_symbol(const struct cp_run *run, cp_frame_id id)
{
	return id < run->symbol.len ? run->symbol.data[id] : NULL;
}

const struct cp_symbol *
cp_frame_function(struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(run, id);
	uint32_t dso = cp_frame_get(run, id)->dso;

	if (sym != NULL || dso == 0)
		return sym;
	if (run->merged != NULL)
		return id < run->merged->function.len
			   ? run->merged->function.data[id]
			   : NULL;
	if (run->bounds == NULL)
		run->bounds = cp_bounds_new(cp_run_symbols(run));
	return cp_bounds_function(run->bounds,
	    cp_dsos_at(&run->session.dsos, dso), cp_frame_get(run, id)->addr);
}

const struct cp_symbol *
cp_run_symbol_now(struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	if (id < run->named.len && (run->named.data[id] & CP_NAMED) != 0)
		return run->symbol.data[id];
	cp_run_reserve_names(run);
	run->named.data[id] |= CP_NAMED;
	if (f->dso != 0 && run->tables != NULL) {
		cp_tables_say_object(run, f->dso);
	} else if (f->dso != 0) {
		cp_symbols_names(cp_run_symbols(run),
		    cp_dsos_at(&run->session.dsos, f->dso), &f->addr, 1,
		    &run->symbol.data[id]);
		run->symbol.data[id] = cp_run_shown(run, run->symbol.data[id]);
	}
	return run->symbol.data[id];
}

/* Tables have the names; what is to be said of their objects is said now. */
static void
name_of_tables(struct cp_run *run, const cp_asked_vec *asked)
{
	for (size_t i = 0; i < asked->len; i++)
		if (i == 0 || asked->data[i].dso != asked->data[i - 1].dso)
			cp_tables_say_object(run, asked->data[i].dso);
}

/* Looks up the sorted frames in one batch. */
static void
name_all(struct cp_run *run, const cp_asked_vec *asked)
{
	CP_VEC(struct cp_names) batch = { 0 };
	uint64_t *addr;
	const struct cp_symbol **out;

	if (asked->len == 0)
		return;
	if (run->tables != NULL) {
		name_of_tables(run, asked);
		return;
	}
	addr = cp_xcalloc(asked->len, sizeof(*addr));
	out = cp_xcalloc(asked->len, sizeof(*out));
	for (size_t i = 0; i < asked->len; i++) {
		const struct cp_asked *a = &asked->data[i];

		addr[i] = a->addr;
		if (i == 0 || a->dso != a[-1].dso)
			*cp_vec_push(&batch) = (struct cp_names){
				.dso = cp_dsos_at(&run->session.dsos, a->dso),
				.addr = addr + i,
				.out = out + i
			};
		batch.data[batch.len - 1].n++;
	}
	cp_symbols_batch(cp_run_symbols(run), batch.data, batch.len);
	for (size_t i = 0; i < asked->len; i++)
		run->symbol.data[asked->data[i].frame] =
		    cp_run_shown(run, out[i]);
	free(addr);
	free(out);
	cp_vec_free(&batch);
}

void
cp_run_name(struct cp_run *run, const cp_stack_id *stacks, size_t n)
{
	bool spots = cp_run_wants_spots(run);
	cp_asked_vec asked = { 0 };

	cp_run_collect(
	    run, stacks, n, spots ? CP_NAMED | CP_SPOTTED : CP_NAMED, &asked);
	name_all(run, &asked);
	if (spots)
		cp_run_spot(run, &asked, true);
	cp_vec_free(&asked);
}

void
cp_run_name_frames(struct cp_run *run, const cp_frame_id *frames, size_t n)
{
	cp_asked_vec asked = { 0 };

	cp_run_collect_frames(run, frames, n, CP_NAMED, &asked);
	name_all(run, &asked);
	cp_vec_free(&asked);
}

uint64_t
cp_frame_vaddr(struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);
	uint64_t vaddr;

	if (run->merged != NULL)
		return id < run->merged->vaddr.len ? run->merged->vaddr.data[id]
						   : UINT64_MAX;
	if (f->dso == 0 ||
	    !cp_symbols_vaddr(cp_run_symbols(run),
		cp_dsos_at(&run->session.dsos, f->dso), f->addr, &vaddr))
		return UINT64_MAX;
	return vaddr;
}

uint64_t
cp_run_dso_base(const struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;

	return d != NULL && d->pub.kind == CP_DSO_KERNEL ? d->ref_addr : 0;
}

const char *
cp_run_dso_base_name(const struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;

	return d != NULL && d->pub.kind == CP_DSO_KERNEL && d->ref_name != 0
		   ? cp_run_string(run, d->ref_name)
		   : NULL;
}

const char *
cp_run_dso_release(const struct cp_run *run, uint32_t id)
{
	const struct cp_dso *d = id != 0 ? cp_run_dso(run, id) : NULL;

	if (d == NULL || d->kind != CP_DSO_KERNEL)
		return NULL;
	return run->merged != NULL ? run->merged->release.data[id - 1]
				   : run->rec.info.os_release;
}

struct cp_dso_state
cp_run_dso_found(struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;
	struct cp_object_state s;

	if (d == NULL)
		return (struct cp_dso_state){ 0 };
	if (run->merged != NULL)
		return run->merged->object.data[id - 1];
	s = cp_symbols_state(cp_run_symbols(run), d);
	return (struct cp_dso_state){ .symbolizer = s.symbolizer,
		.path = cp_run_shown_path(run, s.path),
		.source = (uint8_t)s.source,
		.trust = (uint8_t)s.trust,
		.mismatch = s.mismatch,
		.damaged = s.damaged,
		.code = s.code,
		.stripped = s.stripped };
}

struct cp_dso_state
cp_run_dso_state(struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d = cp_dsos_at(&run->session.dsos, id);
	struct cp_dso_state s = cp_run_dso_found(run, id);

	if (d != NULL && run->merged == NULL)
		s.symbols = cp_symbols_count(cp_run_symbols(run), d);
	return s;
}

struct cp_dso_files
cp_run_dso_files(struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;
	struct cp_dso_files files = { 0 };
	struct cp_found f[8];
	size_t n;

	if (d == NULL || run->merged != NULL)
		return files;
	files.code = cp_symbols_recorded_code(cp_run_symbols(run), d);
	n = cp_symbols_found(cp_run_symbols(run), d, f, CP_ARRAY_LEN(f));
	for (size_t i = 0; i < n; i++) {
		if (f[i].runtime)
			files.code = f[i].path;
		if (f[i].symbols)
			files.symbols = f[i].path;
		if (f[i].debug)
			files.debug = f[i].path;
		if (f[i].names && files.symbols == NULL)
			files.symbols = f[i].path;
		if (f[i].lines && files.debug == NULL)
			files.debug = f[i].path;
	}
	files.code = cp_run_shown_path(run, files.code);
	files.symbols = cp_run_shown_path(run, files.symbols);
	files.debug = cp_run_shown_path(run, files.debug);
	return files;
}
