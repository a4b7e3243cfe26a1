/* SPDX-License-Identifier: MIT */
/*
 * naming: frames -> symbols, each once, in batches by object.
 *
 * A caller's frame has a return address.  The call before it may be the last
 * instruction of its function (exit, abort, throw, __stack_chk_fail), and then
 * the address is the start of the function after it.  So the byte before the
 * return address is asked, which is in the call: for the name, the inlined
 * functions and the line.
 */
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
	    cp_dsos_at(&run->session.dsos, dso),
	    cp_run_code_address(cp_frame_get(run, id)));
}

/* ------------------------------------------------------- return addresses */

/*
 * Three kinds of address look like return addresses and are not: no call is
 * before them.  One is the start of a signal trampoline, which the kernel put
 * on the stack; one is where an interrupt stopped the kernel; and ART's stacks
 * have the current instruction of each interpreted method.  It matters only at
 * the first instruction of a function.  There the name tells a trampoline, the
 * name of the frame that was called an interrupt, and the file a method.
 */
static bool
begins_with_one(const char *name, const char *const *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(name, all[i], strlen(all[i])) == 0)
			return true;
	return false;
}

/* Functions to which a signal handler returns: glibc, musl, Go, bionic, vDSO.
 */
static bool
is_trampoline(const char *name)
{
	static const char *const all[] = { "__restore", "__kernel_rt_sigreturn",
		"__kernel_sigreturn", "__kernel_sigtramp", "runtime.sigreturn",
		"__default_sa_restorer", "__default_rt_sa_restorer" };

	return begins_with_one(name, all, CP_ARRAY_LEN(all));
}

/*
 * Functions by which kernels enter the handler of an interrupt or a fault: x86
 * from 5.8 on and before, arm64, arm, riscv, powerpc, s390.
 */
static bool
enters_kernel(const char *name)
{
	static const char *const all[] = { "asm_", "common_interrupt",
		"apic_timer_interrupt", "reschedule_interrupt",
		"call_function_", "irq_work_interrupt", "ret_from_intr",
		"page_fault", "async_page_fault", "general_protection",
		"error_entry", "nmi", "end_repeat_nmi", "el1h_64_", "el1_",
		"__irq_svc", "__fiq_svc", "__dabt_svc", "__pabt_svc",
		"__und_svc", "handle_exception", "ret_from_exception",
		"hardware_interrupt_common", "decrementer_common",
		"io_int_handler", "ext_int_handler", "pgm_check_handler" };

	return begins_with_one(name, all, CP_ARRAY_LEN(all));
}

/* Finds the symbols of the sorted frames in one batch. */
static const struct cp_symbol **
symbols_of(struct cp_run *run, const cp_asked_vec *asked)
{
	CP_VEC(struct cp_names) batch = { 0 };
	uint64_t *addr = cp_xcalloc(asked->len, sizeof(*addr));
	const struct cp_symbol **out = cp_xcalloc(asked->len, sizeof(*out));

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
	free(addr);
	cp_vec_free(&batch);
	return out;
}

/*
 * Which frames of new nodes enter a handler of the kernel?  One batch for all:
 * each reads a part of kallsyms.
 */
static void
find_entries(struct cp_run *run)
{
	const struct cp_stacks *all = &run->session.stacks;
	const struct cp_symbol **out;
	cp_asked_vec asked = { 0 };

	for (size_t i = run->entries_of; i < all->nodes.len; i++) {
		cp_frame_id id = all->nodes.data[i].frame;
		const struct cp_frame *f = cp_frame_get(run, id);
		uint8_t *known = &run->entries.data[id];

		if (all->nodes.data[i].parent == 0 ||
		    (*known & (CP_ENTRY | CP_NO_ENTRY)) != 0)
			continue;
		*known |= CP_NO_ENTRY;
		if (f->dso != 0 && f->level == CP_LEVEL_KERNEL)
			*cp_vec_push(&asked) = (struct cp_asked){ .frame = id,
				.dso = f->dso,
				.addr = cp_run_code_address(f) };
	}
	if (asked.len == 0)
		return;
	cp_run_sort_asked(&asked);
	out = symbols_of(run, &asked);
	for (size_t i = 0; i < asked.len; i++)
		if (out[i] != NULL && enters_kernel(out[i]->name))
			run->entries.data[asked.data[i].frame] ^=
			    CP_ENTRY | CP_NO_ENTRY;
	free(out);
	cp_vec_free(&asked);
}

/* Did an interrupt stop at the frame, in any stack that is known so far? */
static bool
was_interrupted(struct cp_run *run, cp_frame_id id)
{
	const struct cp_stacks *all = &run->session.stacks;

	while (run->entries.len < all->frames.len)
		*cp_vec_push(&run->entries) = 0;
	find_entries(run);
	for (; run->entries_of < all->nodes.len; run->entries_of++) {
		const struct cp_stack_node *n =
		    &all->nodes.data[run->entries_of];

		if (n->parent != 0 &&
		    (run->entries.data[n->frame] & CP_ENTRY) != 0)
			run->entries.data[all->nodes.data[n->parent].frame] |=
			    CP_INTERRUPTED;
	}
	return (run->entries.data[id] & CP_INTERRUPTED) != 0;
}

