/* SPDX-License-Identifier: MIT */
/*
 * Finds the mapping of an address, and the file of the mapped object.  Each
 * object is looked for once, on first use.
 */
#include "symbolize/unwind/objects.h"

#include "symbolize/object/files.h"

const struct cp_map *
cp_walk_map(struct cp_unwind_walk *w, uint64_t pc)
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
	if (elf != NULL && elf->machine == arch->machine)
		o->runtime = elf;
}

struct cp_unwind_object *
cp_walk_object(struct cp_unwind_walk *w, uint32_t dso)
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
cp_walk_begins(struct cp_unwind_walk *w, uint64_t pc)
{
	/* offset of e_entry; bytes of start code */
	enum { ENTRY = 24, NEAR = 64 };
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
