/* SPDX-License-Identifier: MIT */
/*
 * From an address of the process to the rule that holds there: mapping,
 * object, its unwind tables.  What was found is kept for the space, and for
 * the object, which other processes map too.
 */
#include "base/limits.h"
#include "symbolize/object/files.h"
#include "symbolize/unwind/walk.h"

const struct cp_map *
cp_walk_map(struct cp_walk *w, uint64_t pc)
{
	return cp_aspace_ask(w->in->space, pc);
}

static void
object_open(struct cp_unwinder *u, struct cp_unwind_object *o,
    const struct cp_dso_info *d, const struct cp_arch *arch)
{
	const struct cp_elf *elf = NULL;

	o->tried = true;
	if (d->pub.kind == CP_DSO_FILE || d->pub.kind == CP_DSO_VDSO)
		elf = cp_symbols_runtime(u->symbols, d);
	if (elf == NULL && d->pub.kind == CP_DSO_FILE) {
		elf = cp_symbols_layout(u->symbols, d);
		o->blind = true;
	}
	if (elf == NULL || elf->machine != arch->machine)
		return;
	o->runtime = elf;
	cp_cfi_init(&o->cfi, arch, elf);
	cp_exidx_init(&o->exidx, elf);
	o->gotab = cp_symbols_gotab(u->symbols, d);
	cp_go_find(&o->go, elf, o->gotab);
}

struct cp_unwind_object *
cp_walk_object(struct cp_walk *w, uint32_t dso)
{
	struct cp_unwinder *u = w->u;
	struct cp_unwind_object **o;

	while (u->objects.len < dso)
		*cp_vec_push(&u->objects) = NULL;
	o = &u->objects.data[dso - 1];
	if (*o == NULL)
		*o = cp_xcalloc(1, sizeof(**o));
	if (!(*o)->tried)
		object_open(u, *o, cp_dsos_at(u->dsos, dso), w->arch);
	return *o;
}

bool
cp_walk_begins(struct cp_walk *w, uint64_t pc)
{
	enum { ENTRY = 24, NEAR = 64 }; /* e_entry; bytes of such code */
	const struct cp_map *m = cp_walk_map(w, pc);
	const struct cp_elf *e =
	    m != NULL ? cp_walk_object(w, m->dso)->runtime : NULL;
	uint64_t addr, entry;

	if (e == NULL || e->content.size < ENTRY + 8 ||
	    !cp_elf_vaddr(e, pc + m->delta, &addr))
		return false;
	entry = e->wide ? cp_load64(e->content.data + ENTRY, e->swap)
			: cp_load32(e->content.data + ENTRY, e->swap);
	return entry != 0 && addr - (entry & ~(uint64_t)1) < NEAR;
}

bool
cp_walk_returns_to_start(struct cp_walk *w, uint64_t ra)
{
	const struct cp_map *m = cp_walk_map(w, ra);
	struct cp_unwind_object *o =
	    m != NULL ? cp_walk_object(w, m->dso) : NULL;
	struct cp_cfi_fde f;
	uint64_t addr;

	return o != NULL && o->runtime != NULL &&
	       cp_elf_vaddr(o->runtime, ra + m->delta, &addr) &&
	       cp_cfi_find(&o->cfi, addr, &f) && f.start == addr &&
	       !cp_walk_returns_to(w, ra);
}

/* Adds the tables of the debug file. */
static void
add_debug(struct cp_walk *w, uint32_t dso, struct cp_unwind_object *o)
{
	const struct cp_elf *debug;

	o->debug_tried = true;
	debug = cp_symbols_tables(w->u->symbols, cp_dsos_at(w->u->dsos, dso));
	if (debug != NULL && debug != o->runtime)
		cp_cfi_add_debug(&o->cfi, debug);
}

/* What the file itself has no table of, its debug file may. */
static bool
dwarf_row(struct cp_walk *w, const struct cp_map *m, uint64_t pc,
    struct cp_cfi_row *row, uint64_t *addr)
{
	struct cp_unwind_object *o = cp_walk_object(w, m->dso);

