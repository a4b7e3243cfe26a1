/* SPDX-License-Identifier: MIT */
/*
 * Of a large symbol table only what names some addresses.
 *
 * cp_symtab_find() shows the symbol with the highest start of those that an
 * address lies in.  Which those are hangs on three things besides their own
 * sizes: a symbol without a size ends where the next one starts; it is left
 * out if it is a label inside of a function; and of those with the same start
 * one is shown.  So what is kept is
 *
 *   - each symbol that has a size and one of the points in it: the addresses,
 *     and where symbols without a size start (their functions);
 *   - all without a size, and the next symbols of each table behind them;
 *   - all that start where one of these does.
 *
 * More than that does no harm, as long as the last line holds: it is tested by
 * few bits of a hash.
 */
#include "symbolize/elf/symbols.h"

#include <elf.h>
#include <stddef.h>

enum { START_BITS = 17 };

/* Ascending numbers, and where to begin to look for one. */
struct points {
	cp_elf_addresses all; /* the last one is UINT64_MAX */
	uint32_t *first;      /* by the bits of a number above shift */
	uint64_t low, high;
	unsigned shift;
};

struct picking {
	struct cp_elf_choice *choice;
	size_t choices;
	struct points asked, sizeless;
	uint64_t *starts; /* bits, by hash: of symbols that are kept */
};

static void
points_sort(cp_elf_addresses *a)
{
	if (a->len != 0)
		qsort(a->data, a->len, sizeof(*a->data), cp_u64_order);
}

/* Makes what the search begins with. */
static void
points_index(struct points *p)
{
	const size_t n = p->all.len;
	size_t buckets = 1, i = 0;
	unsigned bits;

	p->low = n != 0 ? p->all.data[0] : 0;
	p->high = n != 0 ? p->all.data[n - 1] : 0;
	*cp_vec_push(&p->all) = UINT64_MAX;
	while (buckets < n && buckets < UINT64_C(1) << 16)
		buckets *= 2;
	for (bits = 0; (p->high - p->low) >> bits >= buckets; bits++)
		;
	p->shift = bits;
	buckets = ((p->high - p->low) >> bits) + 1;
	p->first = cp_xmalloc(buckets * sizeof(*p->first));
	for (size_t b = 0; b < buckets; b++) {
		while (i < n && (p->all.data[i] - p->low) >> bits < b)
			i++;
		p->first[b] = (uint32_t)i;
	}
}

/* The number of the first one that is not below v. */
static inline size_t
points_from(const struct points *p, uint64_t v)
{
	size_t i = 0;

	if (v > p->high)
		return p->all.len - 1;
	if (v > p->low)
		i = p->first[(v - p->low) >> p->shift];
	while (p->all.data[i] < v)
		i++;
	return i;
}

static void
points_free(struct points *p)
{
	cp_vec_free(&p->all);
	free(p->first);
}

static inline uint64_t
size_of(const struct cp_elf_choice *c, size_t i)
{
	const struct cp_elf_symbols *s = &c->syms;
	const uint8_t *p = s->table.at;

	return s->elf->wide ? cp_load64(p + c->number[i] * sizeof(Elf64_Sym) +
					    offsetof(Elf64_Sym, st_size),
				  s->table.swap)
			    : cp_load32(p + c->number[i] * sizeof(Elf32_Sym) +
					    offsetof(Elf32_Sym, st_size),
				  s->table.swap);
}

static inline uint32_t
start_bit(uint64_t start)
{
	return (uint32_t)(start * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - START_BITS));
}

static inline void
keep_start(struct picking *p, uint64_t start)
{
	uint32_t b = start_bit(start);

	p->starts[b / 64] |= UINT64_C(1) << b % 64;
}

static void
find_sizeless(struct picking *p)
{
	for (size_t k = 0; k < p->choices; k++) {
		const struct cp_elf_choice *c = &p->choice[k];

		for (size_t i = 0; c->sizeless != 0 && i < c->n; i++)
			if (size_of(c, i) == 0)
				*cp_vec_push(&p->sizeless.all) = c->start[i];
	}
}

/* Those of one table that an address lies in, or that are the next ones. */
static void
keep_needed(struct picking *p, const struct cp_elf_choice *c)
{
	const size_t ends = p->sizeless.all.len - 1;
	uint64_t *next = cp_xmalloc((ends + 1) * sizeof(*next));

	memset(next, 0xff, (ends + 1) * sizeof(*next));
	for (size_t i = 0; i < c->n; i++) {
		uint64_t start = c->start[i], size = size_of(c, i), end;
		size_t before;

		if (size == 0)
			continue;
		if (__builtin_add_overflow(start, size, &end))
			end = UINT64_MAX;
		if (p->asked.all.data[points_from(&p->asked, start)] < end)
			keep_start(p, start);
		before = points_from(&p->sizeless, start);
		if (before != 0)
			next[before - 1] = CP_MIN(next[before - 1], start);
	}
	for (size_t k = 0; k < ends; k++)
		keep_start(p, next[k]);
	free(next);
}

static void
keep_starts(const struct picking *p, struct cp_elf_choice *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		uint32_t b = start_bit(c->start[i]);

		if ((p->starts[b / 64] >> b % 64 & 1) == 0)
			continue;
		c->start[n] = c->start[i];
		c->number[n++] = c->number[i];
	}
	c->n = n;
}

/* Both are ascending. */
static void
merge(cp_elf_addresses *to, const uint64_t *a, size_t n,
    const cp_elf_addresses *b)
{
	size_t i = 0, k = 0;

	cp_vec_reserve(to, n + b->len + 1);
	while (i < n || k < b->len)
		if (k == b->len || (i < n && a[i] <= b->data[k]))
			to->data[to->len++] = a[i++];
		else
			to->data[to->len++] = b->data[k++];
}

/* All that is to be found as it would be in the whole. */
static void
find_points(struct picking *p, const uint64_t *addr, size_t n,
    const cp_elf_addresses *more)
{
	const cp_elf_addresses *z = &p->sizeless.all;
	cp_elf_addresses rest = { 0 };

	cp_vec_reserve(&rest, more->len + z->len);
	for (size_t i = 0; i < more->len; i++)
		*cp_vec_push(&rest) = more->data[i];
	for (size_t i = 0; i < z->len; i++) {
		*cp_vec_push(&rest) = z->data[i];
		keep_start(p, z->data[i]);
	}
	points_sort(&rest);
	merge(&p->asked.all, addr, n, &rest);
	cp_vec_free(&rest);
	points_index(&p->asked);
	points_sort(&p->sizeless.all);
	points_index(&p->sizeless);
}

bool
cp_elf_pick(struct cp_elf_choice *c, size_t choices, const uint64_t *addr,
    size_t n, const cp_elf_addresses *more)
{
	struct picking p = { .choice = c, .choices = choices };
	size_t all = 0, sizeless = 0;

	for (size_t k = 0; k < choices; k++) {
		all += c[k].n;
		sizeless += c[k].sizeless;
	}
	if (n > all || sizeless > all / 4)
		return false;
	p.starts = cp_xcalloc((1u << START_BITS) / 64, sizeof(*p.starts));
	find_sizeless(&p);
	find_points(&p, addr, n, more);
	for (size_t k = 0; k < choices; k++)
		keep_needed(&p, &c[k]);
	for (size_t k = 0; k < choices; k++)
		keep_starts(&p, &c[k]);
	points_free(&p.asked);
	points_free(&p.sizeless);
	free(p.starts);
	return true;
}
