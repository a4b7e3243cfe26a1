/* SPDX-License-Identifier: MIT */
/*
 * jit: finds the load that is at an address now.
 *
 * Each start address that any load will have gets a slot, in order of address,
 * and a bit that tells if a load is there now.  A second bitmap has one bit per
 * nonzero word of the first.  A look-up finds the slot by binary search, then
 * searches the bitmaps backwards for the last bit set.
 */
#include "model/jit.h"

#include "base/limits.h"

enum { WORD = 64, PAGE_SHIFT = 12, MAX_PAGES = 64 };

static int
time_order(const void *a, const void *b)
{
	const struct cp_jit_load *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void
make_starts(struct cp_jit *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->loads.len; i++)
		*cp_vec_push(&j->starts) = j->loads.data[i].start;
	if (j->starts.len != 0)
		qsort(j->starts.data, j->starts.len, sizeof(*j->starts.data),
		    cp_u64_order);
	for (size_t i = 0; i < j->starts.len; i++)
		if (n == 0 || j->starts.data[n - 1] != j->starts.data[i])
			j->starts.data[n++] = j->starts.data[i];
	j->starts.len = n;
}

void
cp_jit_settle(struct cp_jit *j)
{
	size_t words;

	if (j->loads.len != 0)
		qsort(j->loads.data, j->loads.len, sizeof(*j->loads.data),
		    time_order);
	make_starts(j);
	words = j->starts.len / WORD + 1;
	j->load = cp_xcalloc(j->starts.len, sizeof(*j->load));
	j->end = cp_xcalloc(j->starts.len, sizeof(*j->end));
	j->used = cp_xcalloc(words, sizeof(*j->used));
	j->used_words = cp_xcalloc(words / WORD + 1, sizeof(*j->used));
}

/* ------------------------------------------------------------------- bits */

enum { NONE = -1 };

static void
bit_set(struct cp_jit *j, size_t i, bool on)
{
	size_t w = i / WORD;

	if (on)
		j->used[w] |= UINT64_C(1) << i % WORD;
	else
		j->used[w] &= ~(UINT64_C(1) << i % WORD);
	if (j->used[w] != 0)
		j->used_words[w / WORD] |= UINT64_C(1) << w % WORD;
	else
		j->used_words[w / WORD] &= ~(UINT64_C(1) << w % WORD);
}

/* Returns the index of the last bit set at or before i, or NONE. */
static ptrdiff_t
last_bit(const uint64_t *bits, size_t i)
{
	size_t w = i / WORD;
	uint64_t v = bits[w] & UINT64_MAX >> (WORD - 1 - i % WORD);

	while (v == 0 && w > 0)
		v = bits[--w];
	if (v == 0)
		return NONE;
	return (ptrdiff_t)(w * WORD + WORD - 1 - (size_t)__builtin_clzll(v));
}

/* The same, using both bitmaps. */
static ptrdiff_t
used_before(const struct cp_jit *j, size_t i)
{
	size_t w = i / WORD;
	uint64_t v = j->used[w] & UINT64_MAX >> (WORD - 1 - i % WORD);
	ptrdiff_t word;

	if (v == 0) {
		word = w > 0 ? last_bit(j->used_words, w - 1) : NONE;
		if (word == NONE)
			return NONE;
		w = (size_t)word;
		v = j->used[w];
	}
	return (ptrdiff_t)(w * WORD + WORD - 1 - (size_t)__builtin_clzll(v));
}

