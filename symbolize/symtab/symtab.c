/* SPDX-License-Identifier: MIT */
/*
 * Sorts, ends and indexes symbols.
 *
 * The sort is a stable radix sort, so symbols of equal start keep the file's
 * order.  The rules for ends and aliases are perf's, in perf's order (ends
 * first, then aliases).  Overlapping symbols are cut into segments, so that a
 * look-up is one binary search for any nesting.
 */
#include "symbolize/symtab/symtab.h"

#include "base/elf.h"
#include "base/radix.h"
#include "symbolize/symtab/alias.h"

/* Length of the sorted start: in kallsyms all but the modules. */
static size_t
sorted_run(const struct cp_entry *e, size_t n)
{
	size_t i = 1;

	while (i < n && e[i].start >= e[i - 1].start)
		i++;
	return CP_MIN(i, n);
}

/* Returns the entries' indexes, sorted by start. */
static uint64_t *
sorted_numbers(const struct cp_entry *e, size_t n)
{
	uint64_t *start = cp_xmalloc(n * sizeof(*start)), *order;

	for (size_t i = 0; i < n; i++)
		start[i] = e[i].start;
	order = cp_radix_order(start, n);
	free(start);
	return order;
}

/* Sorts the entries from `from` on; usually that is the whole table. */
static void
sort_from(struct cp_symtab *t, size_t from)
{
	struct cp_entry *e = t->all.data + from, *sorted;
	size_t n = t->all.len - from;
	uint64_t *order;

	if (n < 2)
		return;
	order = sorted_numbers(e, n);
	sorted = cp_xmalloc(n * sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = e[(uint32_t)order[i]];
	free(order);
	if (from == 0) {
		free(t->all.data);
		t->all.data = sorted;
		t->all.cap = n;
		return;
	}
	memcpy(e, sorted, n * sizeof(*sorted));
	free(sorted);
}

/* Merges the sorted tail into the sorted head; equal ones of the head first. */
static void
merge_entries(struct cp_entry *e, size_t head, size_t n)
{
	size_t i = head, j = n - head, to = n;
	struct cp_entry *tail;

	if (head == 0 || head == n || e[head - 1].start <= e[head].start)
		return;
	tail = cp_xmalloc(j * sizeof(*tail));
	memcpy(tail, e + head, j * sizeof(*tail));
	while (j > 0)
		if (i > 0 && e[i - 1].start > tail[j - 1].start)
			e[--to] = e[--i];
		else
			e[--to] = tail[--j];
	free(tail);
}

static uint64_t
page_after(uint64_t addr)
{
	if (addr > UINT64_MAX - 8191)
		return UINT64_MAX;
	return (addr + 4095) / 4096 * 4096 + 4096;
}

static bool
same_module(const struct cp_entry *a, const struct cp_entry *b)
{
	if (a->module != b->module)
		return false;
	return !a->module || strcmp(a->name + strlen(a->name) + 1,
				 b->name + strlen(b->name) + 1) == 0;
}

static void
fix_end(struct cp_entry *e, const struct cp_entry *next, enum cp_settle how)
{
	if (e->end != e->start)
		return;
	e->guessed = true;
	if (next == NULL ||
	    (how == CP_SETTLE_KALLSYMS && !same_module(e, next)))
		e->end = page_after(e->start);
	else
		e->end = next->start;
}

/*
 * Keeps an alias.  Choosing by name needs demangling, so it waits until the
 * symbol is shown.  *tail is the last alias of the kept symbol.
 */
static void
keep_name(struct cp_symtab *t, struct cp_entry *kept, const char *name,
    uint32_t *tail)
{
	if (t->others.len == 0)
		*cp_vec_push(&t->others) = (struct cp_other_name){ 0 };
	*cp_vec_push(&t->others) = (struct cp_other_name){ .name = name };
	if (kept->other == 0)
		kept->other = (uint32_t)t->others.len - 1;
	else
		t->others.data[*tail].next = (uint32_t)t->others.len - 1;
	*tail = (uint32_t)t->others.len - 1;
}

static uint32_t
tail_of(const struct cp_symtab *t, uint32_t other)
{
	while (other != 0 && t->others.data[other].next != 0)
		other = t->others.data[other].next;
	return other;
}

/* Joins e to kept, which starts at the same address. */
static void
join_alias(struct cp_symtab *t, struct cp_entry *kept, const struct cp_entry *e,
    uint32_t *tail)
{
	int order = cp_alias_order(kept, e);
	uint32_t number = (uint32_t)(kept - t->all.data);

	/*
	 * The module after the name's NUL is equal too, so only names differ.
	 */
	if (order == 0 && kept->end == e->end && kept->module == e->module) {
		keep_name(t, kept, e->name, tail);
		return;
	}
	if (order > 0 ||
	    (order == 0 &&
		!cp_alias_prefers_first(cp_symtab_name(t, number), e->name))) {
		*kept = *e;
		*tail = 0;
	}
}

/* State of the pass that settles entries in order. */
struct settling {
	struct cp_symtab *t;
	enum cp_settle how;
	size_t kept;
	uint32_t tail;        /* last alias of the last kept entry */
	struct cp_entry *now; /* the current entry, still without an end */
	uint64_t functions;   /* end of the functions so far */
};

/*
 * A label inside a function is no function.  perf shows either of them,
 * depending on the shape of its tree.
 */
static bool
is_inner_label(const struct settling *z, const struct cp_entry *e)
{
	return z->how == CP_SETTLE_ELF && e->type == STT_NOTYPE &&
	       e->end == e->start && e->start < z->functions &&
	       (z->now == NULL || z->now->start != e->start);
}

/* Ends the current entry.  It is kept, or joined to the last kept one. */
static void
settle_entry(struct settling *z, const struct cp_entry *next)
{
	struct cp_entry *e = z->t->all.data + z->kept;

	fix_end(z->now, next, z->how);
	if (z->kept == 0 || e[-1].start != z->now->start) {
		z->tail = tail_of(z->t, z->now->other);
		if (e != z->now)
			*e = *z->now;
		z->kept++;
	} else {
		join_alias(z->t, e - 1, z->now, &z->tail);
	}
}

/* Keeps the first of each start: the earlier symbols, which are settled. */
static size_t
keep_first(struct cp_entry *e, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept != 0 && e[kept - 1].start == e[i].start)
			continue;
		if (kept != i)
			e[kept] = e[i];
		kept++;
	}
	return kept;
}

