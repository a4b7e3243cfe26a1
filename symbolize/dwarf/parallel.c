/* SPDX-License-Identifier: MIT */
/*
 * A look-up by several threads.
 *
 * Each thread handles some of the units with a reader of its own: a reader has
 * too much state to share, and making one costs little more than reading the
 * unit headers.  Only the first reader may call the callbacks.  If another one
 * would need to, it gives up and the first reader does everything.
 */
#include <pthread.h>

#include "symbolize/dwarf/dwarf.h"
#include "symbolize/dwarf/internal.h"

#define MAX_PARTS 16
/* Addresses per reader that make a thread worth its cost. */
#define WORTH 512

struct part {
	struct cp_dwarf *dwarf;
	uint64_t *addr;
	uint32_t *at; /* indexes in the request */
	size_t n;
	struct cp_dwarf_result result;
	struct cp_dwarf_place *out;
	pthread_t thread;
	bool started;
};

struct parts {
	struct cp_dwarf *d; /* the caller's reader */
	const uint64_t *addr;
	size_t n;
	struct part part[MAX_PARTS];
	unsigned count;
};

static void *
answer(void *arg)
{
	struct part *p = arg;

	cp_dwarf_lookup(p->dwarf, p->addr, p->n, &p->result, p->out);
	return NULL;
}

/* Loads the other sections of a look-up; they may need inflating. */
static void *
load_sections(void *arg)
{
	static const enum dw_section read[] = { DW_LINE, DW_STR, DW_LINE_STR,
		DW_RNGLISTS, DW_RANGES, DW_ADDR, DW_STR_OFFSETS };
	struct cp_dwarf *d = arg;

	for (size_t i = 0; i < CP_ARRAY_LEN(read); i++)
		dw_section(&d->main, read[i]);
	return NULL;
}

/* ------------------------------------------------------------- dividing */

struct hit {
	struct dw_unit *unit;
	unsigned part;
};

/*
 * Finds the units that are hit, in the order of their first addresses.
 * unit_of: for each address the index of its unit + 1.  Returns the units'
 * bytes.
 */
static uint64_t
find_units(struct parts *s, uint32_t *unit_of, struct hit **out, size_t *count)
{
	CP_VEC(struct hit) hits = { 0 };
	uint64_t bytes = 0;
	size_t hint = 0;

	s->d->budget = s->d->allowed;
	dw_index_build(s->d);
	for (size_t i = 0; i < s->n; i++) {
		struct dw_unit *u = dw_index_find(s->d, s->addr[i], &hint);

		if (u == NULL)
			continue;
		if (u->first == 0) {
			*cp_vec_push(&hits) = (struct hit){ .unit = u };
			u->first = (uint32_t)hits.len;
			bytes += u->end - u->start;
		}
		unit_of[i] = u->first;
	}
	for (size_t i = 0; i < hits.len; i++)
		hits.data[i].unit->first = 0;
	*out = hits.data;
	*count = hits.len;
	return bytes;
}

static void
add_address(struct parts *s, struct part *p, size_t i)
{
	if (p->addr == NULL) {
		p->addr = cp_xcalloc(s->n, sizeof(*p->addr));
		p->at = cp_xcalloc(s->n, sizeof(*p->at));
		p->out = cp_xcalloc(s->n, sizeof(*p->out));
	}
	p->addr[p->n] = s->addr[i];
	p->at[p->n++] = (uint32_t)i;
}

/* Splits the units into contiguous parts of about equal bytes. */
static void
divide(struct parts *s)
{
	uint32_t *unit_of = cp_xcalloc(s->n, sizeof(*unit_of));
	struct hit *hits;
	size_t n;
	uint64_t all = find_units(s, unit_of, &hits, &n), before = 0;

	for (size_t i = 0; i < n; i++) {
		const struct dw_unit *u = hits[i].unit;
		double middle =
		    (double)before + (double)(u->end - u->start) / 2;

		hits[i].part = (unsigned)(middle / (double)all * s->count);
		before += u->end - u->start;
	}
	for (size_t i = 0; i < s->n; i++)
		if (unit_of[i] != 0)
			add_address(s, &s->part[hits[unit_of[i] - 1].part], i);
	free(unit_of);
	free(hits);
}

/* -------------------------------------------------------------- merging */

/* Copies a text of another reader.  ids caches its new id. */
static cp_string_id
take_text(struct cp_dwarf *d, const struct cp_dwarf *from, cp_string_id *ids,
    cp_string_id id)
{
	const uint8_t *md5;

	if (id != 0 && from != d && ids[id] == 0) {
		ids[id] =
		    cp_strings_add(&d->strings, cp_dwarf_string(from, id));
		md5 = cp_dwarf_md5(from, id);
		if (md5 != NULL)
			dw_remember_md5(d, ids[id], md5);
	}
	return from != d ? ids[id] : id;
}

