/* SPDX-License-Identifier: MIT */
#include "analyses/common/call-paths.h"

#include <string.h>

/* Paths being built. */
struct build {
	struct cp_paths *p;
	uint32_t (*label_of)(void *, cp_frame_id); /* NULL: none are merged */
	void *ctx;
	uint32_t *label;
	/* Most nodes have one child, which is found without a look-up. */
	uint32_t *first;
	struct cp_index others; /* (parent, label) of the other children */
	uint32_t *number;       /* theirs, by number in others */
	uint32_t cap;
};

static uint32_t
node_of(struct build *b, uint32_t parent, cp_frame_id frame)
{
	struct cp_paths *p = b->p;

	if (b->label_of != NULL) {
		uint32_t label = b->label_of(b->ctx, frame), k;
		uint32_t *node = &b->first[parent];

		if (*node != 0 && b->label[*node] != label) {
			k = cp_index_put(&b->others, parent, label);
			cp_grow_to(p->run, b->number, &b->cap, k);
			node = &b->number[k];
		}
		if (*node != 0)
			return *node;
		*node = p->n;
		b->label[p->n] = label;
	}
	p->parent[p->n] = parent;
	p->frame[p->n] = frame;
	return p->n++;
}

/* Numbers the nodes from stack up to the first numbered one. */
static void
number_path(struct build *b, cp_stack_id stack)
{
	struct cp_paths *p = b->p;
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
		cp_frame_id frame = cp_stack_frame(p->run, stack = stacks[i]);

		if (frame >= p->frames)
			p->frames = frame + 1;
		p->at[stack] = above = node_of(b, above, frame);
	}
}

/* Builds the paths of the rows' stacks, or of what they are inlined. */
static void
build(struct build *b, struct cp_run *run, const struct cp_tally_row *rows,
    size_t n, bool inlined)
{
	struct cp_paths *p = b->p;
	cp_stack_id *instead = NULL;
	uint32_t count;

	if (inlined) {
		instead = cp_run_alloc(run, n * sizeof(*instead));
		for (size_t i = 0; i < n; i++)
			instead[i] =
			    cp_stack_inlined(run, (cp_stack_id)rows[i].b);
	}
	count = cp_stack_count(run);
	*p = (struct cp_paths){ .run = run, .n = 1, .frames = 1 };
	if (count == 0)
		count = 1;
	p->stacks = p->room = count;
	p->at = cp_run_alloc(run, count * sizeof(*p->at));
	p->parent = cp_run_alloc(run, count * sizeof(*p->parent));
	p->frame = cp_run_alloc(run, count * sizeof(*p->frame));
	if (b->label_of != NULL) {
		b->label = cp_run_alloc(run, count * sizeof(*b->label));
		b->first = cp_run_alloc(run, count * sizeof(*b->first));
		cp_index_init(&b->others, run);
	}
	for (size_t i = 0; i < n; i++)
		number_path(
		    b, instead != NULL ? instead[i] : (cp_stack_id)rows[i].b);
	/*
	 * The replaced stacks are not on paths; give them their replacement's
	 * node.
	 */
	for (size_t i = 0; instead != NULL && i < n; i++)
		p->at[rows[i].b] = p->at[instead[i]];
	cp_run_free(run, instead, n * sizeof(*instead));
	if (b->label_of != NULL) {
		cp_run_free(run, b->first, count * sizeof(*b->first));
		cp_run_free(run, b->number, b->cap * sizeof(*b->number));
		cp_index_free(&b->others);
	}
}

void
cp_paths_build(struct cp_paths *p, struct cp_run *run,
    const struct cp_tally_row *rows, size_t n)
{
	build(&(struct build){ .p = p }, run, rows, n, false);
}

uint32_t *
cp_paths_build_inlined(struct cp_paths *p, struct cp_run *run,
    const struct cp_tally_row *rows, size_t n,
    uint32_t (*label_of)(void *ctx, cp_frame_id), void *ctx)
{
	struct build b = { .p = p, .label_of = label_of, .ctx = ctx };

	build(&b, run, rows, n, true);
	return b.label;
}

void
cp_paths_free(struct cp_paths *p)
{
	cp_run_free(p->run, p->at, p->stacks * sizeof(*p->at));
	cp_run_free(p->run, p->parent, p->room * sizeof(*p->parent));
	cp_run_free(p->run, p->frame, p->room * sizeof(*p->frame));
	*p = (struct cp_paths){ .run = p->run };
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
cp_spread_init(struct cp_spread *s, const struct cp_paths *p, bool squares)
{
	*s = (struct cp_spread){ .paths = p };
	if (squares)
		s->total_sq = cp_run_alloc(p->run, p->n * sizeof(*s->total_sq));
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

	if (s->total == NULL)
		s->total = cp_run_alloc(p->run, p->n * sizeof(*s->total));
	for (uint32_t k = 0; k < s->n; k++) {
		const struct cp_own *own = cp_spread_own(s, s->touched[k]);

		s->total[s->touched[k]] = own->self;
		if (s->total_sq != NULL)
			s->total_sq[s->touched[k]] = own->self_sq;
	}
	for (uint32_t k = s->n; k-- > 1;) {
		uint32_t i = s->touched[k];

		s->total[p->parent[i]] += s->total[i];
		if (s->total_sq != NULL)
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
