/* SPDX-License-Identifier: MIT */
/* paths: the call paths of cpi, and the flame graph coloured by CPI. */
#include "analyses/cpi/cpi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/stack-tree.h"

#define PATH_LENGTH 6 /* frames shown of a call path */

struct calls {
	struct cp_stacktree st;
	struct cp_index leaves;  /* nodes of the tree at which stacks end */
	struct cp_cpi_rows self; /* by number in leaves */
	uint32_t *parent;        /* of the tree, by node */
	const char **name;
	uint32_t n;
};

static void
path_labels(
    const struct cpi *c, const void *ctx, uint32_t row, struct cp_table *t)
{
	const struct calls *k = ctx;
	uint32_t node = (uint32_t)k->leaves.all[row].a;
	size_t n = 0, size = sizeof(" < ...");
	char *text;

	for (uint32_t i = node, left = PATH_LENGTH;
	     k->parent[i] != 0 && left != 0; i = k->parent[i], left--)
		size += strlen(k->name[i]) + strlen(" < ");
	text = cp_run_alloc(c->run, size);
	text[0] = '\0';
	for (int i = 0; k->parent[node] != 0; i++, node = k->parent[node])
		if (i < PATH_LENGTH)
			n += (size_t)snprintf(text + n, size - n, "%s%s",
			    i != 0 ? " < " : "", k->name[node]);
		else if (i == PATH_LENGTH)
			snprintf(text + n, size - n, " < ...");
	cp_table_cells(t, k->name[node]); /* below the root are commands */
	cp_table_cells(t, text);
}

/* Sets parents and names of the tree's nodes. */
static void
calls_link(const struct cpi *c, struct calls *k)
{
	k->n = k->st.nodes.n + 1;
	k->parent = cp_run_alloc(c->run, k->n * sizeof(*k->parent));
	k->name = cp_run_alloc(c->run, k->n * sizeof(*k->name));
	k->name[0] = "";
	for (uint32_t i = 0; i < k->st.nodes.n; i++) {
		const struct cp_pair *p = &k->st.nodes.all[i];

		k->parent[k->st.node[i]] = (uint32_t)p->a;
		k->name[k->st.node[i]] =
		    cp_run_string(c->run, (cp_string_id)p->b);
	}
}

static void
calls_make(struct cpi *c, struct calls *k, struct cp_tree *tree)
{
	cp_stacktree_init(&k->st, c->run, tree);
	cp_index_init(&k->leaves, c->run);
	k->self = cp_cpi_rows_new(c->run, &c->whole);
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];
		uint32_t place = cp_stacktree_label(&k->st, 0,
		    cp_run_string(c->run, (cp_string_id)(t->a >> 8)),
		    CP_KIND_NONE);
		uint32_t leaf;

		place = cp_stacktree_stack(&k->st, place, (cp_stack_id)t->b, 0);
		leaf = cp_index_put(
		    &k->leaves, cp_stacktree_node(&k->st, place), 0);
		cp_cpi_row_add(&k->self, leaf, (unsigned)(t->a & 0xff), t);
		if ((t->a & 0xff) == CP_ROLE_CYCLES)
			cp_stacktree_add(&k->st, place, t->weight, t->count);
	}
	cp_stacktree_finish(&k->st);
	calls_link(c, k);
}

/*
 * Sums of a node and all below it; small, because a tree may have many nodes.
 */
struct below {
	struct cp_mass mass[2]; /* cycles, instructions */
	uint64_t samples[2];
	double both_sq;
	uint64_t readings;
};

static void
below_add(struct below *to, const struct below *b)
{
	for (int i = 0; i < 2; i++) {
		to->mass[i].weight += b->mass[i].weight;
		to->mass[i].weight_sq += b->mass[i].weight_sq;
		to->samples[i] += b->samples[i];
	}
	to->both_sq += b->both_sq;
	to->readings += b->readings;
}

static double
below_cpi(const struct cpi *c, const struct below *b)
{
	struct cp_counts counts = { 0 };

	for (int i = 0; i < 2; i++) {
		counts.mass[CP_ROLE_CYCLES + i] = b->mass[i];
		counts.samples[CP_ROLE_CYCLES + i] = b->samples[i];
	}
	counts.both_sq[CP_RATIO_CPI] = b->both_sq;
	counts.readings[CP_RATIO_CPI] = b->readings;
	return cp_ratio_of(&counts, &c->whole, CP_RATIO_CPI, c->readings).value;
}

static struct below
below_of(const struct cp_cpi_rows *rows, uint32_t row)
{
	const struct cp_cpi_cell *both =
	    cp_cpi_row_cell(rows, row, CP_ROLES + CP_RATIO_CPI);
	struct below own = { .both_sq = both->mass.weight_sq,
		.readings = both->samples };

	for (unsigned i = 0; i < 2; i++) {
		const struct cp_cpi_cell *c =
		    cp_cpi_row_cell(rows, row, CP_ROLE_CYCLES + i);

		own.mass[i] = c->mass;
		own.samples[i] = c->samples;
	}
	return own;
}

/* Colours a box by the CPI of itself and all that it called. */
static void
tree_colour(struct cpi *c, const struct calls *k, struct cp_tree *tree)
{
	struct below *sum = cp_run_alloc(c->run, k->n * sizeof(*sum));
	struct cp_ratio all =
	    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI, c->readings);

	if (!isfinite(all.value))
		return;
	for (uint32_t i = 0; i < k->self.n; i++)
		sum[k->leaves.all[i].a] = below_of(&k->self, i);
	for (uint32_t i = k->n; i-- > 1;)
		below_add(&sum[k->parent[i]], &sum[i]);
	cp_tree_scale(tree, CP_SCALE_RATIO, all.value, "CPI");
	for (uint32_t i = 0; i < k->n; i++)
		cp_tree_value(tree, i, below_cpi(c, &sum[i]));
}

void
cp_cpi_paths_show(struct cpi *c, struct cp_report *rep)
{
	struct calls k;
	struct cp_cpi_shown s = { .slug = "paths",
		.title = "By call path",
		.columns = { "Command", "Path, innermost first" },
		.labels = path_labels,
		.ctx = &k };
	struct cp_tree *tree =
	    cp_report_tree(rep, "cpi-flame", "cycles, coloured by CPI");
	const char **sort;

	cp_tree_unit(
	    tree, "cycles", CP_COL_COUNT, c->readings ? "readings" : "samples");
	calls_make(c, &k, tree);
	tree_colour(c, &k, tree);
	sort = cp_run_alloc(c->run, (k.self.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < k.self.n; i++)
		sort[i] = k.name[k.leaves.all[i].a];
	s.sort = sort;
	cp_cpi_rows_show(c, &k.self, &s, rep);
}
