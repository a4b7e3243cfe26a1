/* SPDX-License-Identifier: MIT */
/*
 * Asks the symbolizers of list.def in order.
 *
 * An ELF file with .symtab ends the search, and so does a source of names.
 * Without either, a stripped file is used with the symbols that it has.
 */
#include "symbolize/object/ask.h"

#include "base/strings.h"
#include "symbolize/file-index/lookup.h"
#include "symbolize/object/elf-symbols.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/snapshot.h"
#include "symbolize/object/verify.h"

/* --------------------------------------------------------------- its files */

static bool
complete(const struct cp_object *o, unsigned want)
{
	return ((want & CP_ASK_CODE) == 0 || o->runtime != NULL) &&
	       ((want & CP_ASK_SYMTAB) == 0 || o->symbols != NULL) &&
	       ((want & CP_ASK_DEBUG) == 0 ||
		   (o->debug != NULL && o->debug->debug == 2));
}

/* Uses the mapped file's own build ID if none was recorded. */
static void
offer_own_id(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_elf *run = o->runtime != NULL ? &o->runtime->elf : NULL;

	if (run == NULL || run->build_id_size == 0 || o->rest_tried ||
	    o->dso->pub.build_id_size != 0)
		return;
	o->rest_tried = true;
	for (size_t i = 0; i < s->n_symbolizers; i++)
		if (s->symbolizers[i]->offer_id != NULL)
			s->symbolizers[i]->offer_id(
			    s, o, run->build_id, run->build_id_size);
}

void
cp_object_find(struct cp_symbols *s, struct cp_object *o, unsigned want)
{
	if (o->dso->pub.kind == CP_DSO_JIT || o->dso->pub.kind == CP_DSO_ANON)
		return; /* no file has its code */
	if (cp_snapshot_alone(s))
		return; /* only the snapshot is asked */
	for (size_t i = 0; i < s->n_symbolizers && !complete(o, want); i++) {
		if (s->symbolizers[i]->find == NULL ||
		    (o->asked & 1u << i) != 0)
			continue;
		o->asked |= 1u << i;
		s->symbolizers[i]->find(s, o);
	}
	if (complete(o, want))
		return;
	offer_own_id(s, o);
	cp_object_use_wrong(o);
}

void
cp_object_find_tables(struct cp_symbols *s, struct cp_object *o)
{
	cp_object_find(s, o, CP_ASK_DEBUG);
	for (size_t i = 0; i < s->n_symbolizers && !complete(o, CP_ASK_DEBUG);
	     i++)
		if (s->symbolizers[i]->fetch_debug != NULL)
			s->symbolizers[i]->fetch_debug(s, o);
}

/* --------------------------------------------------------------- its names */

/* Reports why kernel addresses have no names, and what would help. */
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

/* True if no code was mapped from it: the heap, a stack, a locale's file. */
static bool
is_data(const struct cp_dso *d)
{
	return (d->kind == CP_DSO_FILE || d->kind == CP_DSO_ANON) && !d->runs;
}

/* Reports a file of the object's name that the user gave, of another build. */
static void
say_other_build(struct cp_symbols *s, struct cp_object *o, const char *name)
{
	const struct cp_dso *d = &o->dso->pub;
	const struct cp_indexed *f;
	char want[41], got[41];

	if (d->build_id_size == 0 || o->mismatch)
		return;
	f = cp_symindex_namesake(&s->index, cp_basename(name));
	if (f == NULL)
		return;
	cp_hex_of(want, d->build_id, CP_MIN(d->build_id_size, 20));
	cp_hex_of(got, f->build_id, f->build_id_size);
	cp_object_note(
	    o, CP_D_MISMATCH, "recorded %s, file %s: %s", want, got, f->path);
	o->mismatch = true;
}

/*
 * Says again what was wrong with the object's files when a snapshot was made.
 * It does not have their paths and build IDs.
 */
static void
recall(struct cp_symbols *s, struct cp_object *o)
{
	size_t row = cp_object_recorded(s, o);
	int64_t found =
	    row != 0 ? cp_snapshot_object(s->snapshot, row)->found : 0;
	const char *name = cp_object_name(s, o);
	char want[41] = "";

	cp_hex_of(
	    want, o->dso->pub.build_id, CP_MIN(o->dso->pub.build_id_size, 20));
	if ((found & CP_PROFILE_MISMATCH) != 0)
		cp_object_note(o, CP_D_MISMATCH, "recorded %s: %s",
		    want[0] != '\0' ? want : "no build ID", name);
	if ((found & CP_PROFILE_DAMAGED) != 0)
		cp_object_note(o, CP_D_BAD_ELF, "%s", name);
	o->mismatch |= (found & CP_PROFILE_MISMATCH) != 0;
	o->damaged |= (found & CP_PROFILE_DAMAGED) != 0;
	o->stripped |=
	    o->by == NULL && (found & CP_PROFILE_CODE) != 0 && !o->damaged;
}

