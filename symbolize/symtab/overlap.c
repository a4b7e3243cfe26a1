/* SPDX-License-Identifier: MIT */
/*
 * Indexes a table whose symbols may overlap: a later definition hides an
 * earlier one.
 *
 * A sweep over the start and end addresses keeps the open symbols in a heap,
 * the latest on top.  An ended symbol leaves the heap when it comes to the top.
 */
#include "symbolize/symtab/symtab.h"

struct heap {
	uint32_t *at; /* indexes of symbols */
	size_t len;
};

static void
heap_push(struct heap *h, uint32_t number)
{
	size_t i = h->len++;

	while (i > 0 && h->at[(i - 1) / 2] < number) {
		h->at[i] = h->at[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->at[i] = number;
}

static void
heap_pop(struct heap *h)
{
	uint32_t last = h->at[--h->len];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->len) {
		if (child + 1 < h->len && h->at[child + 1] > h->at[child])
			child++;
		if (h->at[child] < last)
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = last;
}

struct start {
	uint64_t at;
	uint32_t number;
};

static int
start_order(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void
put(struct cp_symtab *t, uint64_t key, uint32_t which)
{
	if (t->segments > 0 && t->which[t->segments - 1] == which)
		return;
	if (t->segments > 0 && t->key[t->segments - 1] == key)
		t->segments--;
	t->key[t->segments] = key;
	t->which[t->segments++] = which;
}

/* Ends symbols up to the address; each time the next one in the heap shows. */
static void
close_ended(struct cp_symtab *t, struct heap *h, uint64_t upto)
{
	const struct cp_entry *e = t->all.data;

	while (h->len > 0 && e[h->at[0]].end <= upto) {
		uint64_t end = e[h->at[0]].end;

		while (h->len > 0 && e[h->at[0]].end <= end)
			heap_pop(h);
		if (h->len > 0)
			put(t, end, h->at[0]);
	}
}

size_t
cp_symtab_index_latest(struct cp_symtab *t)
{
	size_t n = t->all.len, hidden = 0;
	struct start *s = cp_xmalloc(n * sizeof(*s));
	struct heap h = { .at = cp_xmalloc(n * sizeof(*h.at)) };

	for (size_t i = 0; i < n; i++)
		s[i] = (struct start){ t->all.data[i].start, (uint32_t)i };
	qsort(s, n, sizeof(*s), start_order);
	t->key = cp_xmalloc(2 * n * sizeof(*t->key));
	t->which = cp_xmalloc(2 * n * sizeof(*t->which));
	for (size_t i = 0; i < n; i++) {
		close_ended(t, &h, s[i].at);
		hidden += h.len > 0;
		heap_push(&h, s[i].number);
		put(t, s[i].at, h.at[0]);
	}
	close_ended(t, &h, UINT64_MAX);
	free(s);
	free(h.at);
	return hidden;
}
