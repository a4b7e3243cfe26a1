/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions and lines of objects, in batches.
 *
 * Each worker takes whole objects: it finds the debug file, asks the reader and
 * demangles.  If there are fewer large objects than workers, several threads
 * read each of them.  Symbols are made afterwards in the order of the requests,
 * so results do not depend on the number of workers.
 */
#include "symbolize/inlines/inlines.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/disk-cache.h"
#include "base/limits.h"
#include "base/pool.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/dwarf/dwarf.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/inlines/inline-cache.h"
#include "symbolize/inlines/split-files.h"
#include "symbolize/object/files.h"
#include "symbolize/symbolizers/jitdump.h"

#define LARGE 1024 /* addresses that make an object large */

struct cp_object_inlines {
	const struct cp_elf *debug; /* NULL: no debug information */
	bool searched;
	bool cacheable;
	uint64_t base; /* base to which addresses are relative in the cache */
	struct cp_inlcache *cache; /* during a batch; else NULL */
	struct cp_dwarf *dwarf;
	const struct cp_gotab *go;  /* used if there is no debug information */
	struct cp_symbols *symbols; /* argument of the reader's callbacks */
	struct cp_object *object;
	enum cp_source source;
	enum cp_trust trust;
	/* Texts outlive the reader; its ids are translated to theirs. */
	struct cp_strings texts;
	/* by the reader's id; 0: not translated yet */
	CP_VEC(cp_string_id) moved;
	/* By id in texts. */
	CP_VEC(const char *) shown;
	CP_VEC(const struct cp_symbol *) interned;
	struct cp_map64 md5_of; /* text -> index in md5s + 1 */
	CP_VEC(struct sum { uint8_t md5[16]; }) md5s;
};

struct asked {
	uint64_t vaddr;
	size_t i; /* index in the request */
};

struct answer {
	struct cp_dwarf_result result;
	struct cp_dwarf_place *places; /* per address of the request */
};

struct batch {
	struct cp_symbols *symbols;
	const struct cp_inlines *requests;
	struct answer *answers;
	size_t n;
	bool last;
	unsigned threads; /* threads for each large object */
	atomic_size_t taken;
	atomic_bool written; /* a cache file was written */
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

	return cp_split_dwo(x->symbols, path, n, out);
}

static bool
open_dwp(void *arg, unsigned n, struct cp_elf *out)
{
	struct cp_object_inlines *x = arg;

	return cp_split_dwp(x->symbols, x->object, x->debug, n, out);
}

/* ------------------------------------------------------------- workers */

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

static struct cp_object_inlines *
inlines_of(struct cp_symbols *s, struct cp_object *o)
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
	x->source = CP_SOURCE_CACHE;
	x->trust = CP_TRUST_VERIFIED;
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
open_reader(struct cp_object_inlines *x)
{
	const struct cp_dwarf_files files = {
		.arg = x, .alt = find_alt, .dwo = open_dwo, .dwp = open_dwp
	};

	if (!x->searched)
		x->debug = cp_symbols_debug(x->symbols, x->object->dso);
	x->searched = true;
	if (x->dwarf != NULL || x->go != NULL)
		return;
	if (x->debug != NULL)
		x->dwarf = cp_dwarf_open(x->debug, &files);
	x->moved.len = 0;
	if (x->dwarf == NULL) {
		x->debug = NULL;
		open_go(x);
	} else if (x->object->debug != NULL) {
		x->source = x->object->debug->by->source;
		x->trust = x->object->debug->trust;
	}
}

void
cp_symbols_splits(struct cp_symbols *s, const struct cp_dso_info *d,
    void (*each)(void *ctx, const char *path, const struct cp_elf *), void *ctx)
{
	struct cp_object_inlines *x = inlines_of(s, cp_object_of(s, d));

	open_reader(x);
	if (x->dwarf != NULL)
		cp_dwarf_splits(x->dwarf, each, ctx);
}

