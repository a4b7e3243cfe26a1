/* SPDX-License-Identifier: MIT */
#include "model/map.h"

#include "base/limits.h"

static void
maps_free(struct cp_maps *m)
{
	if (m->data != NULL)
		free(m->data - m->before);
}

static void
maps_copy(
    struct cp_maps *to, const struct cp_maps *from, size_t before, size_t after)
{
	struct cp_map *all =
	    cp_xcalloc(before + from->len + after, sizeof(*all));

	if (from->len != 0)
		memcpy(all + before, from->data, from->len * sizeof(*all));
	*to = (struct cp_maps){ .data = all + before,
		.len = from->len,
		.before = before,
		.after = after };
}

/* Makes more room before or after the mappings. */
static void
maps_grow(struct cp_maps *m, bool before)
{
	size_t more = CP_MAX(m->len / 2, 16);
	struct cp_maps old = *m;

	maps_copy(m, &old, old.before + (before ? more : 0),
	    old.after + (before ? 0 : more));
	maps_free(&old);
}

struct cp_aspace *
cp_aspace_new(void)
{
	struct cp_aspace *a = cp_xcalloc(1, sizeof(*a));

	a->refs = 1;
	return a;
}

struct cp_aspace *
cp_aspace_ref(struct cp_aspace *a)
{
	a->refs++;
	return a;
}

void
cp_aspace_unref(struct cp_aspace *a)
{
	if (a == NULL || --a->refs != 0)
		return;
	cp_aspace_unref(a->old);
	if (a->copies != NULL)
		*a->copies -= a->copied;
	maps_free(&a->maps);
	free(a);
}

void
cp_aspace_forget(struct cp_aspace *a)
{
	cp_aspace_unref(a->old);
	a->old = NULL;
}

struct cp_aspace *
cp_aspace_own(struct cp_aspace *a)
{
	struct cp_aspace *own;

	if (a->refs == 1)
		return a;
	own = cp_aspace_new();
	maps_copy(&own->maps, &a->maps, 0, 1);
	own->generation = a->generation;
	own->kernel_generation = a->kernel_generation;
	own->missed = a->missed;
	own->narrow = a->narrow;
	own->program = a->program;
	own->n_missed = a->n_missed;
	memcpy(own->missed_ip, a->missed_ip, sizeof(a->missed_ip));
	own->copies = a->copies;
	own->copied = a->copies != NULL ? a->maps.len : 0;
	if (own->copies != NULL)
		*own->copies += own->copied;
	own->old = a->old != NULL ? cp_aspace_ref(a->old) : NULL;
	cp_aspace_unref(a);
	return own;
}

