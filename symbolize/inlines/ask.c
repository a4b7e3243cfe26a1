/* SPDX-License-Identifier: MIT */
/*
 * Answers for one object: from the cache on disk, from debug information, or
 * from the tables of a Go program.
 */
#include "symbolize/inlines/ask.h"

#include "base/limits.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/inlines/inline-cache.h"
#include "symbolize/inlines/split-files.h"
#include "symbolize/object/alt.h"
#include "symbolize/object/files.h"

struct asked {
	uint64_t vaddr;
	size_t i; /* index in the request */
};

/* ---------------------------------------------------------- other files */

static const struct cp_elf *
find_alt(void *arg)
{
	struct cp_object_inlines *x = arg;

	return cp_symbols_alt(x->symbols, x->object->dso);
}

static bool
open_dwo(void *arg, const char *path, unsigned n, struct cp_elf *out)
{
	struct cp_object_inlines *x = arg;

	return cp_split_dwo(x->symbols, path, n, out, &x->foreign);
}

static bool
open_dwp(void *arg, unsigned n, struct cp_elf *out)
{
	struct cp_object_inlines *x = arg;

	return cp_split_dwp(
	    x->symbols, x->object, x->debug, n, out, &x->foreign);
}

/* --------------------------------------------------------------- opening */

/*
 * A kernel has another base after each boot.  The recorder stored the address
 * of a symbol; recorders differ in which.
 */
static bool
find_base(
    const struct cp_symbols *s, const struct cp_dso_info *d, uint64_t *base)
{
	const char *ref = cp_strings_get(s->strings, d->ref_name);

	*base = 0;
	if (d->pub.kind != CP_DSO_KERNEL)
		return d->pub.kind == CP_DSO_FILE ||
		       d->pub.kind == CP_DSO_MODULE;
	*base = d->ref_addr;
	if (strcmp(ref, "_stext") == 0)
		*base -= UINT64_C(1) << 40;
	else if (strcmp(ref, "_text") != 0)
		return false;
	return d->ref_addr != 0;
}

struct cp_object_inlines *
cp_object_inlines_of(struct cp_symbols *s, struct cp_object *o)
{
	struct cp_object_inlines *x = o->inlines;

	if (x != NULL)
		return x;
	x = o->inlines = cp_xcalloc(1, sizeof(*x));
	x->symbols = s;
	x->object = o;
	x->cacheable = !s->opt.no_inline_cache &&
		       o->dso->pub.build_id_size != 0 &&
		       find_base(s, o->dso, &x->base);
	return x;
}

/*
 * Opens the tables of a Go program, which it has even without debug
 * information.
 */
static void
open_go(struct cp_object_inlines *x)
{
	x->go = cp_symbols_gotab(x->symbols, x->object->dso);
	if (x->go == NULL)
		return;
	x->source = CP_SOURCE_GOPCLNTAB;
	x->trust = x->object->runtime->trust;
}

static void
find_debug(struct cp_object_inlines *x)
{
	const struct cp_file *f;

	if (x->searched)
		return;
	x->searched = true;
	x->debug = cp_symbols_debug(x->symbols, x->object->dso);
	f = x->object->debug;
	if (f == NULL)
		return;
	x->source = f->by->source;
	x->trust = f->trust;
}

void
cp_object_inlines_open(struct cp_object_inlines *x)
{
	const struct cp_dwarf_files files = {
		.arg = x, .alt = find_alt, .dwo = open_dwo, .dwp = open_dwp
	};

	find_debug(x);
	if (x->dwarf != NULL || x->go != NULL)
		return;
	if (x->debug != NULL)
		x->dwarf = cp_dwarf_open(x->debug, &files);
	x->moved.len = 0;
	if (x->dwarf == NULL) {
		x->debug = NULL;
		open_go(x);
	}
}

/* The files that answers come from.  False: the origin of one is not known. */
static bool
origins(struct cp_object_inlines *x, struct cp_origin from[3])
{
	const struct cp_dso_info *d = x->object->dso;
	const struct cp_elf *elf[3] = { x->debug,
		cp_symbols_layout(x->symbols, d),
		cp_symbols_alt(x->symbols, d) };

	for (size_t i = 0; i < 3; i++) {
		from[i] = (struct cp_origin){ 0 };
		if (elf[i] == NULL)
			continue;
		from[i] = elf[i]->content.from;
		if (from[i].inode == 0)
			return false;
	}
	return elf[0] != NULL;
}