static void
open_cache(struct cp_object_inlines *x)
{
	const struct cp_dso *d = &x->object->dso->pub;
	char *path;

	if (!x->cacheable || x->cache != NULL)
		return;
	path = cp_inlcache_path(d->build_id, d->build_id_size);
	if (path != NULL)
		x->cache = cp_inlcache_open(path);
}

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
    struct answer *a, bool *done)
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
ask_reader(struct cp_object_inlines *x, const struct cp_inlines *q,
    struct answer *a, const bool *done, unsigned threads)
{
	CP_CLEANUP(cp_cleanup_free)
	struct asked *asked = cp_xcalloc(q->n, sizeof(*asked));
	size_t n = convert(x->symbols, q, done, asked);
	CP_CLEANUP(cp_cleanup_free)
	uint64_t *addr = cp_xcalloc(n + 1, sizeof(*addr));
	CP_CLEANUP(cp_cleanup_free)
	struct cp_dwarf_place *out = cp_xcalloc(n + 1, sizeof(*out));
	size_t had = a->result.frames.len;

	for (size_t i = 0; i < n; i++)
		addr[i] = asked[i].vaddr;
	cp_dwarf_lookup_by(x->dwarf, threads, addr, n, &a->result, out);
	say_limit(x);
	for (size_t i = had; i < a->result.frames.len; i++) {
		struct cp_dwarf_frame *f = &a->result.frames.data[i];

		f->name = copy_text(x, f->name);
		f->file = copy_file(x, f->file);
	}
	for (size_t i = 0; i < n; i++)
		a->places[asked[i].i] = out[i];
	if (x->cache == NULL || q->fresh || !cp_dwarf_complete(x->dwarf))
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
    struct answer *a, const bool *done)
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

static void
answer(struct batch *b, const struct cp_inlines *q, struct answer *a)
{
	struct cp_object *o = cp_object_of(b->symbols, q->dso);
	struct cp_object_inlines *x = inlines_of(b->symbols, o);
	CP_CLEANUP(cp_cleanup_free) bool *done = cp_xcalloc(q->n + 1, 1);

	a->places = cp_xcalloc(q->n + 1, sizeof(*a->places));
	if (ask_cache(x, q, a, done) < q->n) {
		open_reader(x);
		if (x->dwarf != NULL)
			ask_reader(x, q, a, done, b->threads);
		else if (x->go != NULL)
			ask_go(x, q, a, done);
	}
	for (size_t i = 0; i < a->result.frames.len; i++)
		show(x, &a->result.frames.data[i]);
	if (b->last) {
		if (cp_inlcache_close(x->cache))
			atomic_store(&b->written, true);
		x->cache = NULL;
	}
}

static void *
work(void *arg)
{
	struct batch *b = arg;
	size_t i;

	while ((i = atomic_fetch_add(&b->taken, 1)) < b->n)
		answer(b, &b->requests[i], &b->answers[i]);
	return NULL;
}

/* Number of threads for each large object. */
static unsigned
share_of(const struct batch *b)
{
	unsigned large = 0;

	for (size_t i = 0; i < b->n; i++)
		large += b->requests[i].n >= LARGE;
	return b->symbols->opt.jobs / CP_MAX(large, 1);
}

/* -------------------------------------------------------------- results */

static const struct cp_symbol *
intern(struct cp_object_inlines *x, const struct cp_dwarf_frame *f)
{
	struct cp_symbols *s = x->symbols;
	struct cp_symbol *y;

	while (x->interned.len <= f->name)
		*cp_vec_push(&x->interned) = NULL;
	if (f->name == 0 || x->interned.data[f->name] != NULL)
		return x->interned.data[f->name];
	y = cp_arena_alloc(&s->arena, sizeof(*y));
	y->name = x->shown.data[f->name];
	y->raw = cp_strings_get(&x->texts, f->name);
	y->id = ++s->last_id;
	y->dso = x->object->dso->pub.id;
	y->source = (uint8_t)x->source;
	y->trust = (uint8_t)x->trust;
	x->interned.data[f->name] = y;
	return y;
}

