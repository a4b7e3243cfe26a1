/* SPDX-License-Identifier: MIT */
#include "run/intervals.h"

#include <stdlib.h>

static int
compare(const void *va, const void *vb)
{
	const struct cp_interval *a = va, *b = vb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

void
cp_intervals_unite(cp_intervals *v)
{
	size_t n = 0;

	if (v->len == 0)
		return;
	qsort(v->data, v->len, sizeof(*v->data), compare);
	for (size_t i = 1; i < v->len; i++)
		if (v->data[i].from <= v->data[n].to) {
			struct cp_interval *x = &v->data[n];

			x->to = CP_MAX(x->to, v->data[i].to);
			x->last = CP_MAX(x->last, v->data[i].last);
		} else {
			v->data[++n] = v->data[i];
		}
	v->len = n + 1;
}

void
cp_intervals_meet(cp_intervals *a, const cp_intervals *b)
{
	cp_intervals both = { 0 };

	for (size_t i = 0, k = 0; i < a->len && k < b->len;) {
		const struct cp_interval *x = &a->data[i], *y = &b->data[k];
		struct cp_interval z = { CP_MAX(x->from, y->from),
			CP_MIN(x->last, y->last), CP_MIN(x->to, y->to) };

		if (z.from <= z.last)
			*cp_vec_push(&both) = z;
		if (x->to < y->to)
			i++;
		else
			k++;
	}
	cp_vec_free(a);
	*a = both;
}

/* Returns the first interval that ends at the time or after it. */
static size_t
first_after(const cp_intervals *v, uint64_t time)
{
	size_t low = 0, high = v->len;

	while (low < high) {
		size_t at = low + (high - low) / 2;

		if (v->data[at].to < time)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

bool
cp_intervals_touch(const cp_intervals *v, uint64_t start, uint64_t end)
{
	size_t i = first_after(v, start);

	/* The last ns of an interval may not be of it. */
	i += i < v->len && v->data[i].last < start;
	return i < v->len && v->data[i].from <= end;
}

bool
cp_intervals_have(const cp_intervals *v, uint64_t time)
{
	return cp_intervals_touch(v, time, time);
}

bool
cp_intervals_cut(const cp_intervals *v, uint64_t *start, uint64_t *end)
{
	size_t i = *start < *end ? first_after(v, *start + 1) : v->len;

	while (i < v->len && v->data[i].from == v->data[i].to)
		i++;
	if (i == v->len || v->data[i].from >= *end)
		return false;
	*start = CP_MAX(*start, v->data[i].from);
	*end = CP_MIN(*end, v->data[i].to);
	return true;
}
