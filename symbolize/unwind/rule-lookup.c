/* SPDX-License-Identifier: MIT */
/*
 * Finds the rule of an address.
 *
 * Sources in order: a call of Go's runtime that ends the stack; the unwind
 * tables of the object or its debug file; the tables of 32-bit ARM and of Go;
 * the tables of JIT code.  Rules are cached per address space, and per object,
 * which several processes may map.
 */
#include "symbolize/unwind/rule-lookup.h"

#include "base/limits.h"
#include "symbolize/cfi/fde-index.h"
#include "symbolize/object/files.h"
#include "symbolize/unwind/walk.h"
#include "symbolize/unwind/go-runtime.h"
#include "symbolize/unwind/jit.h"
#include "symbolize/unwind/objects.h"

/* ------------------------------------------------------------------ tables */

/*
 * Finds the object with its tables, and pc's address in its image.  NULL: no
 * file, or given up.
 */
static struct cp_unwind_object *
tables_of(struct cp_unwind_walk *w, const struct cp_map *m, uint64_t pc,
    uint64_t *addr)
{
	struct cp_unwind_object *o = cp_walk_object(w, m->dso);

	if (o->runtime == NULL || o->given_up ||
	    !cp_elf_vaddr(o->runtime, pc + m->delta, addr))
		return NULL;
	if (!o->tables_made) {
		cp_cfi_init(&o->cfi, w->arch, o->runtime);
		cp_exidx_init(&o->exidx, o->runtime);
		o->gotab = cp_symbols_gotab(
		    w->u->symbols, cp_dsos_at(w->u->dsos, m->dso));
		cp_go_find(&o->go, o->runtime, o->gotab);
	}
	o->tables_made = true;
	return o;
}

/* Tries the debug file if the mapped file has no entry. */
static bool
dwarf_row(struct cp_unwind_walk *w, uint32_t dso, struct cp_unwind_object *o,
    uint64_t addr, struct cp_cfi_row *row)
{
	const struct cp_elf *debug;

	if (cp_cfi_row_at(&o->cfi, addr, row, &w->steps))
		return true;
	if (o->debug_tried || w->steps == 0)
		return false;
	/* Adds the tables of the debug file. */
	o->debug_tried = true;
	debug = cp_symbols_tables(w->u->symbols, cp_dsos_at(w->u->dsos, dso));
	if (debug != NULL && debug != o->runtime &&
	    (o->runtime == NULL || cp_elf_moved(o->runtime, debug) == 0))
		cp_cfi_add_debug(&o->cfi, debug);
	return cp_cfi_row_at(&o->cfi, addr, row, &w->steps);
}

static bool
row_at(struct cp_unwind_walk *w, const struct cp_map *m, uint64_t pc,
    struct cp_cfi_row *row, uint64_t *addr)
{
	struct cp_unwind_object *o = tables_of(w, m, pc, addr);

	if (o == NULL)
		return false;
	if (dwarf_row(w, m->dso, o, *addr, row))
		return true;
	if (w->steps == 0)
		return false;
	return cp_exidx_row(&o->exidx, *addr, row) ||
	       (o->gotab != NULL &&
		   cp_gotab_row(o->gotab, w->arch, *addr, row, &w->steps));
}

/* ------------------------------------------------------------------- rules */

/* At its limit the table of full rules is cleared, and all caches with it. */
static uint32_t
full_rule(struct cp_unwinder *u, const struct cp_arch *a,
    const struct cp_cfi_row *row)
{
	uint32_t id = cp_full_intern(&u->full, a, row);

	if (CP_UNLIKELY(id == 0)) {
		cp_rule_near_forget(&u->near);
		cp_rule_cache_forget(&u->far);
		cp_full_free(&u->full);
		id = cp_full_intern(&u->full, a, row);
	}
	return id != 0 ? CP_RULE_FULL | id << 4 : CP_RULE_ABSENT;
}