/* By how much frames are further on than in the file: cp_elf_place(). */
static uint64_t
shift_of(const struct cp_object_inlines *x)
{
	const struct cp_object *o = x->object;
	const struct cp_elf *elf =
	    o->runtime != NULL ? &o->runtime->elf : x->debug;

	return elf != NULL && elf->loads.len != 0
		   ? elf->loads.data[0].mapped - elf->loads.data[0].offset
		   : 0;
}

static void
open_cache(struct cp_object_inlines *x)
{
	const struct cp_dso *d = &x->object->dso->pub;
	struct cp_origin from[3];
	char *path;

	if (!x->cacheable || x->cache != NULL)
		return;
	find_debug(x);
	x->cacheable = origins(x, from);
	if (!x->cacheable)
		return;
	/* The cache has the addresses of the file, wherever it was mapped. */
	if (x->object->dso->pub.kind == CP_DSO_FILE)
		x->base = shift_of(x);
	path = cp_inlcache_path(d->build_id, d->build_id_size, from, 3);
	if (path != NULL)
		x->cache = cp_inlcache_open(path);
}

/* ---------------------------------------------------------------- asking */

static int
by_address(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/*
 * Converts addresses to the image's.  Leaves out addresses that have an answer
 * or cannot be converted.
 */
static size_t
convert(struct cp_symbols *s, const struct cp_inlines *q, const bool *done,
    struct asked *out)
{
	bool fixed = q->dso->pub.kind == CP_DSO_KERNEL;
	uint64_t slide = 0;
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		uint64_t vaddr = q->addr[i] - slide;

		/* A kernel's addresses all have the same offset. */
		if (done[i] ||
		    ((!fixed || n == 0) &&
			!cp_symbols_vaddr(s, q->dso, q->addr[i], &vaddr)))
			continue;
		if (fixed)
			slide = q->addr[i] - vaddr;
		out[n++] = (struct asked){ vaddr, i };
	}
	qsort(out, n, sizeof(*out), by_address);
	return n;
}

static cp_string_id
copy_text(struct cp_object_inlines *x, cp_string_id id)
{
	while (x->moved.len <= id)
		*cp_vec_push(&x->moved) = 0;
	if (id != 0 && x->moved.data[id] == 0)
		x->moved.data[id] =
		    cp_strings_add(&x->texts, cp_dwarf_string(x->dwarf, id));
	return x->moved.data[id];
}

static cp_string_id
copy_file(struct cp_object_inlines *x, cp_string_id id)
{
	const uint8_t *md5 = cp_dwarf_md5(x->dwarf, id);
	cp_string_id text = copy_text(x, id);
	uint32_t *at;

	if (md5 == NULL)
		return text;
	at = cp_map64_put(&x->md5_of, text);
	if (*at == 0) {
		memcpy(cp_vec_push(&x->md5s)->md5, md5, 16);
		*at = (uint32_t)x->md5s.len;
	}
	return text;
}

static const char *
marked(struct cp_arena *arena, const char *name)
{
	size_t n = strlen(name);
	char *s = cp_arena_alloc(arena, n + sizeof(CP_INLINED));

	memcpy(s, name, n);
	memcpy(s + n, CP_INLINED, sizeof(CP_INLINED));
	return s;
}

/* Stores the text of a name, demangled as the user wants. */
static void
show(struct cp_object_inlines *x, const struct cp_dwarf_frame *f)
{
	const char *raw = cp_strings_get(&x->texts, f->name);
	uint8_t kind = x->object->dso->pub.kind;
	char *text = NULL;

	while (x->shown.len <= f->name)
		*cp_vec_push(&x->shown) = NULL;
	if (x->shown.data[f->name] != NULL)
		return;
	if (f->linkage && kind != CP_DSO_KERNEL && kind != CP_DSO_MODULE)
		text = cp_demangle(raw, x->symbols->opt.demangle);
	x->shown.data[f->name] =
	    marked(&x->object->arena, text != NULL ? text : raw);
	free(text);
}

/* Takes answers from the cache.  Returns how many. */
static size_t
ask_cache(struct cp_object_inlines *x, const struct cp_inlines *q,
    struct cp_inlines_answer *a, bool *done)
{
	size_t known = 0;

	if (q->fresh)
		return 0;
	open_cache(x);
	for (size_t i = 0; i < q->n && x->cache != NULL; i++) {
		struct cp_dwarf_place *p = &a->places[i];

		p->first = (uint32_t)a->result.frames.len;
		done[i] = cp_inlcache_get(x->cache, q->addr[i] - x->base,
		    &x->texts, &a->result, &p->n);
		known += done[i];
	}
	return known;
}

static void
say_limit(struct cp_object_inlines *x)
{
	const char *limit = cp_dwarf_limit(x->dwarf);

	if (limit != NULL)
		cp_object_note(x->object, CP_D_LIMIT, "%s: %s", limit,
		    cp_object_name(x->symbols, x->object));
}

