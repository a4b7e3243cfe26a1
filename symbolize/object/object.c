/* SPDX-License-Identifier: MIT */
/*
 * Naming an object: the symbolizers of list.def are asked in order.  An ELF
 * file with .symtab ends the search, and so does a source of names; if there
 * is none, a stripped file is used for what is left in it.
 */
#include "symbolize/object/object.h"

const struct cp_symbolizer *const cp_symbolizers[] = {
#define CP_SYMBOLIZER(id) &cp_symbolizer_##id,
#include "base/strings.h"
#include "symbolize/list.def"
#undef CP_SYMBOLIZER
};
const size_t cp_symbolizers_count = CP_ARRAY_LEN(cp_symbolizers);

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

void
cp_object_give_notes(struct cp_symbols *s, struct cp_object *o)
{
	for (size_t i = 0; i < o->notes.len; i++)
		cp_diag_at(s->diags, o->notes.data[i].id, CP_NO_OFFSET, "%s",
		    o->notes.data[i].text);
	cp_vec_free(&o->notes);
}

const char *
cp_object_name(const struct cp_symbols *s, const struct cp_object *o)
{
	return cp_strings_get(s->strings, o->dso->pub.name);
}

/* Why kernel addresses stay numbers, and what would help. */
static void
say_no_kernel(struct cp_symbols *s, struct cp_object *o, const char *name)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);
	char hex[41] = "";

	if (k == NULL || k->pub.build_id_size == 0) {
		cp_object_note(o, CP_D_KALLSYMS,
		    "%s has no build ID in the capture: only its kallsyms, "
		    "given with --symbols, can name it",
		    name);
		return;
	}
	cp_hex_of(hex, k->pub.build_id, k->pub.build_id_size);
	cp_object_note(o, CP_D_KALLSYMS,
	    "%s; --symbols takes the kallsyms of that boot, or a vmlinux of %s",
	    name, hex);
}

static void
say_what_failed(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_object_name(s, o);

	switch (o->dso->pub.kind) {
	case CP_DSO_KERNEL:
	case CP_DSO_MODULE: say_no_kernel(s, o, name); break;
	case CP_DSO_FILE:
		o->stripped = o->runtime != NULL && !o->damaged;
		if (o->runtime == NULL && !o->damaged)
			cp_object_note(o, CP_D_NO_OBJECT, "%s", name);
		break;
	case CP_DSO_JIT:
	case CP_DSO_ANON:
		cp_object_note(o, CP_D_NO_JIT, "pid %" PRId32 ": %s",
		    (int32_t)o->dso->pub.pid, name);
		break;
	default: break;
	}
}

static bool
ask_names(
    struct cp_symbols *s, struct cp_object *o, const struct cp_symbolizer *p)
{
	if (p->open == NULL)
		return false;
	if (p->open(s, o)) {
		o->by = p;
		return true;
	}
	cp_symtab_free(&o->tab);
	return false;
}

static bool
ask_files(struct cp_symbols *s, struct cp_object *o, size_t i)
{
	const struct cp_symbolizer *p = cp_symbolizers[i];
	unsigned had = o->found;

	if (p->find == NULL || o->dso->pub.kind == CP_DSO_JIT ||
	    o->dso->pub.kind == CP_DSO_ANON)
		return false;
	if ((o->asked & 1u << i) == 0) {
		o->asked |= 1u << i;
		p->find(s, o);
	} else {
		had = 0; /* the unwinder was here before */
	}
	return o->symbols != NULL && o->found != had &&
	       cp_object_load_files(s, o);
}

static bool
ask_all(struct cp_symbols *s, struct cp_object *o)
{
	/* Modules: the run-time addresses are those of kallsyms. */
	bool names_first = o->dso->pub.kind == CP_DSO_MODULE;

	for (size_t i = 0; i < cp_symbolizers_count; i++) {
		const struct cp_symbolizer *p = cp_symbolizers[i];

		if ((names_first && ask_names(s, o, p)) || ask_files(s, o, i) ||
		    (!names_first && ask_names(s, o, p)))
			return true;
	}
	cp_object_find_rest(s, o);
	cp_object_use_wrong(o);
	return (o->runtime != NULL || o->symbols != NULL) &&
	       cp_object_load_files(s, o);
}

static void
settle(struct cp_symbols *s, struct cp_object *o)
{
	if (!ask_all(s, o)) {
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
cp_object_keep_shown(struct cp_object *o, struct cp_symtab *old)
{
	const struct cp_symbol **interned = o->interned;
	const char **shown = o->shown;

	o->interned = cp_xcalloc(o->tab.all.len, sizeof(*o->interned));
	o->shown = cp_xcalloc(o->tab.all.len, sizeof(*o->shown));
	for (size_t i = 0; i < old->all.len; i++) {
		uint32_t now = cp_symtab_at(&o->tab, old->all.data[i].start);

		if (now == CP_NO_ENTRY)
			continue;
		o->interned[now] = interned[i];
		o->shown[now] = shown[i];
	}
	free(interned);
	free(shown);
	cp_symtab_free(old);
}

bool
cp_object_ask(struct cp_object *o, const uint64_t *addr, size_t n)
{
	const size_t had = o->asked_for.len;
	uint64_t *asked;
	bool known = true, sorted = true;

	for (size_t i = 0; i < n && known && had != 0; i++)
		known = bsearch(&addr[i], o->asked_for.data, had, sizeof(*addr),
			    cp_u64_order) != NULL;
	if (known && had != 0)
		return false;
	cp_vec_reserve(&o->asked_for, had + n);
	asked = o->asked_for.data;
	memcpy(asked + had, addr, n * sizeof(*addr));
	o->asked_for.len += n;
	for (size_t i = CP_MAX(had, 1); i < had + n && sorted; i++)
		sorted = asked[i - 1] <= asked[i];
	if (!sorted)
		qsort(asked, had + n, sizeof(*asked), cp_u64_order);
	return true;
}

void
cp_object_open(struct cp_symbols *s, struct cp_object *o)
{
	pthread_mutex_lock(&o->lock);
	if (!o->tried)
		settle(s, o);
	o->tried = true;
	pthread_mutex_unlock(&o->lock);
}

struct cp_object *
cp_object_new(const struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_xcalloc(1, sizeof(*o));

	o->allow_mismatch = s->opt.allow_mismatch;
	o->dso = d;
	pthread_mutex_init(&o->lock, NULL);
	return o;
}

static void
file_free(struct cp_file *f)
{
	if (f != NULL)
		cp_elf_free(&f->elf);
	free(f);
}

void
cp_object_free(struct cp_object *o)
{
	cp_object_inlines_free(o);
	if (o->go != NULL)
		cp_gotab_free(o->go);
	free(o->go);
	for (size_t i = 0; i < o->files.len; i++)
		file_free(o->files.data[i]);
	file_free(o->wrong_code);
	file_free(o->wrong_debug);
	cp_vec_free(&o->files);
	cp_vec_free(&o->notes);
	cp_vec_free(&o->asked_for);
	cp_content_free(&o->text);
	cp_symtab_free(&o->tab);
	cp_arena_free(&o->arena);
	pthread_mutex_destroy(&o->lock);
	free(o->interned);
	free(o->shown);
	free(o);
}
