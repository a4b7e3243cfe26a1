/* SPDX-License-Identifier: MIT */
/*
 * repair-attrs: the events of a repaired file, as the reader has them.
 *
 * perf requires that events agree: a damaged bit in one attr makes it refuse a
 * file.  An event without samples gets the layout of the event with the most
 * samples.
 */
#include "readers/rewrite/repaired.h"

#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/features.h"
#include "readers/rewrite/put.h"

enum { NAME_ALIGN = 64 };               /* perf's */
#define FLAGS ((UINT64_C(1) << 40) - 1) /* the flags that any perf knows */
enum { FORMATS = 31 }; /* the bits of read_format that perf knows */

struct id {
	uint32_t evsel;
	uint64_t id;
};

void
cp_repair_count(struct cp_repair *r, uint32_t evsel)
{
	while (r->per_event.len <= evsel)
		*cp_vec_push(&r->per_event) = 0;
	r->per_event.data[evsel]++;
}

static uint64_t
samples_of(const struct cp_repair *r, size_t evsel)
{
	return evsel < r->per_event.len ? r->per_event.data[evsel] : 0;
}

/* ----------------------------------------------------------------- attrs */

/*
 * The bytes that an attr needs: perf refuses attrs that are longer than those
 * it knows, even if the rest is zeros.  So fields that 6.1 does not know are
 * left out.
 */
static uint32_t
attr_size(const struct cp_attr *a)
{
	if (a->sig_data != 0)
		return 128;
	if (a->aux_sample_size != 0)
		return 120;
	if (a->aux_watermark != 0 || a->max_stack != 0)
		return 112;
	return a->regs_intr != 0 ? 104 : 96;
}

/*
 * Without ids the first event has all samples.  perf refuses a file with more
 * events then.
 */
static uint32_t
written(const struct cp_evsels *e)
{
	return e->sample_id_at < 0 ? CP_MIN((uint32_t)e->all.len, 1u)
				   : (uint32_t)e->all.len;
}

/* The entries of all events have one size. */
uint32_t
cp_repair_attr_size(const struct cp_evsels *e)
{
	uint32_t size = 0;

	for (size_t i = 0; i < e->all.len; i++)
		size = CP_MAX(size, attr_size(&e->all.data[i]->attr));
	return size;
}

static const struct cp_attr *
most_sampled(const struct cp_repair *r, const struct cp_evsels *e)
{
	size_t best = 0;

	if (e->all.len == 0)
		return NULL;

	for (size_t i = 1; i < e->all.len; i++)
		if (samples_of(r, i) > samples_of(r, best))
			best = i;
	return &e->all.data[best]->attr;
}

static uint64_t
places(const struct cp_attr *a)
{
	const uint64_t before = CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME |
				CP_SAMPLE_ADDR,
		       after = CP_SAMPLE_CPU | CP_SAMPLE_STREAM_ID;
	uint64_t st = a->sample_type;
	int first = __builtin_popcountll(st & before);
	int last = __builtin_popcountll(st & after);

	if (st & CP_SAMPLE_IDENTIFIER)
		return 1;
	return st & CP_SAMPLE_ID ? 16 + (uint64_t)(first * 8 + last) : 0;
}

bool
cp_repair_differ(const struct cp_evsels *e)
{
	for (size_t i = 1; i < e->all.len; i++)
		if (places(&e->all.data[i]->attr) !=
		    places(&e->all.data[0]->attr))
			return true;
	return false;
}

/*
 * An attr is noise if it has several unknown bits; one may come from a newer
 * kernel, or from a flipped bit.
 */
static bool
noise(const struct cp_attr *a)
{
	return __builtin_popcountll(a->sample_type & ~CP_SAMPLE_KNOWN) > 1;
}

bool
cp_repair_all_noise(const struct cp_repair *r, const struct cp_evsels *e)
{
	for (size_t i = 0; i < e->all.len; i++) {
		const struct cp_attr *a = &e->all.data[i]->attr;

		if (r->samples == 0 ? !a->noise
				    : samples_of(r, i) != 0 && !noise(a))
			return false;
	}
	return e->all.len != 0;
}

/*
 * Does attr a agree with the model in the fields that perf requires to be
 * equal?
 */
static bool
agrees(const struct cp_attr *a, const struct cp_attr *model)
{
	return places(a) == places(model) &&
	       ((a->sample_type & CP_SAMPLE_READ) == 0 ||
		   (a->read_format & CP_FORMAT_ID) != 0);
}

static void
without_values(struct cp_attr *a)
{
	if (cp_repair_nameless(a))
		a->sample_type &= ~(uint64_t)CP_SAMPLE_READ;
}

/*
 * perf 6.1 requires that all events have ids at the same place, and that all
 * have trailers or none has.
 */
static struct cp_attr
agreed(const struct cp_repair *r, const struct cp_evsels *e,
    const struct cp_attr *model, size_t i)
{
	const uint64_t all = UINT64_C(1) << CP_ATTR_SAMPLE_ID_ALL;
	struct cp_attr a = e->all.data[i]->attr;

	without_values(&a);
	cp_repair_older(&a);
	if (r->as_read)
		return a;
	if (written(e) > 1 && samples_of(r, i) == 0 && !agrees(&a, model)) {
		a.sample_type = model->sample_type;
		a.read_format = model->read_format;
		a.branch_sample_type = model->branch_sample_type;
		a.regs_user = model->regs_user;
		a.stack_user = model->stack_user;
		a.regs_intr = model->regs_intr;
		without_values(&a);
		cp_repair_older(&a);
	}
	a.sample_type &= CP_SAMPLE_KNOWN;
	a.read_format &= FORMATS;
	a.flags &= FLAGS;
	if (written(e) > 1)
		a.flags = e->sample_id_all ? a.flags | all : a.flags & ~all;
	return a;
}