static bool
may_be_start(
    const struct cp_run *run, cp_frame_id id, const struct cp_symbol *found)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	return f->dso != 0 && (f->flags & CP_FRAME_CALLER) != 0 &&
	       (found == NULL || found->end <= f->addr);
}

/* Is it a file of bytecode for Android?  A native library has another name. */
static bool
is_bytecode(const struct cp_run *run, uint32_t dso)
{
	const char *name = cp_strings_get(&run->session.strings,
	    cp_dsos_at(&run->session.dsos, dso)->pub.name);
	const char *dot = strrchr(name, '.');

	return strstr(name, ".dex") != NULL ||
	       (dot != NULL &&
		   (strcmp(dot, ".vdex") == 0 || strcmp(dot, ".jar") == 0));
}

static bool
is_start(struct cp_run *run, cp_frame_id id, const struct cp_symbol *after)
{
	struct cp_frame *f = &run->session.stacks.frames.data[id];

	if (after == NULL || after->start != f->addr ||
	    !(f->level == CP_LEVEL_KERNEL
		    ? was_interrupted(run, id)
		    : is_trampoline(after->name) || is_bytecode(run, f->dso)))
		return false;
	f->flags &= (uint8_t)~CP_FRAME_CALLER;
	return true;
}

/* ----------------------------------------------------------------- names */

/* Tables have the names; what is to be said of their objects is said now. */
static void
name_of_tables(struct cp_run *run, const cp_asked_vec *asked)
{
	for (size_t i = 0; i < asked->len; i++)
		if (i == 0 || asked->data[i].dso != asked->data[i - 1].dso)
			cp_tables_say_object(run, asked->data[i].dso);
}

/* Looks again at frames whose address may be the start of a function. */
static void
name_starts(struct cp_run *run, cp_asked_vec *asked)
{
	const struct cp_symbol **out;
	cp_asked_vec starts = { 0 };
	bool any = false;

	for (size_t i = 0; i < asked->len; i++) {
		struct cp_asked a = asked->data[i];

		a.addr = cp_frame_get(run, a.frame)->addr;
		if (may_be_start(run, a.frame, run->symbol.data[a.frame]))
			*cp_vec_push(&starts) = a;
	}
	if (starts.len == 0)
		return;
	out = symbols_of(run, &starts);
	for (size_t i = 0; i < starts.len; i++)
		if (is_start(run, starts.data[i].frame, out[i])) {
			run->symbol.data[starts.data[i].frame] = out[i];
			any = true;
		}
	free(out);
	cp_vec_free(&starts);
	for (size_t i = 0; any && i < asked->len; i++)
		asked->data[i].addr = cp_run_code_address(
		    cp_frame_get(run, asked->data[i].frame));
	if (any)
		cp_run_sort_asked(asked);
}

/* Looks up the sorted frames. */
static void
name_all(struct cp_run *run, cp_asked_vec *asked)
{
	const struct cp_symbol **out;

	if (asked->len == 0)
		return;
	if (run->tables != NULL) {
		name_of_tables(run, asked);
		return;
	}
	out = symbols_of(run, asked);
	for (size_t i = 0; i < asked->len; i++)
		run->symbol.data[asked->data[i].frame] = out[i];
	free(out);
	name_starts(run, asked);
	for (size_t i = 0; i < asked->len; i++) {
		const struct cp_symbol **s =
		    &run->symbol.data[asked->data[i].frame];

		*s = cp_run_shown(run, *s);
	}
}

const struct cp_symbol *
cp_run_symbol_now(struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);

	if (id < run->named.len && (run->named.data[id] & CP_NAMED) != 0)
		return run->symbol.data[id];
	cp_run_reserve_names(run);
	run->named.data[id] |= CP_NAMED;
	if (f->dso != 0) {
		cp_asked_vec asked = { 0 };

		*cp_vec_push(&asked) =
		    (struct cp_asked){ cp_run_code_address(f), f->dso, id };
		name_all(run, &asked);
		cp_vec_free(&asked);
	} else if (run->merged == NULL) {
		run->symbol.data[id] = cp_run_stand_in(run, f);
	}
	return run->symbol.data[id];
}

const struct cp_symbol *
cp_run_symbol_recorded(struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *found = cp_run_symbol_now(run, id),
			       *start = NULL;
	const struct cp_frame *f = cp_frame_get(run, id);

	if (run->tables != NULL || !may_be_start(run, id, found))
		return found;
	cp_symbols_names(cp_run_symbols(run),
	    cp_dsos_at(&run->session.dsos, f->dso), &f->addr, 1, &start);
	/* A snapshot has the functions of its frames, not what is beside. */
	if (start == NULL && run->capture.was.version != 0)
		return found;
	return cp_run_shown(run, start);
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
	bool spots = cp_run_wants_spots(run);
	cp_asked_vec asked = { 0 };

	cp_run_collect_frames(
	    run, frames, n, spots ? CP_NAMED | CP_SPOTTED : CP_NAMED, &asked);
	name_all(run, &asked);
	if (spots)
		cp_run_spot(run, &asked, true);
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
		.reason = s.why,
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