static size_t
settle_entries(struct cp_symtab *t, enum cp_settle how)
{
	struct settling z = { .t = t, .how = how };
	struct cp_entry *e = t->all.data;

	for (size_t i = 0; i < t->all.len; i++) {
		if (is_inner_label(&z, &e[i]))
			continue;
		if (e[i].type == STT_FUNC)
			z.functions = CP_MAX(z.functions, e[i].end);
		if (z.now != NULL)
			settle_entry(&z, &e[i]);
		z.now = &e[i];
	}
	if (z.now != NULL)
		settle_entry(&z, NULL);
	return z.kept;
}

void
cp_symtab_label(struct cp_symtab *t, const char *label)
{
	struct cp_entry *e = &t->all.data[t->all.len - 1];
	uint32_t tail = tail_of(t, e->other);

	keep_name(t, e, label, &tail);
	e->labelled = e->chosen = true;
}

const char *
cp_symtab_name(struct cp_symtab *t, uint32_t number)
{
	struct cp_entry *e = &t->all.data[number];

	for (uint32_t o = e->chosen ? 0 : e->other; o != 0;
	     o = t->others.data[o].next) {
		const char *other = t->others.data[o].name;

		if (!cp_alias_prefers_first(e->name, other)) {
			t->others.data[o].name = e->name;
			e->name = other;
		}
	}
	e->chosen = true;
	return e->name;
}

size_t
cp_symtab_twins(
    const struct cp_symtab *t, uint32_t number, const char **names, size_t max)
{
	const struct cp_entry *e = &t->all.data[number];
	size_t n = 0;

	for (uint32_t o = e->type == STT_FUNC && !e->guessed ? e->other : 0;
	     o != 0 && n < max; o = t->others.data[o].next) {
		const char *name = t->others.data[o].name;
		bool twin = cp_alias_are_twins(e->name, name);

		for (size_t i = 0; i < n; i++)
			twin &= cp_alias_are_twins(names[i], name);
		if (twin)
			names[n++] = name;
	}
	return n;
}

