/* SPDX-License-Identifier: MIT */
/* tree: rows that open, of callers or of what is called. */
#include "browse/rows.h"

enum { OPEN = 1, CLOSED = 2 };

typedef CP_VEC(struct cp_browse_row) row_vec;

/* What lies below a row. */
struct below {
	row_vec rows;
	CP_VEC(struct cp_browse_item) items;
};

static uint64_t
path_of(uint64_t above, uint32_t function, bool up)
{
	uint64_t path = cp_mix(above + up, (uint64_t)function + 1);

	return path != 0 ? path : 1;
}

/* Adds a node to the row of its function; rows are found in `at'. */
static void
put_item(row_vec *out, struct cp_map64 *at, const struct cp_browse_model *m,
    const struct cp_browse_row *above, const struct cp_browse_item *it)
{
	uint32_t function = m->nodes.data[it->node].function;
	uint32_t *slot = cp_map64_put(at, (uint64_t)function + 1);
	struct cp_browse_row *row;

	if (*slot == 0) {
		struct cp_browse_row new = cp_browse_function_row(m, function);

		new.self = new.total = new.self_before = new.total_before = 0;
		new.up = above->up;
		new.depth = above->depth + 1;
		new.path = path_of(above->path, function, above->up);
		*cp_vec_push(out) = new;
		*slot = (uint32_t)out->len;
	}
	row = &out->data[*slot - 1];
	row->total += it->total;
	row->self += it->self;
	row->total_before += it->before;
	row->n++;
}

/* A node with all its weight. */
static struct cp_browse_item
item_of(const struct cp_browse_model *m, uint32_t node)
{
	return (struct cp_browse_item){ node, m->total[node], m->self[node],
		m->compares ? m->before.total[node] : 0 };
}

/* What calls of it weigh by themselves. */
static struct cp_browse_item
own_of(const struct cp_browse_model *m, uint32_t node)
{
	return (struct cp_browse_item){ node, m->self[node], m->self[node],
		m->compares ? m->before.self[node] : 0 };
}

static void
collect(struct below *b, struct cp_map64 *at, const struct cp_browse_rows *r,
    const struct cp_browse_model *m, const struct cp_browse_row *row)
{
	for (size_t i = row->first; i < row->first + row->n; i++) {
		struct cp_browse_item it = r->items.data[i];

		if (row->up) {
			it.node = m->nodes.data[it.node].parent;
			if (it.node == 0)
				continue;
			it.self = 0;
			put_item(&b->rows, at, m, row, &it);
			*cp_vec_push(&b->items) = it;
			continue;
		}
		for (uint32_t c = m->nodes.data[it.node].child; c != 0;
		     c = m->nodes.data[c].next) {
			it = item_of(m, c);
			if (it.total == 0 && it.before == 0)
				continue;
			put_item(&b->rows, at, m, row, &it);
			*cp_vec_push(&b->items) = it;
		}
	}
}

/* Gives each row its part of the items, and says which have rows below. */
static void
place_items(struct below *b, const struct cp_map64 *at,
    struct cp_browse_rows *r, const struct cp_browse_model *m)
{
	size_t end = r->items.len;

	for (size_t i = 0; i < b->rows.len; i++) {
		b->rows.data[i].first = end;
		end += b->rows.data[i].n;
		b->rows.data[i].n = 0;
	}
	cp_vec_reserve(&r->items, end);
	r->items.len = end;
	for (size_t i = 0; i < b->items.len; i++) {
		const struct cp_browse_item *it = &b->items.data[i];
		const struct cp_browse_node *node = &m->nodes.data[it->node];
		struct cp_browse_row *row =
		    &b->rows
			 .data[cp_map64_get(at, (uint64_t)node->function + 1) -
			       1];

		r->items.data[row->first + row->n++] = *it;
		row->more |=
		    row->up ? node->parent != 0
			    : it->total > it->self ||
				  (m->compares &&
				      it->before > m->before.self[it->node]);
	}
}

