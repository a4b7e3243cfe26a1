/* SPDX-License-Identifier: MIT */
#include "render/kids.h"

struct kid {
	const char *name, *detail;
	uint64_t total;
	uint32_t parent, node;
};

static int
kid_by_name(const void *pa, const void *pb)
{
	const struct kid *a = pa, *b = pb;
	int c;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
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

	if (a->parent == b->parent && a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return kid_by_name(pa, pb);
}

void
cp_kids_init(struct cp_kids *k, const struct cp_tree *t,
    enum cp_kids_order order, double min)
{
	size_t n = t->nodes.len, count = 0;
	struct kid *kid = cp_xcalloc(n, sizeof(*kid));

	for (size_t i = 1; i < n; i++) {
		const struct cp_tree_node *node = &t->nodes.data[i];

		if ((double)node->total < min)
			continue;
		kid[count++] = (struct kid) { node->name, node->detail,
			node->total, node->parent, (uint32_t)i };
	}
	qsort(kid, count, sizeof(*kid),
	    order == CP_KIDS_BY_NAME ? kid_by_name : kid_by_weight);
	k->node = cp_xcalloc(n, sizeof(*k->node));
	k->first = cp_xcalloc(n + 1, sizeof(*k->first));
	for (size_t i = 0; i < count; i++) {
		k->node[i] = kid[i].node;
		k->first[kid[i].parent + 1]++;
	}
	for (size_t i = 1; i <= n; i++)
		k->first[i] += k->first[i - 1];
	free(kid);
}

void
cp_kids_free(struct cp_kids *k)
{
	free(k->node);
	free(k->first);
	*k = (struct cp_kids) { 0 };
}

void
cp_walk_down(struct cp_walk *w, const struct cp_kids *k, uint32_t node,
    uint32_t depth)
{
	for (uint32_t i = k->first[node + 1]; i-- > k->first[node];)
		*cp_vec_push(&w->stack) = (struct cp_walk_step) {
			.node = k->node[i], .depth = depth
		};
}

bool
cp_walk_next(struct cp_walk *w, struct cp_walk_step *step)
{
	if (w->stack.len == 0) {
		cp_vec_free(&w->stack);
		return false;
	}
	*step = w->stack.data[--w->stack.len];
	return true;
}
