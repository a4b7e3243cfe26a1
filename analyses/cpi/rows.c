/* SPDX-License-Identifier: MIT */
#include "analyses/cpi/rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/dense-ids.h"

void
cp_cpi_row_add(struct cp_cpi_rows *rows, uint32_t row, unsigned slot,
    const struct cp_tally_row *t)
{
	struct cp_counts *c;

	cp_grow_to(rows->run, rows->all, &rows->cap, row);
	if (row >= rows->n)
		rows->n = row + 1;
	c = &rows->all[row];
	if (slot < CP_ROLES) {
		c->mass[slot].weight += t->weight;
		c->mass[slot].weight_sq += t->weight_sq;
		c->samples[slot] += t->count;
	} else {
		c->both_sq[slot - CP_ROLES] += t->weight_sq;
		c->readings[slot - CP_ROLES] += t->count;
	}
}

struct ranked {
	const struct cp_counts *counts;
	const char *label;
	uint32_t row;
};

static int
compare_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	uint64_t x = a->counts->mass[CP_ROLE_CYCLES].weight;
	uint64_t y = b->counts->mass[CP_ROLE_CYCLES].weight;
	int c = (x < y) - (x > y);

	if (c == 0) {
		x = a->counts->mass[CP_ROLE_INSTRUCTIONS].weight;
		y = b->counts->mass[CP_ROLE_INSTRUCTIONS].weight;
		c = (x < y) - (x > y);
	}
	if (c == 0)
		c = strcmp(a->label, b->label);
	return c != 0 ? c : (a->row > b->row) - (a->row < b->row);
}

uint32_t *
cp_cpi_rows_sort(
    const struct cp_cpi_rows *rows, uint32_t *n, const char *const *labels)
{
	size_t size = rows->n + 1;
	struct ranked *all = cp_run_alloc(rows->run, size * sizeof(*all));
	uint32_t *order = cp_run_alloc(rows->run, size * sizeof(*order));

	*n = 0;
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->all[i].samples[CP_ROLE_CYCLES] != 0 ||
		    rows->all[i].samples[CP_ROLE_INSTRUCTIONS] != 0)
			all[(*n)++] =
			    (struct ranked){ &rows->all[i], labels[i], i };
	qsort(all, *n, sizeof(*all), compare_ranked);
	for (uint32_t i = 0; i < *n; i++)
		order[i] = all[i].row;
	return order;
}
