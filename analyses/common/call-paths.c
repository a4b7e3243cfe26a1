/* SPDX-License-Identifier: MIT */
#include "analyses/common/call-paths.h"

#include <string.h>

/* Numbers the nodes from stack up to the first numbered one. */
static void
number_path(struct cp_paths *p, cp_stack_id stack)
{
	/* uses the free part of the array for stacks */
	cp_stack_id *stacks = p->frame + p->n;
	uint32_t n = 0, above;

	for (; stack != 0 && p->at[stack] == 0;
	     stack = cp_stack_parent(p->run, stack))
		stacks[n++] = stack;
	above = p->at[stack];
	/* The new nodes came innermost first; reverse them. */
	for (uint32_t lo = 0, hi = n; lo + 1 < hi; lo++) {
		stack = stacks[lo];
		stacks[lo] = stacks[--hi];
		stacks[hi] = stack;
	}
	for (uint32_t i = 0; i < n; i++) {
		cp_frame_id frame = cp_stack_frame(p->run, stacks[i]);

		if (frame >= p->frames)
			p->frames = frame + 1;
		p->at[stacks[i]] = p->n;
		p->parent[p->n] = above;
		p->frame[p->n] = frame;
		above = p->n++;
	}
}

/* Builds the paths of the rows' stacks; instead[] replaces each of them. */
static void
build(struct cp_paths *p, struct cp_run *run, const struct cp_tally_row *rows,
    const cp_stack_id *instead, size_t n)
{
	uint32_t count = cp_stack_count(run);

	*p = (struct cp_paths){ .run = run, .n = 1, .frames = 1 };
	if (count == 0)
		count = 1;
	p->stacks = p->room = count;
	p->at = cp_run_alloc(run, count * sizeof(*p->at));
	p->parent = cp_run_alloc(run, count * sizeof(*p->parent));
	p->frame = cp_run_alloc(run, count * sizeof(*p->frame));
	for (size_t i = 0; i < n; i++)
		number_path(
		    p, instead != NULL ? instead[i] : (cp_stack_id)rows[i].b);
	/*
	 * The replaced stacks are not on paths; give them their replacement's
	 * node.
	 */
	for (size_t i = 0; instead != NULL && i < n; i++)
		p->at[rows[i].b] = p->at[instead[i]];
}

void
cp_paths_build(struct cp_paths *p, struct cp_run *run,
    const struct cp_tally_row *rows, size_t n)
{
	build(p, run, rows, NULL, n);
}

void
cp_paths_build_inlined(struct cp_paths *p, struct cp_run *run,
    const struct cp_tally_row *rows, size_t n)
{
	cp_stack_id *instead = cp_run_alloc(run, n * sizeof(*instead));

	for (size_t i = 0; i < n; i++)
		instead[i] = cp_stack_inlined(run, (cp_stack_id)rows[i].b);
	build(p, run, rows, instead, n);
}

void
cp_paths_free(struct cp_paths *p)
{
	cp_run_free(p->run, p->at, p->stacks * sizeof(*p->at));
	cp_run_free(p->run, p->parent, p->room * sizeof(*p->parent));
	cp_run_free(p->run, p->frame, p->room * sizeof(*p->frame));
	*p = (struct cp_paths){ .run = p->run };
}

/* Most nodes have one child, which is found without a look-up. */
struct merge {
	struct cp_paths *to;
	uint32_t *label;       /* label by the number in `to` */
	uint32_t *first;       /* by number: the first child */
	struct cp_index nodes; /* (parent, label) of the other children */
	uint32_t *number;      /* theirs, by number in nodes */
	uint32_t cap;
};

static uint32_t
merged_node(struct merge *m, uint32_t parent, uint32_t label, cp_frame_id frame)
{
	uint32_t *node = &m->first[parent], k;

	if (*node != 0 && m->label[*node] != label) {
		k = cp_index_put(&m->nodes, parent, label);
		cp_grow_to(m->to->run, m->number, &m->cap, k);
		node = &m->number[k];
	}
	if (*node != 0)
		return *node;
	*node = m->to->n++;
	m->to->parent[*node] = parent;
	m->to->frame[*node] = frame;
	m->label[*node] = label;
	return *node;
}

