/* SPDX-License-Identifier: MIT */
#include "symbolize/object/snapshot-lost.h"

#include <stdlib.h>

static int
place_order(
    const struct cp_snapshot_place *a, const struct cp_snapshot_place *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static int
lost_order(const void *va, const void *vb)
{
	const struct cp_snapshot_lost *a = va, *b = vb;
	int order = place_order(&a->below, &b->below);

	if (order == 0)
		order = place_order(&a->above, &b->above);
	return order != 0 ? order : place_order(&a->frame, &b->frame);
}

void
cp_snapshot_lost_sort(cp_snapshot_losses *v)
{
	if (v->len != 0)
		qsort(v->data, v->len, sizeof(*v->data), lost_order);
}

const struct cp_snapshot_lost *
cp_snapshot_lost_find(const cp_snapshot_losses *v,
    struct cp_snapshot_place below, const struct cp_snapshot_place *above)
{
	const struct cp_snapshot_lost *all = v->data;
	size_t low = 0, high = v->len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = place_order(&all[mid].below, &below);

		if (order == 0 && above != NULL)
			order = place_order(&all[mid].above, above);
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < v->len && place_order(&all[low].below, &below) == 0 &&
		       (above == NULL ||
			   place_order(&all[low].above, above) == 0)
		   ? &all[low]
		   : NULL;
}