static void
say_no_map(struct cp_object *o, const char *name)
{
	const struct cp_dso *d = &o->dso->pub;

	if (d->parent == 0)
		cp_object_note(o, CP_D_NO_JIT, "pid %" PRId32 ": %s",
		    (int32_t)d->pid, name);
	else
		cp_object_note(o, CP_D_NO_JIT,
		    "pid %" PRId32 ": %s, or /tmp/perf-%" PRId32
		    ".map of its parent",
		    (int32_t)d->pid, name, (int32_t)d->parent);
}

static void
say_what_failed(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_object_name(s, o);

	/* Names of data are welcome, but nobody misses them. */
	if (is_data(&o->dso->pub))
		return;
	switch (o->dso->pub.kind) {
	case CP_DSO_KERNEL:
	case CP_DSO_MODULE: say_no_kernel(s, o, name); break;
	case CP_DSO_FILE:
		o->stripped |= o->runtime != NULL && !o->damaged;
		if (o->runtime != NULL || o->damaged || o->stripped)
			break;
		say_other_build(s, o, name);
		cp_object_note(o, CP_D_NO_OBJECT, "%s", name);
		break;
	case CP_DSO_JIT:
	case CP_DSO_ANON: say_no_map(o, name); break;
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
	const struct cp_symbolizer *p = s->symbolizers[i];
	unsigned had = o->found;

	if (p->find == NULL || o->dso->pub.kind == CP_DSO_JIT ||
	    o->dso->pub.kind == CP_DSO_ANON)
		return false;
	if ((o->asked & 1u << i) == 0) {
		o->asked |= 1u << i;
		p->find(s, o);
	} else {
		had = 0; /* already asked by the unwinder */
	}
	return o->symbols != NULL && o->found != had &&
	       cp_object_load_files(s, o);
}

/*
 * When names are searched again: prefers the snapshot's if the file has fewer,
 * or no lines although the snapshot has some.
 */
static bool
take_better(struct cp_symbols *s, struct cp_object *o)
{
	bool lines = s->opt.again && cp_object_had_lines(s, o);

	if (lines)
		cp_object_find_tables(s, o);
	if (!s->opt.again ||
	    (cp_object_count(s, o) >= cp_object_had_symbols(s, o) &&
		(!lines || complete(o, CP_ASK_DEBUG))))
		return true;
	cp_symtab_free(&o->tab);
	o->deferred = NULL;
	return ask_names(s, o, s->symbolizers[0]);
}

static bool
ask_all(struct cp_symbols *s, struct cp_object *o)
{
	/* Modules: kallsyms has the run-time addresses, so names come first. */
	bool names_first = o->dso->pub.kind == CP_DSO_MODULE;

	if (cp_snapshot_alone(s) || cp_object_keeps_names(s, o))
		return ask_names(s, o, s->symbolizers[0]);
	for (size_t i = 1; i < s->n_symbolizers; i++) {
		const struct cp_symbolizer *p = s->symbolizers[i];

		if ((names_first && ask_names(s, o, p)) || ask_files(s, o, i) ||
		    (!names_first && ask_names(s, o, p)))
			return take_better(s, o);
	}
	if (s->snapshot != NULL && ask_names(s, o, s->symbolizers[0]))
		return true;
	offer_own_id(s, o);
	cp_object_use_wrong(o);
	return (o->runtime != NULL || o->symbols != NULL) &&
	       cp_object_load_files(s, o);
}

/* The build ID is known by the file's path, and several files had it. */
static void
doubt_several(struct cp_symbols *s, struct cp_object *o)
{
	if (!o->dso->several || o->trust != CP_TRUST_VERIFIED)
		return;
	o->trust = CP_TRUST_ABSENT;
	cp_object_note(o, CP_D_SEVERAL_FILES, "%s", cp_object_name(s, o));
}

static void
finish_table(struct cp_symbols *s, struct cp_object *o)
{
	bool named = ask_all(s, o);

	recall(s, o);
	if (!named) {
		o->trust = CP_TRUST_NONE;
		say_what_failed(s, o);
		return;
	}
	/* A snapshot tells its own. */
	if (s->snapshot == NULL || o->by != s->symbolizers[0])
		o->source = o->by->source;
	if (o->trust == CP_TRUST_ABSENT)
		cp_object_note(o, CP_D_UNVERIFIED, "%s", cp_object_name(s, o));
	doubt_several(s, o);
	cp_symtab_index(&o->tab);
	o->interned = cp_xcalloc(o->tab.all.len, sizeof(*o->interned));
	o->shown = cp_xcalloc(o->tab.all.len, sizeof(*o->shown));
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
		finish_table(s, o);
	o->tried = true;
	pthread_mutex_unlock(&o->lock);
}
