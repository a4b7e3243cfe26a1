/* SPDX-License-Identifier: MIT */
#include "browse/rows.h"

struct child {
	uint32_t node;
	uint64_t total;
	const char *name;
};

static int
by_name(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->node > y->node) - (x->node < y->node);
}

/* Adds the boxes on top of one, from left to right by their names. */
static void
add_on_top(cp_browse_boxes *out, const struct cp_browse_model *m,
    const struct cp_browse_box *box, double start, double per_column)
{
	CP_VEC(struct child) children = { 0 };
	double at = start;

	for (uint32_t c = m->nodes.data[box->node].child; c != 0;
	     c = m->nodes.data[c].next)
		if ((double)m->total[c] >= per_column)
			*cp_vec_push(&children) = (struct child){ c,
				m->total[c], cp_browse_name(m, c) };
	if (children.len != 0)
		qsort(children.data, children.len, sizeof(*children.data),
		    by_name);
	for (size_t i = 0; i < children.len; i++) {
		double end = at + (double)children.data[i].total / per_column;
		uint32_t x = (uint32_t)(at + 0.5), to = (uint32_t)(end + 0.5);

		if (to > x)
			*cp_vec_push(out) =
			    (struct cp_browse_box){ children.data[i].node,
				    box->depth + 1, x, to - x };
		at = end;
	}
	cp_vec_free(&children);
}

void
cp_browse_layout(cp_browse_boxes *out, const struct cp_browse_model *m,
    uint32_t node, uint32_t columns, uint32_t depth)
{
	double per_column = columns != 0 ? (double)m->total[node] / columns : 0;

	out->len = 0;
	if (m->total[node] == 0 || columns == 0)
		return;
	*cp_vec_push(out) = (struct cp_browse_box){ node, 0, 0, columns };
	for (size_t i = 0; i < out->len; i++) {
		struct cp_browse_box box = out->data[i];

		if (box.depth + 1 < depth)
			add_on_top(out, m, &box, box.x, per_column);
	}
}