static void
say_damaged(struct cp_object_inlines *x)
{
	const struct cp_object *o = x->object;

	if (x->damaged_told || !cp_dwarf_damaged(x->dwarf))
		return;
	x->damaged_told = true;
	cp_object_note(x->object, CP_D_BAD_ELF,
	    "%s: its debug information is damaged",
	    o->debug != NULL ? o->debug->path : cp_object_name(x->symbols, o));
}

static void
say_missing(struct cp_object_inlines *x)
{
	const char *missing = cp_dwarf_missing(x->dwarf);

	if (x->missing_told || missing == NULL)
		return;
	x->missing_told = true;
	cp_object_note(x->object, CP_D_NO_OBJECT,
	    "inlined functions of %s are in another file: %s",
	    cp_object_name(x->symbols, x->object), missing);
}

static void
take_roots(struct cp_object_inlines *x)
{
	const struct cp_strings *roots = cp_dwarf_roots(x->dwarf);

	for (size_t i = 1; i < roots->text.len; i++)
		cp_strings_add(&x->roots, roots->text.data[i]);
}

static void
ask_reader(struct cp_object_inlines *x, const struct cp_inlines *q,
    struct cp_inlines_answer *a, const bool *done, unsigned threads)
{
	CP_CLEANUP(cp_cleanup_free)
	struct asked *asked = cp_xcalloc(q->n, sizeof(*asked));
	size_t n = convert(x->symbols, q, done, asked);
	CP_CLEANUP(cp_cleanup_free)
	uint64_t *addr = cp_xcalloc(n + 1, sizeof(*addr));
	CP_CLEANUP(cp_cleanup_free)
	struct cp_dwarf_place *out = cp_xcalloc(n + 1, sizeof(*out));
	const struct cp_elf *run = cp_symbols_layout(x->symbols, q->dso);
	uint64_t moved = run != NULL ? cp_elf_moved(run, x->debug) : 0;
	size_t had = a->result.frames.len;

	for (size_t i = 0; i < n; i++)
		addr[i] = asked[i].vaddr - moved;
	cp_dwarf_lookup_by(x->dwarf, threads, addr, n, &a->result, out);
	say_limit(x);
	say_damaged(x);
	say_missing(x);
	take_roots(x);
	for (size_t i = had; i < a->result.frames.len; i++) {
		struct cp_dwarf_frame *f = &a->result.frames.data[i];

		f->name = copy_text(x, f->name);
		f->file = copy_file(x, f->file);
	}
	for (size_t i = 0; i < n; i++)
		a->places[asked[i].i] = out[i];
	if (x->cache == NULL || q->fresh || x->foreign ||
	    !cp_dwarf_complete(x->dwarf))
		return;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || q->addr[asked[i].i] != q->addr[asked[i - 1].i])
			cp_inlcache_put(x->cache, q->addr[asked[i].i] - x->base,
			    &x->texts,
			    out[i].n != 0 ? a->result.frames.data + out[i].first
					  : NULL,
			    out[i].n);
}

static void
ask_go(struct cp_object_inlines *x, const struct cp_inlines *q,
    struct cp_inlines_answer *a, const bool *done)
{
	uint64_t steps =
	    CP_MAX_GO_STEPS + (uint64_t)q->n * CP_MAX_GO_STEPS_EACH;
	uint64_t vaddr;

	for (size_t i = 0; i < q->n && steps != 0; i++)
		if (!done[i] &&
		    cp_symbols_vaddr(x->symbols, q->dso, q->addr[i], &vaddr))
			a->places[i] = cp_gotab_lines(
			    x->go, vaddr, &steps, &x->texts, &a->result);
	if (steps == 0)
		cp_object_note(x->object, CP_D_LIMIT, "CP_MAX_GO_STEPS: %s",
		    cp_object_name(x->symbols, x->object));
}

void
cp_object_inlines_ask(struct cp_object_inlines *x, const struct cp_inlines *q,
    unsigned threads, struct cp_inlines_answer *a)
{
	CP_CLEANUP(cp_cleanup_free) bool *done = cp_xcalloc(q->n + 1, 1);

	a->places = cp_xcalloc(q->n + 1, sizeof(*a->places));
	if (ask_cache(x, q, a, done) < q->n) {
		cp_object_inlines_open(x);
		if (x->dwarf != NULL)
			ask_reader(x, q, a, done, threads);
		else if (x->go != NULL)
			ask_go(x, q, a, done);
	}
	for (size_t i = 0; i < a->result.frames.len; i++)
		show(x, &a->result.frames.data[i]);
}
