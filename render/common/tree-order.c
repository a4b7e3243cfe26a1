/* SPDX-License-Identifier: MIT */
#include "render/common/tree-order.h"

#include "base/tuning.h"

struct kid {
	const char *name, *detail;
	uint64_t total;
	uint32_t node;
};

static int
kid_by_name(const void *pa, const void *pb)
{
	const struct kid *a = pa, *b = pb;
	int c;

	c = strcmp(a->name, b->name);
	if (c == 0)
		c = strcmp(a->detail, b->detail);
	if (c == 0)
		c = a->node < b->node ? -1 : a->node > b->node;
	return c;
}

static int
kid_by_weight(const void *pa, const void *pb)
{
	const struct kid *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return kid_by_name(pa, pb);
}

static void
sort_kids(struct kid *kid, size_t n, bool by_name)
{
	int (*compare)(const void *, const void *) =
	    by_name ? kid_by_name : kid_by_weight;

	if (n > CP_FEW_CHILDREN) {
		qsort(kid, n, sizeof(*kid), compare);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct kid k = kid[i];
		size_t at = i;

		for (; at != 0 && compare(&kid[at - 1], &k) > 0; at--)
			kid[at] = kid[at - 1];
		kid[at] = k;
	}
}

/* Sorts the children of one node. */
static void
sort_group(const struct cp_tree *t, uint32_t *node, size_t n, bool by_name,
    struct kid *kid)
{
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct cp_tree_node *of = &t->nodes.data[node[i]];

		kid[i] =
		    (struct kid){ of->name, of->detail, of->total, node[i] };
	}
	sort_kids(kid, n, by_name);
	for (size_t i = 0; i < n; i++)
		node[i] = kid[i].node;
}

void
cp_kids_init(struct cp_kids *k, const struct cp_tree *t,
    enum cp_kids_order order, double min)
{
	size_t n = t->nodes.len, most = 0;
	bool all = min <= 0;
	struct kid *kid;

	k->node = cp_xcalloc(n, sizeof(*k->node));
	k->first = cp_xcalloc(n + 2, sizeof(*k->first));
	for (size_t i = 1; i < n; i++)
		if (all || (double)t->nodes.data[i].total >= min)
			k->first[t->nodes.data[i].parent + 2]++;
	for (size_t i = 2; i <= n + 1; i++) {
		most = CP_MAX(most, k->first[i]);
		k->first[i] += k->first[i - 1];
	}
	/*
	 * Use first[p + 1] as the place for the next child of p; it ends as
	 * their end.
	 */
	for (size_t i = 1; i < n; i++)
		if (all || (double)t->nodes.data[i].total >= min)
			k->node[k->first[t->nodes.data[i].parent + 1]++] =
			    (uint32_t)i;
	kid = cp_xmalloc(most * sizeof(*kid));
	for (size_t i = 0; i < n && order != CP_KIDS_AS_ADDED; i++)
		sort_group(t, k->node + k->first[i],
		    k->first[i + 1] - k->first[i], order == CP_KIDS_BY_NAME,
		    kid);
	free(kid);
}

void
cp_kids_free(struct cp_kids *k)
{
	free(k->node);
	free(k->first);
	*k = (struct cp_kids){ 0 };
}

void
cp_tree_walk_down(struct cp_tree_walk *w, const struct cp_kids *k,
    uint32_t node, uint32_t depth)
{
	for (uint32_t i = k->first[node + 1]; i-- > k->first[node];)
		*cp_vec_push(&w->stack) =
		    (struct cp_tree_step){ .node = k->node[i], .depth = depth };
}

bool
cp_tree_walk_next(struct cp_tree_walk *w, struct cp_tree_step *step)
{
	if (w->stack.len == 0) {
		cp_vec_free(&w->stack);
		return false;
	}
	*step = w->stack.data[--w->stack.len];
	return true;
}