static struct cp_spots
places_of(struct cp_object_inlines *x, const struct answer *a,
    const struct cp_dwarf_place *p)
{
	struct cp_spot *out;

	if (p->n == 0)
		return (struct cp_spots){ 0 };
	out = cp_arena_alloc(&x->object->arena, p->n * sizeof(*out));
	for (uint32_t i = 0; i < p->n; i++) {
		const struct cp_dwarf_frame *f =
		    &a->result.frames.data[p->first + i];

		out[i].symbol = i != 0 ? intern(x, f) : NULL;
		out[i].file =
		    f->file != 0 ? cp_strings_get(&x->texts, f->file) : NULL;
		out[i].line = f->line;
		out[i].column = f->column;
	}
	return (struct cp_spots){ out, p->n };
}

static struct cp_spots
jit_place(struct batch *b, struct cp_object *o, uint64_t addr)
{
	const struct cp_spot *at = cp_object_jit_spot(b->symbols, o, addr);

	return (struct cp_spots){ at, at != NULL };
}

static void
fill_answer(struct batch *b, size_t r)
{
	const struct cp_inlines *q = &b->requests[r];
	struct answer *a = &b->answers[r];
	struct cp_object *o = cp_object_of(b->symbols, q->dso);

	for (size_t i = 0; i < q->n; i++)
		q->out[i] = q->dso->pub.kind == CP_DSO_JIT
				? jit_place(b, o, q->addr[i])
				: places_of(o->inlines, a, &a->places[i]);
	cp_vec_free(&a->result.frames);
	free(a->places);
}

/* Frees the reader and its inflated sections; symbols and texts stay. */
static void
drop_reader(struct cp_object *o)
{
	struct cp_object_inlines *x = o->inlines;

	if (x == NULL || x->dwarf == NULL)
		return;
	cp_dwarf_free(x->dwarf);
	x->dwarf = NULL;
	cp_elf_release(x->debug);
}

void
cp_object_inlines_free(struct cp_object *o)
{
	drop_reader(o);
	if (o->inlines == NULL)
		return;
	cp_inlcache_close(o->inlines->cache);
	cp_vec_free(&o->inlines->shown);
	cp_vec_free(&o->inlines->moved);
	cp_strings_free(&o->inlines->texts);
	cp_vec_free(&o->inlines->interned);
	cp_map64_free(&o->inlines->md5_of);
	cp_vec_free(&o->inlines->md5s);
	free(o->inlines);
	o->inlines = NULL;
}

void
cp_symbols_inlines(
    struct cp_symbols *s, struct cp_inlines *requests, size_t n, bool last)
{
	struct batch b = {
		.symbols = s, .requests = requests, .n = n, .last = last
	};

	b.answers = cp_xcalloc(n + 1, sizeof(*b.answers));
	b.threads = share_of(&b);
	cp_pool_share(CP_MIN(s->opt.jobs, b.n), work, &b);
	if (atomic_load(&b.written))
		cp_cachefile_bound("inlines", CP_MAX_INLINE_CACHES);
	for (size_t r = 0; r < n; r++) {
		fill_answer(&b, r);
		cp_object_give_notes(s, cp_object_of(s, requests[r].dso));
	}
	for (size_t r = 0; r < n && last; r++)
		drop_reader(cp_object_of(s, requests[r].dso));
	free(b.answers);
}

bool
cp_symbols_source_md5(struct cp_symbols *s, const struct cp_dso_info *d,
    const char *file, uint8_t md5[16])
{
	struct cp_object_inlines *x = cp_object_of(s, d)->inlines;
	uint32_t at;

	if (x == NULL)
		return false;
	at = cp_map64_get(&x->md5_of, cp_strings_add(&x->texts, file));
	if (at != 0)
		memcpy(md5, x->md5s.data[at - 1].md5, 16);
	return at != 0;
}