	if (o->runtime == NULL ||
	    !cp_elf_vaddr(o->runtime, pc + m->delta, addr))
		return false;
	if (cp_cfi_row_at(&o->cfi, *addr, row, &w->steps))
		return true;
	if (o->debug_tried || w->steps == 0)
		return false;
	add_debug(w, m->dso, o);
	return cp_cfi_row_at(&o->cfi, *addr, row, &w->steps);
}

static bool
row_at(struct cp_walk *w, const struct cp_map *m, uint64_t pc,
    struct cp_cfi_row *row, uint64_t *addr)
{
	const struct cp_unwind_object *o;

	if (dwarf_row(w, m, pc, row, addr))
		return true;
	o = cp_walk_object(w, m->dso);
	if (o->runtime == NULL || w->steps == 0 ||
	    !cp_elf_vaddr(o->runtime, pc + m->delta, addr))
		return false;
	return cp_exidx_row(&o->exidx, *addr, row) ||
	       (o->gotab != NULL &&
		   cp_gotab_row(o->gotab, w->arch, *addr, row, &w->steps));
}

/* Where the table of full rules is as large as it may be, all start anew. */
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

/* Most rules are packed, and need little; CP_RULE_NONE: there is more to it. */
static uint32_t
packed_rule(struct cp_walk *w, const struct cp_map *m, uint64_t pc)
{
	struct cp_unwind_object *o = cp_walk_object(w, m->dso);
	uint64_t addr;

	if (!w->arch->packed || o->runtime == NULL ||
	    !cp_elf_vaddr(o->runtime, pc + m->delta, &addr))
		return CP_RULE_NONE;
	return cp_rule_brief(&o->cfi, addr);
}

/* Behind a call that has left its stack. */
static bool
ends_at(struct cp_walk *w, const struct cp_map *m, uint64_t pc)
{
	const struct cp_unwind_object *o = cp_walk_object(w, m->dso);
	uint64_t addr;

	return o->go.n != 0 && cp_elf_vaddr(o->runtime, pc + m->delta, &addr) &&
	       cp_walk_go_top(w, &o->go, pc, addr);
}

static uint32_t
rule_make(
    struct cp_walk *w, const struct cp_walk_place *at, uint64_t pc, bool full)
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

/* False: in no mapping. */
static bool
find_place(struct cp_walk *w, uint64_t pc, struct cp_walk_place *out)
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
 * A rule that takes long is made each time, and paid for; one that does not is
 * kept, and free: a walk ends where it ends whatever was kept before.
 */
static bool
make(struct cp_walk *w, const struct cp_walk_place *at, uint64_t pc, bool full,
    uint32_t *rule)
{
	uint32_t left = w->steps;

	w->steps += CP_MAX_CHEAP_RULE;
	*rule = rule_make(w, at, pc, full);
	if (w->steps < left || w->steps == 0)
		return false;
	w->steps = left;
	return true;
}

/*
 * The rule from the rows of its function.  It is not kept by object: to make
 * it again takes as long as to find it there.
 */
static uint32_t
told_at_once(struct cp_walk *w, const struct cp_walk_place *at, uint64_t pc)
{
	return at->map != NULL && !ends_at(w, at->map, pc)
		   ? packed_rule(w, at->map, pc)
		   : CP_RULE_NONE;
}

static uint32_t
look_up(struct cp_walk *w, uint64_t pc, bool full)
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
		rule = told_at_once(w, &at, pc);
	if (rule == 0) {
		if (!make(w, &at, pc, full, &rule))
			return rule;
		cp_rule_put(&u->far, at.dso | whole, at.addr, rule);
	}
	*cp_near_slot(&u->near, space, pc) =
	    (struct cp_rule_slot){ pc, space, rule };
	return rule;
}

uint32_t
cp_walk_rule(struct cp_walk *w, uint64_t pc)
{
	return look_up(w, pc, false);
}

uint32_t
cp_walk_full_rule(struct cp_walk *w, uint64_t pc)
{
	return look_up(w, pc, true);
}