/* Tries the fast way, which most rules fit.  CP_RULE_NONE: use the slow one. */
static uint32_t
packed_rule(struct cp_unwind_walk *w, const struct cp_map *m, uint64_t pc)
{
	struct cp_unwind_object *o;
	uint64_t addr;

	o = w->arch->packed ? tables_of(w, m, pc, &addr) : NULL;
	return o != NULL ? cp_function_rule(&o->rules, &o->cfi, addr)
			 : CP_RULE_NONE;
}

/* True if pc is after a call that left its stack. */
static bool
ends_at(struct cp_unwind_walk *w, const struct cp_map *m, uint64_t pc)
{
	uint64_t addr;
	const struct cp_unwind_object *o = tables_of(w, m, pc, &addr);

	return o != NULL && o->go.n != 0 && cp_walk_go_top(w, &o->go, pc, addr);
}

static uint32_t
rule_make(struct cp_unwind_walk *w, const struct cp_walk_place *at, uint64_t pc,
    bool full)
{
	struct cp_cfi_row row;
	uint64_t addr = at->addr;
	uint32_t rule = CP_RULE_NONE;

	if (at->map != NULL && ends_at(w, at->map, pc))
		return CP_RULE_END;
	if (!full && at->map != NULL)
		rule = packed_rule(w, at->map, pc);
	if (rule != CP_RULE_NONE)
		return rule;
	if (at->map != NULL ? !row_at(w, at->map, pc, &row, &addr)
			    : !cp_walk_jit_row(w, at, &row))
		return CP_RULE_ABSENT;
	if (!full)
		rule = cp_rule_pack(w->arch, &row, addr);
	return rule != CP_RULE_NONE ? rule : full_rule(w->u, w->arch, &row);
}

/* False: pc is in no mapping. */
static bool
find_place(struct cp_unwind_walk *w, uint64_t pc, struct cp_walk_place *out)
{
	const struct cp_map *m;

	*out = (struct cp_walk_place){ 0 };
	if (w->in->jit != NULL && cp_walk_jit(w, pc, out))
		return true;
	m = out->map = cp_walk_map(w, pc);
	if (m == NULL)
		return false;
	out->dso = m->dso;
	out->addr = pc + m->delta;
	return true;
}

/*
 * Makes a rule.  A cheap rule is cached and costs no steps; an expensive one is
 * made each time and costs its steps.  So the step limit ends a walk at the
 * same frame, whatever is cached.  False: do not cache.
 */
static bool
make_cacheable(struct cp_unwind_walk *w, const struct cp_walk_place *at,
    uint64_t pc, bool full, uint32_t *rule)
{
	uint32_t left = w->steps;

	w->steps += CP_MAX_CHEAP_RULE;
	*rule = rule_make(w, at, pc, full);
	cp_walk_charge(w, at->dso, left + CP_MAX_CHEAP_RULE - w->steps);
	if (w->steps < left || w->steps == 0)
		return false;
	w->steps = left;
	return true;
}

/*
 * Finds the rule in the rows of its function.  It is not put in the object's
 * cache, because finding it there takes as long.
 */
static uint32_t
rule_of_function(
    struct cp_unwind_walk *w, const struct cp_walk_place *at, uint64_t pc)
{
	return at->map != NULL && !ends_at(w, at->map, pc)
		   ? packed_rule(w, at->map, pc)
		   : CP_RULE_NONE;
}

static uint32_t
look_up(struct cp_unwind_walk *w, uint64_t pc, bool full)
{
	struct cp_unwinder *u = w->u;
	const uint32_t whole = full ? CP_RULE_WHOLE : 0;
	const uint32_t space = w->in->space->generation | whole;
	uint32_t rule = cp_near_get(&u->near, space, pc);
	struct cp_walk_place at;

	if (CP_LIKELY(rule != 0))
		return rule;
	if (!find_place(w, pc, &at))
		return CP_RULE_UNMAPPED;
	rule = cp_rule_get(&u->far, at.dso | whole, at.addr);
	if (rule == 0 && !full)
		rule = rule_of_function(w, &at, pc);
	if (rule == 0) {
		if (!make_cacheable(w, &at, pc, full, &rule))
			return rule;
		cp_rule_put(&u->far, at.dso | whole, at.addr, rule);
	}
	*cp_near_slot(&u->near, space, pc) =
	    (struct cp_rule_slot){ pc, space, rule };
	return rule;
}