/* Returns the last slot whose start is at or before ip, or NONE. */
static ptrdiff_t
slot_before(const struct cp_jit *j, uint64_t ip)
{
	size_t lo = 0, hi = j->starts.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (j->starts.data[mid] <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (ptrdiff_t)lo - 1;
}

/* Returns the last slot in use whose start is at or before ip, or NONE. */
static ptrdiff_t
load_before(const struct cp_jit *j, uint64_t ip)
{
	ptrdiff_t slot = slot_before(j, ip);

	return slot != NONE ? used_before(j, (size_t)slot) : NONE;
}

/* ------------------------------------------------------------------ changes */

/* Removes the loads in [start, end).  Cuts a load that begins earlier. */
static bool
clear(struct cp_jit *j, uint64_t start, uint64_t end)
{
	bool any = false;
	ptrdiff_t slot;

	/* Backwards from the end, until a load begins before start. */
	while ((slot = load_before(j, end - 1)) != NONE &&
	       j->starts.data[slot] >= start) {
		bit_set(j, (size_t)slot, false);
		j->load[slot] = 0;
		any = true;
	}
	if (slot != NONE && j->end[slot] > start) {
		j->end[slot] = start;
		any = true;
	}
	return any;
}

/* True if an address of the new load was looked up before it was there. */
static bool
was_missed(const struct cp_jit *j, const struct cp_jit_load *l)
{
	uint64_t first = l->start >> PAGE_SHIFT;
	uint64_t last = (l->end - 1) >> PAGE_SHIFT;

	if (j->missed.len == 0)
		return false;
	if (j->missed.len >= CP_MAX_JIT_PAGES || last - first >= MAX_PAGES)
		return true;
	for (uint64_t p = first; p <= last; p++)
		if (cp_map64_get(&j->missed, p) != 0)
			return true;
	return false;
}

static void
changed(struct cp_jit *j)
{
	j->version++;
	cp_map64_free(&j->missed);
}

static bool
put(struct cp_jit *j, size_t number)
{
	const struct cp_jit_load *l = &j->loads.data[number];
	bool other = clear(j, l->start, l->end) || was_missed(j, l);
	size_t slot = (size_t)slot_before(j, l->start);

	bit_set(j, slot, true);
	j->load[slot] = (uint32_t)number + 1;
	j->end[slot] = l->end;
	return other;
}

bool
cp_jit_advance(struct cp_jit *j, uint64_t time)
{
	bool other = false;

	while (j->next < j->loads.len && j->loads.data[j->next].time <= time)
		other |= put(j, j->next++);
	if (other)
		changed(j);
	return other;
}

uint64_t
cp_jit_next(const struct cp_jit *j)
{
	return j->next < j->loads.len ? j->loads.data[j->next].time
				      : UINT64_MAX;
}

bool
cp_jit_has(const struct cp_jit *j, uint64_t start, uint64_t end)
{
	ptrdiff_t slot = end > start ? load_before(j, end - 1) : NONE;

	return slot != NONE && j->end[slot] > start;
}

bool
cp_jit_forget(struct cp_jit *j, uint64_t start, uint64_t end)
{
	if (end <= start || !clear(j, start, end))
		return false;
	changed(j);
	return true;
}

static const struct cp_jit_load *
load_at(const struct cp_jit *j, uint64_t ip)
{
	ptrdiff_t slot = load_before(j, ip);

	return slot != NONE && ip < j->end[slot]
		   ? &j->loads.data[j->load[slot] - 1]
		   : NULL;
}

const struct cp_jit_load *
cp_jit_find(struct cp_jit *j, uint64_t ip)
{
	const struct cp_jit_load *l = load_at(j, ip);

	if (l != NULL || j->next == j->loads.len)
		return l;
	if (j->missed.len < CP_MAX_JIT_PAGES)
		*cp_map64_put(&j->missed, ip >> PAGE_SHIFT) = 1;
	return NULL;
}

const struct cp_jit_load *
cp_jit_search(struct cp_jit **j, uint64_t ip)
{
	const struct cp_jit_load *best = NULL;

	for (struct cp_jit *of = *j; of != NULL; of = of->below) {
		const struct cp_jit_load *l = cp_jit_find(of, ip);

		if (l != NULL && (best == NULL || l->time > best->time)) {
			best = l;
			*j = of;
		}
	}
	return best;
}

void
cp_jit_free(struct cp_jit *j)
{
	cp_vec_free(&j->loads);
	cp_vec_free(&j->starts);
	cp_map64_free(&j->missed);
	free(j->load);
	free(j->end);
	free(j->used);
	free(j->used_words);
}
