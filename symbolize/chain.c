/* SPDX-License-Identifier: MIT */
/* Opening an object: the symbolizers of list.def are asked in order. */
#include "symbolize/chain.h"

static const struct cp_symbolizer *const symbolizers[] = {
#define CP_SYMBOLIZER(id) &cp_symbolizer_##id,
#include "symbolize/list.def"
#undef CP_SYMBOLIZER
};

void
cp_object_note(struct cp_object *o, enum cp_diag_id id, const char *fmt, ...)
{
	struct cp_note *n = cp_vec_push(&o->notes);
	va_list ap;

	n->id = id;
	va_start(ap, fmt);
	vsnprintf(n->text, sizeof(n->text), fmt, ap);
	va_end(ap);
}

const char *
cp_object_name(const struct cp_symbols *s, const struct cp_object *o)
{
	return cp_strings_get(s->strings, o->dso->pub.name);
}

static void
say_what_failed(const struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_object_name(s, o);

	switch (o->dso->pub.kind) {
	case CP_DSO_KERNEL:
	case CP_DSO_MODULE: cp_object_note(o, CP_D_KALLSYMS, "%s", name); break;
	case CP_DSO_FILE: cp_object_note(o, CP_D_NO_OBJECT, "%s", name); break;
	default: break;
	}
}

void
cp_object_open(struct cp_symbols *s, struct cp_object *o)
{
	if (o->tried)
		return;
	o->tried = true;
	for (size_t i = 0; i < CP_ARRAY_LEN(symbolizers); i++) {
		if (!symbolizers[i]->open(s, o)) {
			cp_symtab_free(&o->tab);
			continue;
		}
		o->by = symbolizers[i];
		break;
	}
	if (o->by == NULL) {
		o->trust = CP_TRUST_NONE;
		say_what_failed(s, o);
		return;
	}
	if (o->trust == CP_TRUST_ABSENT)
		cp_object_note(o, CP_D_UNVERIFIED, "%s", cp_object_name(s, o));
	cp_symtab_index(&o->tab);
	o->interned = cp_xcalloc(o->tab.all.len, sizeof(*o->interned));
	o->shown = cp_xcalloc(o->tab.all.len, sizeof(*o->shown));
}

void
cp_object_free(struct cp_object *o)
{
	for (size_t i = 0; i < o->files.len; i++)
		cp_elf_free(&o->files.data[i]);
	cp_vec_free(&o->files);
	cp_vec_free(&o->notes);
	cp_symtab_free(&o->tab);
	cp_arena_free(&o->arena);
	free(o->interned);
	free(o->shown);
	free(o);
}
