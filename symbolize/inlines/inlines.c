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

#include "base/disk-cache.h"
#include "base/limits.h"
#include "base/pool.h"
#include "symbolize/inlines/ask.h"
#include "symbolize/inlines/inline-cache.h"
#include "symbolize/object/ask.h"
#include "symbolize/object/snapshot.h"
#include "symbolize/symbolizers/symbolizers.h"

#define LARGE 1024 /* addresses that make an object large */

struct batch {
	struct cp_symbols *symbols;
	const struct cp_inlines *requests;
	struct cp_inlines_answer *answers;
	bool *recorded; /* names are from a snapshot: no file is asked */
	size_t n;
	bool last;
	unsigned threads; /* threads for each large object */
	atomic_size_t taken;
	atomic_bool written; /* a cache file was written */
};

/* ------------------------------------------------------------- workers */

static void
answer(struct batch *b, const struct cp_inlines *q, struct cp_inlines_answer *a)
{
	struct cp_object *o = cp_object_of(b->symbols, q->dso);
	struct cp_object_inlines *x = cp_object_inlines_of(b->symbols, o);

	cp_object_inlines_ask(x, q, b->threads, a);
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
		if (!b->recorded[i])
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
places_of(struct cp_object_inlines *x, const struct cp_inlines_answer *a,
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

static struct cp_spots
recorded_place(
    struct cp_symbols *s, struct cp_object *o, size_t row, uint64_t asked)
{
	const struct cp_snapshot_frame *f =
	    cp_snapshot_frame(s->snapshot, row, asked);
	struct cp_spot *out;

	if (row == 0 || f == NULL || f->spots == 0)
		return (struct cp_spots){ 0 };
	out = cp_arena_alloc(&o->arena, f->spots * sizeof(*out));
	for (size_t i = 0; i < f->spots; i++) {
		const struct cp_snapshot_spot *p =
		    cp_snapshot_spot(s->snapshot, f->first_spot + i);

		out[i].symbol =
		    i != 0 ? cp_object_recorded_symbol(s, o, p->symbol) : NULL;
		out[i].file = p->file[0] != '\0' ? p->file : NULL;
		out[i].line = p->line;
		out[i].column = p->column;
	}
	return (struct cp_spots){ out, (uint32_t)f->spots };
}

static void
fill_recorded(struct cp_symbols *s, const struct cp_inlines *q, size_t row)
{
	struct cp_object *o = cp_object_of(s, q->dso);

	for (size_t i = 0; i < q->n; i++)
		q->out[i] = recorded_place(s, o, row, q->addr[i]);
}

/*
 * Fills in the answers of a snapshot, if the object's names come from one; then
 * no file is asked.
 */
static bool
is_recorded(struct cp_symbols *s, const struct cp_inlines *q)
{
	struct cp_object *o = cp_object_of(s, q->dso);
	size_t row;

	if (s->snapshot == NULL)
		return false;
	cp_object_open(s, o);
	row = cp_object_recorded(s, o);
	if (row != 0 || cp_snapshot_alone(s))
		fill_recorded(s, q, row);
	return row != 0 || cp_snapshot_alone(s);
}

static void
fill_answer(struct batch *b, size_t r)
{
	const struct cp_inlines *q = &b->requests[r];
	struct cp_inlines_answer *a = &b->answers[r];
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
	cp_strings_free(&o->inlines->roots);
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
	b.recorded = cp_xcalloc(n + 1, sizeof(*b.recorded));
	for (size_t r = 0; r < n; r++)
		b.recorded[r] = is_recorded(s, &requests[r]);
	b.threads = share_of(&b);
	cp_pool_share(CP_MIN(s->opt.jobs, b.n), work, &b);
	if (atomic_load(&b.written))
		cp_cachefile_bound("inlines", CP_MAX_INLINE_CACHES);
	for (size_t r = 0; r < n; r++) {
		if (b.recorded[r])
			continue;
		fill_answer(&b, r);
		cp_object_give_notes(s, cp_object_of(s, requests[r].dso));
	}
	for (size_t r = 0; r < n && last; r++)
		drop_reader(cp_object_of(s, requests[r].dso));
	free(b.recorded);
	free(b.answers);
}

void
cp_symbols_splits(struct cp_symbols *s, const struct cp_dso_info *d,
    void (*each)(void *ctx, const char *path, const struct cp_elf *), void *ctx)
{
	struct cp_object_inlines *x =
	    cp_object_inlines_of(s, cp_object_of(s, d));

	cp_object_inlines_open(x);
	if (x->dwarf != NULL)
		cp_dwarf_splits(x->dwarf, each, ctx);
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

const struct cp_strings *
cp_symbols_source_roots(struct cp_symbols *s, const struct cp_dso_info *d)
{
	const struct cp_object_inlines *x = cp_object_of(s, d)->inlines;

	return x != NULL && !x->foreign ? &x->roots : NULL;
}