/* Index of the first mapping whose end is after ip. */
static size_t
first_ending_after(const struct cp_aspace *a, uint64_t ip)
{
	size_t lo = 0, hi = a->maps.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (a->maps.data[mid].end <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct cp_map *
cp_aspace_find(const struct cp_aspace *a, uint64_t ip)
{
	size_t i = first_ending_after(a, ip);

	if (i < a->maps.len && a->maps.data[i].start <= ip)
		return &a->maps.data[i];
	return NULL;
}

bool
cp_aspace_is_code(const struct cp_aspace *a, uint64_t ip)
{
	const struct cp_map *m = cp_aspace_find(a, ip);

	return m != NULL ? m->code : a->maps.len == 0;
}

/*
 * Remembers some misses one by one, since chains have words that are no
 * addresses.
 */
static void
remember_miss(struct cp_aspace *a, uint64_t ip)
{
	for (unsigned i = 0; i < a->n_missed; i++)
		if (a->missed_ip[i] == ip)
			return;
	if (a->n_missed < CP_MISSED)
		a->missed_ip[a->n_missed++] = ip;
	else
		a->missed = true;
}

static bool
was_missed(const struct cp_aspace *a, const struct cp_map *m)
{
	for (unsigned i = 0; i < a->n_missed; i++)
		if (a->missed_ip[i] >= m->start && a->missed_ip[i] < m->end)
			return true;
	return a->missed;
}

void
cp_aspace_renew(struct cp_aspace *a, uint32_t generation)
{
	a->generation = generation;
	a->missed = false;
	a->n_missed = 0;
}

/* Tries the mapping of the last answer: most addresses are near it. */
static inline const struct cp_map *
try_last_answer(const struct cp_aspace *a, uint64_t ip)
{
	const struct cp_map *m;

	if (a->asked >= a->maps.len)
		return NULL;
	m = &a->maps.data[a->asked];
	return m->start <= ip && ip < m->end ? m : NULL;
}

const struct cp_map *
cp_aspace_ask(struct cp_aspace *a, uint64_t ip)
{
	const struct cp_map *m = try_last_answer(a, ip);

	if (CP_LIKELY(m != NULL))
		return m;
	m = cp_aspace_find(a, ip);
	if (m != NULL)
		a->asked = (size_t)(m - a->maps.data);
	else
		remember_miss(a, ip);
	if (m == NULL && a->old != NULL)
		m = cp_aspace_find(a->old, ip);
	return m;
}

uint64_t
cp_aspace_next(const struct cp_aspace *a, uint64_t ip)
{
	size_t i = first_ending_after(a, ip);

	if (i < a->maps.len && a->maps.data[i].start < ip)
		i++;
	return i < a->maps.len ? a->maps.data[i].start : UINT64_MAX;
}

/* Moves the elements before (or from) index `at` by `by` places. */
static void
shift(struct cp_maps *m, size_t at, bool before, ptrdiff_t by)
{
	struct cp_map *from = before ? m->data : m->data + at;

	if (m->len != 0)
		memmove(from + by, from,
		    (before ? at : m->len - at) * sizeof(*from));
	if (before) {
		m->data += by;
		m->before += (size_t)by;
	} else {
		m->after -= (size_t)by;
	}
}

/* Replaces maps [at, at + gone) by n new ones.  Moves the shorter side. */
static void
splice(struct cp_maps *m, size_t at, size_t gone, const struct cp_map *new,
    size_t n)
{
	bool before = at < m->len - at - gone;
	ptrdiff_t by = (ptrdiff_t)n - (ptrdiff_t)gone;

	if (by > 0 && (before ? m->before : m->after) < (size_t)by)
		maps_grow(m, before);
	if (by != 0)
		shift(m, before ? at : at + gone, before, before ? -by : by);
	m->len += (size_t)by;
	if (n != 0)
		memcpy(m->data + at, new, n * sizeof(*new));
}

/*
 * Replaces [start, end) by `new`, or by nothing.  The rest of a mapping that
 * overlaps the edge keeps its delta, which does not depend on its start.  True
 * if an address that was mapped has another meaning now; a heap that only grew
 * changes none.
 */
static bool
replace(
    struct cp_aspace *a, uint64_t start, uint64_t end, const struct cp_map *new)
{
	struct cp_map out[3];
	size_t at = first_ending_after(a, start), last = at, n = 0;
	bool other = false;

	for (; last < a->maps.len && a->maps.data[last].start < end; last++)
		other |= new == NULL || a->maps.data[last].dso != new->dso ||
			 a->maps.data[last].delta != new->delta ||
			 a->maps.data[last].code != new->code;
	if (last > at && a->maps.data[at].start < start) {
		out[n] = a->maps.data[at];
		out[n++].end = start;
	}
	if (new != NULL)
		out[n++] = *new;
	if (last > at && a->maps.data[last - 1].end > end) {
		out[n] = a->maps.data[last - 1];
		out[n++].start = end;
	}
	splice(&a->maps, at, last - at, out, n);
	return other;
}

int
cp_aspace_insert(struct cp_aspace *a, const struct cp_map *m, bool *changed)
{
	const struct cp_map *old = cp_aspace_find(a, m->start);

	*changed = false;
	if (m->end <= m->start)
		return CP_OK;
	if (old != NULL && old->start == m->start && old->end == m->end &&
	    old->dso == m->dso && old->delta == m->delta &&
	    old->code == m->code)
		return CP_OK;
	if (a->maps.len >= CP_MAX_MAPS)
		return CP_FAIL;
	*changed = replace(a, m->start, m->end, m) || was_missed(a, m);
	return CP_OK;
}

bool
cp_aspace_remove(struct cp_aspace *a, uint64_t start, uint64_t end)
{
	return end > start && replace(a, start, end, NULL);
}