/* Makes the rows below a row, heaviest first; the caller frees b. */
static void
below_of(struct below *b, struct cp_browse_rows *r,
    const struct cp_browse_model *m, const struct cp_browse_row *row)
{
	struct cp_map64 at = { 0 };

	*b = (struct below){ 0 };
	collect(b, &at, r, m, row);
	place_items(b, &at, r, m);
	cp_map64_free(&at);
	if (b->rows.len != 0)
		qsort(b->rows.data, b->rows.len, sizeof(*b->rows.data),
		    cp_browse_by_total);
}

static bool
is_open(const struct cp_browse_rows *r, const struct cp_browse_row *row)
{
	uint32_t how = cp_map64_get(&r->open, row->path);

	return row->more && (how != 0 ? how == OPEN : row->open);
}

/* Adds rows, each followed by those below it where it is open. */
static void
add_tree(struct cp_browse_rows *r, const struct cp_browse_model *m,
    const struct cp_browse_row *roots, size_t n)
{
	row_vec todo = { 0 };

	for (size_t i = n; i-- > 0;)
		*cp_vec_push(&todo) = roots[i];
	while (todo.len != 0 && !r->cut) {
		struct cp_browse_row row = todo.data[--todo.len];
		struct below b;

		row.open = is_open(r, &row);
		*cp_vec_push(&r->rows) = row;
		r->cut = r->rows.len >= CP_BROWSE_ROWS;
		if (!row.open)
			continue;
		below_of(&b, r, m, &row);
		for (size_t i = b.rows.len; i-- > 0;)
			*cp_vec_push(&todo) = b.rows.data[i];
		cp_vec_free(&b.rows);
		cp_vec_free(&b.items);
	}
	cp_vec_free(&todo);
}

void
cp_browse_calls(struct cp_browse_rows *r, const struct cp_browse_model *m)
{
	struct cp_browse_row root = { .depth = UINT32_MAX, .path = 1, .n = 1 };
	struct below b;

	cp_browse_rows_start(r);
	*cp_vec_push(&r->items) = (struct cp_browse_item){ .total = m->sum };
	below_of(&b, r, m, &root);
	add_tree(r, m, b.rows.data, b.rows.len);
	cp_vec_free(&b.rows);
	cp_vec_free(&b.items);
}

void
cp_browse_callers(struct cp_browse_rows *r, const struct cp_browse_model *m)
{
	struct cp_browse_row above = {
		.depth = UINT32_MAX, .path = 2, .up = true
	};
	struct cp_map64 at = { 0 };
	struct below b = { 0 };

	cp_browse_rows_start(r);
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		struct cp_browse_item it = own_of(m, i);

		if (it.total == 0 && it.before == 0)
			continue;
		put_item(&b.rows, &at, m, &above, &it);
		*cp_vec_push(&b.items) = it;
	}
	place_items(&b, &at, r, m);
	cp_map64_free(&at);
	if (b.rows.len != 0)
		qsort(b.rows.data, b.rows.len, sizeof(*b.rows.data),
		    cp_browse_by_total);
	add_tree(r, m, b.rows.data, b.rows.len);
	cp_vec_free(&b.rows);
	cp_vec_free(&b.items);
}

void
cp_browse_around(struct cp_browse_rows *r, const struct cp_browse_model *m,
    uint32_t function)
{
	struct cp_browse_row row = cp_browse_function_row(m, function);

	cp_browse_rows_start(r);
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		const struct cp_browse_node *node = &m->nodes.data[i];
		struct cp_browse_item it = item_of(m, i);

		if (node->function != function || node->again ||
		    (it.total == 0 && it.before == 0))
			continue;
		*cp_vec_push(&r->items) = it;
		row.n++;
	}
	row.more = row.open = true;
	cp_browse_head(r, "Called by");
	row.up = true;
	row.path = path_of(3, function, true);
	add_tree(r, m, &row, 1);
	cp_browse_head(r, "Calls");
	row.up = false;
	row.path = path_of(9, function, false);
	add_tree(r, m, &row, 1);
}

void
cp_browse_open(struct cp_browse_rows *r, size_t i, bool open)
{
	if (i < r->rows.len && r->rows.data[i].more)
		*cp_map64_put(&r->open, r->rows.data[i].path) =
		    open ? OPEN : CLOSED;
}
