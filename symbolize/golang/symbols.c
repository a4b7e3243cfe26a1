/* SPDX-License-Identifier: MIT */

#include "symbolize/golang/pclntab.h"
#include "base/elf.h"

/* Converts addresses to the symbol table's.  False: in no segment. */
static bool
terms_of(
    const struct cp_elf_view *v, const struct cp_go_name *f, struct cp_entry *e)
{
	if (v->terms != CP_TERMS_OFFSET ||
	    !cp_elf_frame(v->runtime, f->start, &e->start))
		return false;
	return !__builtin_add_overflow(e->start, f->end - f->start, &e->end);
}

static bool
entry_of(const struct cp_gotab *t, const struct cp_elf_view *v, size_t i,
    struct cp_entry *e)
{
	struct cp_go_name f;

	*e = (struct cp_entry){
		.bind = STB_GLOBAL, .type = STT_FUNC, .go = true
	};
	if (!cp_gotab_name(t, i, &f) || f.name[0] == '\0' ||
	    !terms_of(v, &f, e))
		return false;
	e->name = f.name;
	return true;
}

void
cp_gotab_add_names(struct cp_symtab *tab, const struct cp_gotab *t,
    const struct cp_elf_view *v)
{
	struct cp_entry e;

	cp_vec_reserve(&tab->all, tab->all.len + t->n);
	for (size_t i = 0; i < t->n; i++)
		if (entry_of(t, v, i, &e))
			*cp_symtab_push(tab) = e;
	cp_symtab_settle(tab, CP_SETTLE_ADDED);
}