static void
merge(struct cp_dwarf *d, struct part *p, struct cp_dwarf_result *result,
    struct cp_dwarf_place *out)
{
	uint32_t first = (uint32_t)result->frames.len;
	cp_string_id *ids =
	    cp_xcalloc(p->dwarf->strings.text.len + 1, sizeof(*ids));

	for (size_t i = 1; i < p->dwarf->roots.text.len && p->dwarf != d; i++)
		cp_strings_add(&d->roots, p->dwarf->roots.text.data[i]);
	cp_vec_reserve(&result->frames, first + p->result.frames.len);
	for (size_t i = 0; i < p->result.frames.len; i++) {
		struct cp_dwarf_frame f = p->result.frames.data[i];

		f.name = take_text(d, p->dwarf, ids, f.name);
		f.file = take_text(d, p->dwarf, ids, f.file);
		result->frames.data[result->frames.len++] = f;
	}
	for (size_t i = 0; i < p->n; i++) {
		out[p->at[i]] = p->out[i];
		out[p->at[i]].first += first;
	}
	free(ids);
}

/* ----------------------------------------------------------------- work */

static void
open_readers(struct parts *s)
{
	s->part[0].dwarf = s->d;
	for (unsigned i = 1; i < s->count; i++) {
		s->part[i].dwarf = cp_dwarf_open(s->d->main.elf, NULL);
		s->part[i].dwarf->alone = true;
	}
}

/* Finds the units while a second thread loads the sections. */
static void
prepare(struct parts *s)
{
	pthread_t thread;
	bool started =
	    pthread_create(&thread, NULL, load_sections, s->part[1].dwarf) == 0;

	divide(s);
	if (started)
		pthread_join(thread, NULL);
}

static void
start(struct parts *s)
{
	for (unsigned i = 1; i < s->count; i++) {
		struct part *p = &s->part[i];

		p->started = p->n != 0 &&
			     pthread_create(&p->thread, NULL, answer, p) == 0;
	}
}

/* False if a reader gave up, or all together exceeded one reader's budget. */
static bool
finish(struct parts *s, bool *spent)
{
	uint64_t used = 0;
	bool whole = true, deep = false;

	for (unsigned i = 0; i < s->count; i++) {
		struct part *p = &s->part[i];

		if (p->n == 0)
			continue;
		if (p->started)
			pthread_join(p->thread, NULL);
		else
			answer(p);
		used += p->dwarf->allowed - p->dwarf->budget;
		whole &= p->dwarf == s->d || !p->dwarf->incomplete;
		deep |= p->dwarf->too_deep;
		s->d->damaged |= p->dwarf->damaged;
	}
	s->d->too_deep = deep;
	*spent = used >= s->d->allowed;
	return whole && !*spent;
}

/* Does everything again with one reader and a full budget. */
static void
start_over(
    struct parts *s, struct cp_dwarf_result *result, struct cp_dwarf_place *out)
{
	struct part p = { .n = s->n };

	p.dwarf = cp_dwarf_open(s->d->main.elf, &s->d->files);
	p.out = cp_xcalloc(s->n, sizeof(*p.out));
	p.at = cp_xcalloc(s->n, sizeof(*p.at));
	for (size_t i = 0; i < s->n; i++)
		p.at[i] = (uint32_t)i;
	cp_dwarf_lookup(p.dwarf, s->addr, s->n, &p.result, p.out);
	merge(s->d, &p, result, out);
	s->d->budget = p.dwarf->budget;
	s->d->incomplete |= p.dwarf->incomplete;
	s->d->damaged |= p.dwarf->damaged;
	if (s->d->missing == NULL && p.dwarf->missing != NULL)
		s->d->missing = p.dwarf->missing;
	s->d->too_deep = p.dwarf->too_deep;
	cp_vec_free(&p.result.frames);
	cp_dwarf_free(p.dwarf);
	free(p.out);
	free(p.at);
}

static void
parts_free(struct parts *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct part *p = &s->part[i];

		if (p->dwarf != s->d)
			cp_dwarf_free(p->dwarf);
		cp_vec_free(&p->result.frames);
		free(p->addr);
		free(p->at);
		free(p->out);
	}
}

void
cp_dwarf_lookup_by(struct cp_dwarf *d, unsigned threads, const uint64_t *addr,
    size_t n, struct cp_dwarf_result *result, struct cp_dwarf_place *out)
{
	struct parts s = { .d = d, .addr = addr, .n = n };
	bool spent;

	s.count = (unsigned)CP_MIN(CP_MIN(threads, MAX_PARTS), n / WORTH);
	if (s.count < 2 || d->together) {
		cp_dwarf_lookup(d, addr, n, result, out);
		return;
	}
	open_readers(&s);
	prepare(&s);
	start(&s);
	memset(out, 0, n * sizeof(*out));
	if (finish(&s, &spent)) {
		for (unsigned i = 0; i < s.count; i++)
			merge(d, &s.part[i], result, out);
	} else if (spent) {
		start_over(&s, result, out);
	} else {
		d->together = true;
		cp_dwarf_lookup(d, addr, n, result, out);
	}
	parts_free(&s);
}
