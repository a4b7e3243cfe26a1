/* SPDX-License-Identifier: MIT */
#include "render/export/common/call-graph.h"

#include "base/limits.h"

/* A function on the path from the root to the current stack. */
struct step {
	uint32_t function, call; /* call: number of the pair; 0: no caller */
	uint32_t line, place;
	uint64_t addr;
};

struct walk {
	struct cp_call_graph *g;
	const struct cp_profile *p;
	bool addresses;
	uint64_t *totals; /* of each stack, columns */
	uint64_t *own;    /* the same, without those below */
	uint32_t *child, *sibling;
	struct cp_map64 calls;  /* caller, callee */
	struct cp_map64 places; /* a frame's line, if addresses count */
	struct cp_map64 costs;  /* call or function, and place */
	uint32_t n_calls, n_places;
	CP_VEC(struct step) path;
	CP_VEC(uint32_t) on_path;   /* by function: how often */
	CP_VEC(uint32_t) call_path; /* by call */
};

static void
choose_columns(
    struct cp_call_graph *g, const struct cp_profile *p, struct cp_left *left)
{
	size_t n = p->events.len;

	g->event = cp_xcalloc(CP_MAX_EXPORT_EVENTS + 1, sizeof(*g->event));
	g->column = cp_xcalloc(n + 1, sizeof(*g->column));
	g->columns = 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_profile_event *e = &p->events.data[i];

		if (e->samples == 0 && e->weight == 0)
			continue;
		if (g->columns > CP_MAX_EXPORT_EVENTS) {
			left->limit = "events (CP_MAX_EXPORT_EVENTS)";
			return;
		}
		g->column[i] = g->columns;
		g->event[g->columns++] = i;
	}
}

static void
add_to(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] += from[i];
}

/* Parents come before their children. */
static void
sum_stacks(struct walk *w, const struct cp_export *x)
{
	uint32_t columns = w->g->columns;
	size_t n = w->p->stacks.len;

	for (size_t i = 0; i < x->rows.len; i++) {
		const struct cp_export_row *row = &x->rows.data[i];
		uint32_t c = w->g->column[row->event];
		uint64_t *own = &w->own[(size_t)row->stack * columns];

		if (c == 0)
			continue;
		own[0] += row->samples;
		own[c] += row->weight;
	}
	memcpy(w->totals, w->own, n * columns * sizeof(*w->totals));
	for (size_t s = n; s-- > 1;) {
		uint32_t parent = w->p->stacks.data[s].parent;

		w->sibling[s] = w->child[parent];
		w->child[parent] = (uint32_t)s;
		add_to(&w->totals[parent * (size_t)columns],
		    &w->totals[s * columns], columns);
	}
	memcpy(w->g->whole, w->totals, columns * sizeof(*w->g->whole));
}

static uint32_t
number_of(struct cp_map64 *map, uint32_t a, uint32_t b, uint32_t *count)
{
	uint32_t *slot = cp_map64_put(map, (uint64_t)a << 32 | b);

	if (*slot == 0)
		*slot = ++*count;
	return *slot;
}

/* Returns how often the number was on the path before. */
static uint32_t
enter(uint32_t *data, uint32_t number)
{
	return data[number]++;
}

static void
add_cost(struct walk *w, const struct step *at, uint32_t to, uint32_t what,
    const uint64_t *values)
{
	struct cp_call_graph *g = w->g;
	uint32_t *slot =
	    cp_map64_put(&w->costs, (uint64_t)what << 32 | at->place);

	if (*slot == 0) {
		*cp_vec_push(&g->costs) = (struct cp_call_cost){ at->function,
			to, at->line, w->addresses ? at->addr : 0 };
		*slot = (uint32_t)g->costs.len;
		for (uint32_t i = 0; i < g->columns; i++)
			*cp_vec_push(&g->values) = 0;
	}
	add_to(&g->values.data[(size_t)(*slot - 1) * g->columns], values,
	    g->columns);
}

/* The number of a pair; the callee CP_NO_ID stands for the function's own. */
static uint32_t
call_of(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t call = number_of(&w->calls, from, to, &w->n_calls);

	while (w->call_path.len <= call)
		*cp_vec_push(&w->call_path) = 0;
	return call;
}

static uint32_t
function_of(struct walk *w, const struct cp_export_line *line)
{
	uint32_t f = cp_functions_of(&w->g->functions, line);

	while (w->on_path.len <= f) {
		*cp_vec_push(&w->on_path) = 0;
		for (uint32_t i = 0; i < w->g->columns; i++)
			*cp_vec_push(&w->g->inclusive) = 0;
	}
	return f;
}