static void
put_attr(struct cp_buf *b, const struct cp_attr *a, uint32_t size, bool swap)
{
	size_t start = b->len;

	cp_put32(b, a->type, swap);
	cp_put32(b, size, swap);
	cp_put64(b, a->config, swap);
	cp_put64(b, a->sample_period, swap);
	cp_put64(b, a->sample_type, swap);
	cp_put64(b, a->read_format, swap);
	cp_put64(b, cp_attr_flags(a->flags, swap), swap);
	cp_put32(b, a->wakeup, swap);
	cp_put32(b, a->bp_type, swap);
	cp_put64(b, a->config1, swap);
	cp_put64(b, a->config2, swap);
	cp_put64(b, a->branch_sample_type, swap);
	cp_put64(b, a->regs_user, swap);
	cp_put32(b, a->stack_user, swap);
	cp_put32(b, (uint32_t)a->clockid, swap);
	cp_put64(b, a->regs_intr, swap);
	cp_put32(b, a->aux_watermark, swap);
	cp_put16(b, a->max_stack, swap);
	cp_put16(b, 0, swap);
	cp_put32(b, a->aux_sample_size, swap);
	cp_put32(b, 0, swap);
	cp_put64(b, a->sig_data, swap);
	b->len = start + size; /* the bytes after it are zeros */
}

/* ------------------------------------------------------------------- ids */

static int
id_order(const void *a, const void *b)
{
	const struct id *x = a, *y = b;

	if (x->evsel != y->evsel)
		return x->evsel < y->evsel ? -1 : 1;
	return cp_u64_order(&x->id, &y->id);
}

/*
 * Returns the ids of the events that are written, sorted by event, which the
 * caller frees.
 */
static struct id *
all_ids(const struct cp_evsels *e, size_t *n)
{
	const struct cp_map64 *map = &e->by_id;
	struct id *ids = cp_xcalloc((size_t)map->len + 1, sizeof(*ids));

	*n = 0;
	for (uint32_t i = 0; map->slots != NULL && i <= map->mask; i++)
		if (map->slots[i].value != 0 &&
		    map->slots[i].value <= written(e) && *n < map->len)
			ids[(*n)++] = (struct id){ map->slots[i].value - 1,
				map->slots[i].key };
	qsort(ids, *n, sizeof(*ids), id_order);
	return ids;
}

struct cp_file_span
cp_repair_attrs(const struct cp_repair *r, struct cp_rewriter *w)
{
	const struct cp_evsels *e = &w->src->rec->evsels;
	const struct cp_attr *model = most_sampled(r, e);
	uint32_t size = cp_repair_attr_size(e);
	size_t n, k = 0;
	CP_CLEANUP(cp_cleanup_free) struct id *ids = all_ids(e, &n);
	uint64_t at;

	cp_rewrite_flush(w);
	at = w->at;
	for (size_t i = 0; i < n; i++) {
		uint64_t id =
		    w->swap ? __builtin_bswap64(ids[i].id) : ids[i].id;

		cp_rewrite_put(w, &id, sizeof(id));
	}
	for (uint32_t i = 0; i < written(e); i++) {
		struct cp_attr a = agreed(r, e, model, i);
		uint64_t first = k;

		while (k < n && ids[k].evsel == i)
			k++;
		cp_rewrite_flush(w);
		put_attr(&w->buf, &a, size, w->swap);
		cp_put64(&w->buf, at + first * 8, w->swap);
		cp_put64(&w->buf, (k - first) * 8, w->swap);
	}
	return (struct cp_file_span){ at + n * 8,
		written(e) * (uint64_t)(size + 16) };
}

/* ----------------------------------------------------------------- names */

static void
put_name(struct cp_buf *b, const char *name, bool swap)
{
	static const char zeros[NAME_ALIGN];
	size_t n = strlen(name), pad = NAME_ALIGN - n % NAME_ALIGN;

	cp_put32(b, (uint32_t)(n + pad), swap);
	cp_buf_add(b, name, n);
	cp_buf_add(b, zeros, pad);
}

void
cp_repair_names(struct cp_repair *r, const struct cp_recording *rec)
{
	const struct cp_evsels *e = &rec->evsels;
	const struct cp_attr *model = most_sampled(r, e);
	uint32_t size = cp_repair_attr_size(e);
	size_t n, k = 0;
	CP_CLEANUP(cp_cleanup_free) struct id *ids = all_ids(e, &n);
	struct cp_buf b;

	cp_buf_init(&b, CP_MAX_FEATURE);
	cp_put32(&b, written(e), rec->swap);
	cp_put32(&b, size, rec->swap);
	for (uint32_t i = 0; i < written(e); i++) {
		struct cp_attr a = agreed(r, e, model, i);
		size_t first = k;

		while (k < n && ids[k].evsel == i)
			k++;
		put_attr(&b, &a, size, rec->swap);
		cp_put32(&b, (uint32_t)(k - first), rec->swap);
		put_name(&b, e->all.data[i]->pub.name, rec->swap);
		for (; first < k; first++)
			cp_put64(&b, ids[first].id, rec->swap);
	}
	if (!b.full)
		cp_repair_replace(
		    r, CP_FEATURE_EVENT_DESC, (uint8_t *)b.data, b.len);
	cp_buf_free(&b);
}