void
cp_symtab_settle(struct cp_symtab *t, enum cp_settle how)
{
	size_t tail = t->all.len - t->settled, run;

	if (tail == 0)
		return;
	run = sorted_run(t->all.data + t->settled, tail);
	if (run < tail / 8)
		run = 0; /* sorted only by chance */
	merge_entries(t->all.data, t->settled, t->settled + run);
	sort_from(t, t->settled + run);
	merge_entries(t->all.data, t->settled + run, t->all.len);
	t->all.len = how == CP_SETTLE_ADDED
			 ? keep_first(t->all.data, t->all.len)
			 : settle_entries(t, how);
	t->settled = t->all.len;
}

uint32_t
cp_symtab_at(const struct cp_symtab *t, uint64_t addr)
{
	size_t lo = 0, hi = t->settled;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->all.data[mid].start < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->settled && t->all.data[lo].start == addr ? (uint32_t)lo
								: CP_NO_ENTRY;
}

static void
put_segment(struct cp_symtab *t, uint64_t key, uint32_t which)
{
	/* An empty segment is replaced by the next one. */
	if (t->segments > 0 && t->key[t->segments - 1] == key)
		t->segments--;
	t->key[t->segments] = key;
	t->which[t->segments++] = which;
}

/* Closes the symbols that end before upto.  An outer symbol continues. */
static size_t
close_ended(
    struct cp_symtab *t, const uint32_t *open, size_t depth, uint64_t upto)
{
	const struct cp_entry *e = t->all.data;

	while (depth > 0 && e[open[depth - 1]].end <= upto) {
		uint64_t end = e[open[--depth]].end;

		/* Skips outer symbols that end inside the closed one. */
		while (depth > 0 && e[open[depth - 1]].end <= end)
			depth--;
		if (depth > 0)
			put_segment(t, end, open[depth - 1]);
	}
	return depth;
}

void
cp_symtab_index(struct cp_symtab *t)
{
	size_t n = t->all.len, depth = 0;
	uint32_t *open;

	if (t->key != NULL) /* indexed already, as by overlap.c */
		return;
	open = cp_xmalloc(n * sizeof(*open));
	t->key = cp_xmalloc(2 * n * sizeof(*t->key));
	t->which = cp_xmalloc(2 * n * sizeof(*t->which));
	for (size_t i = 0; i < n; i++) {
		depth = close_ended(t, open, depth, t->all.data[i].start);
		put_segment(t, t->all.data[i].start, (uint32_t)i);
		open[depth++] = (uint32_t)i;
	}
	close_ended(t, open, depth, UINT64_MAX);
	free(open);
}

/* The last segment that begins at or before addr, from index lo on. */
static size_t
search(const uint64_t *key, size_t lo, size_t n, uint64_t addr)
{
	const uint64_t *p = key + lo;

	while (n > 1) {
		size_t half = n / 2;

		p = p[half] <= addr ? p + half : p;
		n -= half;
	}
	return (size_t)(p - key);
}

uint32_t
cp_symtab_find(const struct cp_symtab *t, uint64_t addr, size_t *hint)
{
	size_t lo = *hint, step = 1;
	uint32_t w;

	if (t->segments == 0)
		return CP_NO_ENTRY;
	if (lo >= t->segments || t->key[lo] > addr)
		lo = 0;
	while (lo + step < t->segments && t->key[lo + step] <= addr) {
		lo += step;
		step *= 2;
	}
	lo = search(t->key, lo, CP_MIN(step, t->segments - lo), addr);
	*hint = lo;
	w = t->which[lo];
	if (addr < t->all.data[w].start || addr >= t->all.data[w].end)
		return CP_NO_ENTRY;
	return w;
}

void
cp_symtab_borrow(
    struct cp_symtab *t, const struct cp_symtab *from, size_t first, size_t n)
{
	*t = (struct cp_symtab){ .borrowed = true, .settled = n };
	t->all.data = from->all.data + first;
	t->all.len = n;
}

void
cp_symtab_free(struct cp_symtab *t)
{
	if (!t->borrowed)
		cp_vec_free(&t->all);
	cp_vec_free(&t->others);
	free(t->key);
	free(t->which);
	cp_arena_free(&t->names);
	*t = (struct cp_symtab){ 0 };
}
