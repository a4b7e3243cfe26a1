/* SPDX-License-Identifier: MIT */
#include "render/common/tree-value.h"

#include <math.h>

#include "render/common/format.h"

bool
cp_node_value(const struct cp_tree *t, const struct cp_tree_node *n, char *text,
    size_t size)
{
	const struct cp_tree_beside *b = cp_tree_beside(t, n);
	double before = (double)(t->reversed ? n->total : b->before_total);
	double after = (double)(t->reversed ? b->before_total : n->total);

	if (isnan(cp_tree_shade(t, n)))
		return false;
	if (t->scale == CP_SCALE_RATIO)
		snprintf(text, size, "%.3g", b->value);
	else if (t->scale == CP_SCALE_CPU)
		snprintf(text, size, "%.1f%%", b->value * 100);
	else if (!t->compared)
		snprintf(text, size, "%+.1f%%", b->value * 100);
	else if (before == 0)
		snprintf(text, size, "new");
	else
		snprintf(text, size, "%+.1f%%", (after / before - 1) * 100);
	return true;
}

static uint64_t
guessed_weight(const struct cp_tree *t, uint32_t node)
{
	size_t n;
	const struct cp_guessed *g = cp_tree_guesses(t, node, &n);
	uint64_t weight = 0;

	for (size_t i = 0; i < n; i++)
		weight += g[i].weight;
	return weight;
}

bool
cp_node_guessed(const struct cp_tree *t, uint32_t node)
{
	return guessed_weight(t, node) > t->nodes.data[node].total / 2;
}

bool
cp_node_guess(struct cp_buf *b, const struct cp_tree *t, uint32_t node)
{
	size_t n;
	const struct cp_guessed *g = cp_tree_guesses(t, node, &n);
	uint64_t weight = guessed_weight(t, node);
	uint64_t total = t->nodes.data[node].total;

	if (weight == 0)
		return false;
	if (weight < total) {
		cp_format_share(b, (double)weight / (double)total);
		cp_buf_str(b, " of it ");
	}
	for (size_t i = 0; i < n; i++)
		cp_buf_printf(b, "%s%s", i == 0 ? "guessed: " : ", ",
		    cp_guess_name(g[i].how));
	return true;
}
