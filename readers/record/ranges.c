/* SPDX-License-Identifier: MIT */
#include "readers/record/ranges.h"

void
cp_ranges_add(struct cp_ranges *r, uint64_t from, uint64_t len)
{
	if (len == 0 || from + len < from)
		return;
	*cp_vec_push(&r->all) = (struct cp_range){ from, from + len };
	r->merged = false;
}

static int
order(const void *a, const void *b)
{
	const struct cp_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void
merge(struct cp_ranges *r)
{
	size_t n = 0;

	if (r->merged || r->all.len == 0)
		return;
	qsort(r->all.data, r->all.len, sizeof(*r->all.data), order);
	for (size_t i = 0; i < r->all.len; i++) {
		struct cp_range m = r->all.data[i];

		if (n != 0 && m.from <= r->all.data[n - 1].to)
			r->all.data[n - 1].to =
			    CP_MAX(r->all.data[n - 1].to, m.to);
		else
			r->all.data[n++] = m;
	}
	r->all.len = n;
	r->merged = true;
}

bool
cp_ranges_have(struct cp_ranges *r, uint64_t address)
{
	size_t from = 0, to;

	merge(r);
	to = r->all.len;
	while (from < to) {
		size_t mid = (from + to) / 2;

		if (r->all.data[mid].to <= address)
			from = mid + 1;
		else
			to = mid;
	}
	return from < r->all.len && r->all.data[from].from <= address;
}

uint64_t
cp_ranges_last(struct cp_ranges *r)
{
	merge(r);
	return r->all.len != 0 ? r->all.data[r->all.len - 1].from : 0;
}

void
cp_ranges_free(struct cp_ranges *r)
{
	cp_vec_free(&r->all);
}