uint32_t *
cp_paths_merge(
    struct cp_paths *to, const struct cp_paths *p, const uint32_t *label)
{
	struct merge m = { .to = to };
	uint32_t count = cp_stack_count(p->run), *now;

	*to = (struct cp_paths){ .run = p->run, .n = 1, .frames = p->frames };
	to->stacks = count + 1;
	to->room = p->n;
	cp_index_init(&m.nodes, p->run);
	m.label = cp_run_alloc(p->run, p->n * sizeof(*m.label));
	m.label[0] = label[0];
	m.first = cp_run_alloc(p->run, p->n * sizeof(*m.first));
	to->parent = cp_run_alloc(p->run, p->n * sizeof(*to->parent));
	to->frame = cp_run_alloc(p->run, p->n * sizeof(*to->frame));
	to->at = cp_run_alloc(p->run, (count + 1) * sizeof(*to->at));
	now = cp_run_alloc(p->run, p->n * sizeof(*now));
	for (uint32_t i = 1; i < p->n; i++)
		now[i] =
		    merged_node(&m, now[p->parent[i]], label[i], p->frame[i]);
	for (uint32_t s = 1; s < count; s++)
		to->at[s] = now[p->at[s]];
	cp_run_free(p->run, now, p->n * sizeof(*now));
	cp_run_free(p->run, m.first, p->n * sizeof(*m.first));
	cp_run_free(p->run, m.number, m.cap * sizeof(*m.number));
	cp_index_free(&m.nodes);
	return m.label;
}

void
cp_rows_name(struct cp_run *run, const struct cp_tally_row *rows, size_t n)
{
	cp_stack_id *stacks = cp_run_alloc(run, n * sizeof(*stacks));

	for (size_t i = 0; i < n; i++)
		stacks[i] = (cp_stack_id)rows[i].b;
	cp_run_name(run, stacks, n);
	cp_run_free(run, stacks, n * sizeof(*stacks));
}

const struct cp_tally_row *
cp_rows_heaviest(const struct cp_tally *t)
{
	const struct cp_tally_row *rows, *most = NULL;
	size_t n = cp_tally_rows(t, &rows);

	for (size_t i = 0; i < n; i++)
		if (most == NULL || rows[i].weight > most->weight)
			most = &rows[i];
	return most;
}

void
cp_leaves_name(struct cp_run *run, const struct cp_tally_row *rows, size_t n)
{
	cp_frame_id *frames = cp_run_alloc(run, n * sizeof(*frames));

	for (size_t i = 0; i < n; i++)
		frames[i] = (cp_frame_id)rows[i].b;
	cp_run_name_frames(run, frames, n);
	cp_run_free(run, frames, n * sizeof(*frames));
}

/*
 * The tree of the root and of nodes with a label, linked for a walk; the walk
 * reads all fields of a node.
 */
struct labelled {
	uint32_t label;
	uint32_t parent;      /* for a node without a label, too */
	uint32_t first, next; /* child and sibling; 0: none */
};

/* Children have larger numbers than parents. */
static void
link_labelled(
    const struct cp_paths *p, const uint32_t *label, struct labelled *tree)
{
	tree[0].label = label[0];
	for (uint32_t i = 1; i < p->n; i++) {
		uint32_t up = p->parent[i];

		if (label[up] == CP_NO_ID)
			up = tree[up].parent;
		tree[i].label = label[i];
		tree[i].parent = up;
	}
	for (uint32_t i = p->n; i-- > 1;) {
		struct labelled *up = &tree[tree[i].parent];

		if (label[i] == CP_NO_ID)
			continue;
		tree[i].next = up->first;
		up->first = i;
	}
}

static void
enter(uint32_t label, uint32_t *open, bool *outermost)
{
	*outermost = label != CP_NO_ID && open[label]++ == 0;
}