static void
enter_line(struct walk *w, uint32_t frame, uint32_t i, const uint64_t *total)
{
	struct cp_export_line line = cp_export_line(w->p, frame, i);
	struct step now = { .function = function_of(w, &line),
		.line = line.line,
		.place = line.line,
		.addr = w->p->frames.data[frame].addr };
	const struct step *caller =
	    w->path.len != 0 ? &w->path.data[w->path.len - 1] : NULL;

	if (w->addresses)
		now.place = number_of(&w->places, frame, i, &w->n_places);
	if (enter(w->on_path.data, now.function) == 0)
		add_to(
		    &w->g->inclusive.data[(size_t)now.function * w->g->columns],
		    total, w->g->columns);
	if (caller != NULL) {
		now.call = call_of(w, caller->function, now.function);
		if (enter(w->call_path.data, now.call) == 0)
			add_cost(w, caller, now.function, now.call, total);
	}
	*cp_vec_push(&w->path) = now;
}

static bool
any(const uint64_t *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (values[i] != 0)
			return true;
	return false;
}

static void
enter_stack(struct walk *w, uint32_t s)
{
	const size_t at = (size_t)s * w->g->columns;
	uint32_t frame = w->p->stacks.data[s].frame;
	const struct step *last;

	for (uint32_t i = 0; i < cp_export_lines(w->p, frame); i++)
		enter_line(w, frame, i, &w->totals[at]);
	if (!any(&w->own[at], w->g->columns))
		return;
	last = &w->path.data[w->path.len - 1];
	add_cost(w, last, CP_NO_ID, call_of(w, last->function, CP_NO_ID),
	    &w->own[at]);
}

static void
leave_stack(struct walk *w, uint32_t s)
{
	size_t n = cp_export_lines(w->p, w->p->stacks.data[s].frame);

	for (; n > 0; n--) {
		const struct step *last = &w->path.data[--w->path.len];

		w->on_path.data[last->function]--;
		if (last->call != 0)
			w->call_path.data[last->call]--;
	}
}

/*
 * Walks stacks from the root down, without recursion; a stack refers to its
 * parent.
 */
static void
walk_stacks(struct walk *w)
{
	uint32_t s = w->child[0];

	while (s != 0) {
		enter_stack(w, s);
		if (w->child[s] != 0) {
			s = w->child[s];
			continue;
		}
		while (s != 0) {
			leave_stack(w, s);
			if (w->sibling[s] != 0)
				break;
			s = w->p->stacks.data[s].parent;
		}
		if (s != 0)
			s = w->sibling[s];
	}
}

/* Adds samples without a stack to a function without a name. */
static void
add_stackless(struct walk *w)
{
	if (!any(w->own, w->g->columns))
		return;
	memcpy(w->totals, w->own, w->g->columns * sizeof(*w->own));
	enter_stack(w, 0);
	leave_stack(w, 0);
}

void
cp_call_graph_build(struct cp_call_graph *g, const struct cp_export *x,
    bool addresses, struct cp_left *left)
{
	size_t n = x->profile->stacks.len;
	struct walk w = { .g = g, .p = x->profile, .addresses = addresses };

	*g = (struct cp_call_graph){ .profile = x->profile };
	choose_columns(g, x->profile, left);
	g->whole = cp_xcalloc(g->columns, sizeof(*g->whole));
	w.own = cp_xcalloc(n * g->columns, sizeof(*w.own));
	w.totals = cp_xcalloc(n * g->columns, sizeof(*w.totals));
	w.child = cp_xcalloc(n, sizeof(*w.child));
	w.sibling = cp_xcalloc(n, sizeof(*w.sibling));
	sum_stacks(&w, x);
	walk_stacks(&w);
	add_stackless(&w);
	free(w.own);
	free(w.totals);
	free(w.child);
	free(w.sibling);
	cp_map64_free(&w.calls);
	cp_map64_free(&w.places);
	cp_map64_free(&w.costs);
	cp_vec_free(&w.path);
	cp_vec_free(&w.on_path);
	cp_vec_free(&w.call_path);
}

uint32_t *
cp_call_graph_by_function(const struct cp_call_graph *g)
{
	uint32_t *first = cp_xcalloc(g->functions.all.len + 1, sizeof(*first));
	uint32_t *order = cp_xcalloc(g->costs.len + 1, sizeof(*order));

	for (size_t i = 0; i < g->costs.len; i++)
		first[g->costs.data[i].from + 1]++;
	for (size_t f = 0; f < g->functions.all.len; f++)
		first[f + 1] += first[f];
	for (size_t i = 0; i < g->costs.len; i++)
		order[first[g->costs.data[i].from]++] = (uint32_t)i;
	free(first);
	return order;
}

void
cp_call_graph_free(struct cp_call_graph *g)
{
	free(g->event);
	free(g->column);
	free(g->whole);
	cp_vec_free(&g->costs);
	cp_vec_free(&g->values);
	cp_vec_free(&g->inclusive);
	cp_functions_free(&g->functions);
}