uint32_t
cp_walk_rule(struct cp_unwind_walk *w, uint64_t pc)
{
	return look_up(w, pc, false);
}

uint32_t
cp_walk_full_rule(struct cp_unwind_walk *w, uint64_t pc)
{
	return look_up(w, pc, true);
}

void
cp_walk_charge_at(struct cp_unwind_walk *w, uint64_t pc, uint32_t steps)
{
	struct cp_walk_place at;

	if (find_place(w, pc, &at))
		cp_walk_charge(w, at.dso, steps);
}

bool
cp_walk_returns_to_start(struct cp_unwind_walk *w, uint64_t ra)
{
	const struct cp_map *m = cp_walk_map(w, ra);
	struct cp_unwind_object *o;
	struct cp_cfi_fde f;
	uint64_t addr;

	o = m != NULL ? tables_of(w, m, ra, &addr) : NULL;
	return o != NULL && cp_cfi_find(&o->cfi, addr, &f) && f.start == addr &&
	       !cp_walk_returns_to(w, ra);
}

/* ------------------------------------------------- rows outside of a walk */

/* The architecture of the object's file; NULL: no file, or another machine. */
static const struct cp_arch *
arch_of(struct cp_unwinder *u, const struct cp_dso_info *d)
{
	const struct cp_elf *e = NULL;

	if (d->pub.kind == CP_DSO_FILE || d->pub.kind == CP_DSO_VDSO)
		e = cp_symbols_runtime(u->symbols, d);
	if (e == NULL && d->pub.kind == CP_DSO_FILE)
		e = cp_symbols_layout(u->symbols, d);
	for (unsigned i = 0; e != NULL && i < CP_ARRAY_LEN(u->arch); i++)
		if (u->arch[i] != NULL && u->arch[i]->machine == e->machine)
			return u->arch[i];
	return NULL;
}

/* The function's bounds; none are known of code in Go's tables alone. */
static void
bounds_of(struct cp_unwind_object *o, uint64_t at, struct cp_unwind_row *out)
{
	struct cp_go_function go;
	struct cp_cfi_fde f;

	if (out->go && cp_gotab_find(o->gotab, at, &go)) {
		out->start = go.start;
		out->end = go.end;
	} else if (cp_cfi_find(&o->cfi, at, &f)) {
		out->start = f.start;
		out->end = f.end;
	} else if (!cp_exidx_range(&o->exidx, at, &out->start, &out->end)) {
		out->start = out->end = at;
	}
}

bool
cp_unwinder_row(struct cp_unwinder *u, uint32_t dso, uint64_t addr,
    struct cp_unwind_row *out)
{
	const struct cp_map m = { .dso = dso };
	struct cp_unwind_walk w = { .u = u,
		.arch = arch_of(u, cp_dsos_at(u->dsos, dso)),
		.steps = CP_MAX_UNWIND_STEPS };
	struct cp_unwind_object *o;
	bool found;

	*out = (struct cp_unwind_row){ .arch = w.arch };
	o = w.arch != NULL ? tables_of(&w, &m, addr, &out->at) : NULL;
	if (o == NULL)
		return false;
	out->elf = o->blind ? NULL : o->runtime;
	/* Go's debugging information does not say where frames are saved. */
	found = out->go = o->gotab != NULL && cp_gotab_row(o->gotab, w.arch,
						  out->at, &out->row, &w.steps);
	if (!found)
		found = row_at(&w, &m, addr, &out->row, &out->at);
	cp_walk_charge(&w, dso, CP_MAX_UNWIND_STEPS - w.steps);
	if (found)
		bounds_of(o, out->at, out);
	return found;
}
