/* SPDX-License-Identifier: MIT */
#include "analyses/cpi/cpi.h"

#include <stdlib.h>
#include <string.h>

static bool
is_used(const struct cp_counts *whole, unsigned slot)
{
	return slot < CP_ROLES ? whole->samples[slot] != 0
			       : whole->readings[slot - CP_ROLES] != 0;
}

struct cp_cpi_rows
cp_cpi_rows_new(struct cp_run *run, const struct cp_counts *whole)
{
	struct cp_cpi_rows rows = { .run = run };

	for (unsigned s = 0; s < CP_CPI_SLOTS; s++)
		rows.at[s] =
		    is_used(whole, s) ? (uint8_t)rows.slots++ : UINT8_MAX;
	return rows;
}

void
cp_cpi_row_add(struct cp_cpi_rows *rows, uint32_t row, unsigned slot,
    const struct cp_tally_row *t)
{
	struct cp_cpi_cell *c;

	cp_grow_to(rows->run, rows->cells, &rows->cap, (row + 1) * rows->slots);
	if (row >= rows->n)
		rows->n = row + 1;
	c = &rows->cells[row * rows->slots + rows->at[slot]];
	c->mass.weight += t->weight;
	c->mass.weight_sq += t->weight_sq;
	c->samples += t->count;
}

const struct cp_cpi_cell *
cp_cpi_row_cell(const struct cp_cpi_rows *rows, uint32_t row, unsigned slot)
{
	static const struct cp_cpi_cell none;

	return rows->at[slot] == UINT8_MAX
		   ? &none
		   : &rows->cells[row * rows->slots + rows->at[slot]];
}

static void
counts_add(
    struct cp_counts *c, unsigned slot, struct cp_mass mass, uint64_t samples)
{
	if (slot < CP_ROLES) {
		c->mass[slot].weight += mass.weight;
		c->mass[slot].weight_sq += mass.weight_sq;
		c->samples[slot] += samples;
	} else {
		c->both_sq[slot - CP_ROLES] += mass.weight_sq;
		c->readings[slot - CP_ROLES] += samples;
	}
}

struct cp_counts
cp_cpi_row(const struct cp_cpi_rows *rows, uint32_t row)
{
	struct cp_counts counts = { 0 };

	for (unsigned s = 0; s < CP_CPI_SLOTS; s++) {
		const struct cp_cpi_cell *c = cp_cpi_row_cell(rows, row, s);

		counts_add(&counts, s, c->mass, c->samples);
	}
	return counts;
}

void
cp_cpi_counts_add(
    struct cp_counts *c, unsigned slot, const struct cp_tally_row *t)
{
	counts_add(c, slot,
	    (struct cp_mass){ .weight = t->weight, .weight_sq = t->weight_sq },
	    t->count);
}

struct ranked {
	uint64_t cycles, instructions;
	const char *label;
	uint32_t row;
};

static int
compare_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	int c = (a->cycles < b->cycles) - (a->cycles > b->cycles);

	if (c == 0)
		c = (a->instructions < b->instructions) -
		    (a->instructions > b->instructions);
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
	for (uint32_t i = 0; i < rows->n; i++) {
		const struct cp_cpi_cell *cycles =
		    cp_cpi_row_cell(rows, i, CP_ROLE_CYCLES);
		const struct cp_cpi_cell *instructions =
		    cp_cpi_row_cell(rows, i, CP_ROLE_INSTRUCTIONS);

		if (cycles->samples != 0 || instructions->samples != 0)
			all[(*n)++] = (struct ranked){ cycles->mass.weight,
				instructions->mass.weight, labels[i], i };
	}
	qsort(all, *n, sizeof(*all), compare_ranked);
	for (uint32_t i = 0; i < *n; i++)
		order[i] = all[i].row;
	return order;
}