/* Walks depth first; open[] counts each label between root and node. */
static void
find_outermost(const struct labelled *tree, uint32_t *open, bool *out)
{
	const struct labelled *t = tree;

	enter(t->label, open, &out[0]);
	for (;;) {
		if (t->first != 0) {
			t = &tree[t->first];
			enter(t->label, open, &out[t - tree]);
			continue;
		}
		for (;; t = &tree[t->parent]) {
			if (t->label != CP_NO_ID)
				open[t->label]--;
			if (t == tree)
				return;
			if (t->next != 0)
				break;
		}
		t = &tree[t->next];
		enter(t->label, open, &out[t - tree]);
	}
}

void
cp_paths_outermost(const struct cp_paths *p, const uint32_t *label,
    uint32_t n_labels, bool *out)
{
	struct labelled *tree = cp_run_alloc(p->run, p->n * sizeof(*tree));
	uint32_t *open = cp_run_alloc(p->run, n_labels * sizeof(*open));

	memset(out, 0, p->n * sizeof(*out));
	link_labelled(p, label, tree);
	find_outermost(tree, open, out);
	cp_run_free(p->run, tree, p->n * sizeof(*tree));
	cp_run_free(p->run, open, n_labels * sizeof(*open));
}

void
cp_spread_init(struct cp_spread *s, const struct cp_paths *p)
{
	*s = (struct cp_spread){ .paths = p };
	s->marked = cp_run_alloc(p->run, p->n * sizeof(*s->marked));
	s->own = cp_run_alloc(p->run, p->n * sizeof(*s->own));
	cp_grow_to(p->run, s->owns, &s->owns_cap, 0);
	s->touched = cp_run_alloc(p->run, p->n * sizeof(*s->touched));
}

static struct cp_own *
own_of(struct cp_spread *s, uint32_t node)
{
	if (s->own[node] == 0) {
		s->own[node] = ++s->n_owns;
		cp_grow_to(s->paths->run, s->owns, &s->owns_cap, s->n_owns);
		s->owns[s->n_owns] = (struct cp_own){ 0 };
	}
	return &s->owns[s->own[node]];
}

void
cp_spread_add(struct cp_spread *s, const struct cp_tally_row *row)
{
	uint32_t leaf = s->paths->at[row->b], first = s->n, last, i;
	struct cp_own *own;

	for (i = leaf; !s->marked[i]; i = s->paths->parent[i]) {
		s->marked[i] = true;
		s->touched[s->n++] = i;
	}
	for (last = s->n; first + 1 < last; first++) {
		i = s->touched[first];
		s->touched[first] = s->touched[--last];
		s->touched[last] = i;
	}
	own = own_of(s, leaf);
	own->self += row->weight;
	own->self_sq += row->weight_sq;
	own->samples += row->count;
}

void
cp_spread_rows(
    struct cp_spread *s, const struct cp_grouped *rows, uint32_t group)
{
	for (size_t i = rows->first[group]; i < rows->first[group + 1]; i++)
		cp_spread_add(s, &rows->rows[rows->order[i]]);
}

void
cp_spread_total(struct cp_spread *s)
{
	const struct cp_paths *p = s->paths;

	if (s->total == NULL) {
		s->total = cp_run_alloc(p->run, p->n * sizeof(*s->total));
		s->total_sq = cp_run_alloc(p->run, p->n * sizeof(*s->total_sq));
	}
	for (uint32_t k = 0; k < s->n; k++) {
		const struct cp_own *own = cp_spread_own(s, s->touched[k]);

		s->total[s->touched[k]] = own->self;
		s->total_sq[s->touched[k]] = own->self_sq;
	}
	for (uint32_t k = s->n; k-- > 1;) {
		uint32_t i = s->touched[k];

		s->total[p->parent[i]] += s->total[i];
		s->total_sq[p->parent[i]] += s->total_sq[i];
	}
}

void
cp_spread_clear(struct cp_spread *s)
{
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k];

		s->marked[i] = false;
		s->own[i] = 0;
	}
	s->n = s->n_owns = 0;
}
