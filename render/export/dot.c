/* SPDX-License-Identifier: MIT */
/*
 * dot: the call graph of one event as Graphviz draws it.
 *
 * Functions below a share of all (0.5 % unless said otherwise) are left out,
 * and calls below a fifth of that; the graph's label counts them.
 */
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/export/common/about.h"
#include "render/export/common/call-graph.h"

#define DEFAULT_SHARE 0.005
#define CALL_SHARE 0.2 /* part of a function's share */

struct dot {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_call_graph graph;
	uint32_t column; /* of the event that is drawn */
	uint64_t least, whole;
	uint64_t *own;   /* by function */
	uint64_t hidden; /* functions left out */
};

/* A text within quotes. */
static void
put_escaped(struct cp_out *out, const char *s)
{
	struct cp_buf b;
	const char *text;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, s);
	for (text = cp_buf_text(&b); *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			cp_out_char(out, '\\');
		cp_out_char(out, *text);
	}
	cp_buf_free(&b);
}

static uint64_t
inclusive(const struct dot *w, uint32_t function)
{
	return w->graph.inclusive
	    .data[(size_t)function * w->graph.columns + w->column];
}

static uint64_t
cost(const struct dot *w, size_t i)
{
	return w->graph.values.data[i * w->graph.columns + w->column];
}

static bool
is_drawn(const struct dot *w, uint32_t function)
{
	uint64_t v = inclusive(w, function);

	return v != 0 && v >= w->least;
}

static void
put_share(const struct dot *w, uint64_t v)
{
	cp_out_printf(w->out, "%.2f%%",
	    w->whole != 0 ? 100 * (double)v / (double)w->whole : 0);
}

static void
put_function(struct dot *w, uint32_t i)
{
	const struct cp_export_function *f = &w->graph.functions.all.data[i];
	double own = w->whole != 0 ? (double)w->own[i] / (double)w->whole : 0;
	struct cp_buf name;

	cp_buf_init(&name, SIZE_MAX / 2);
	cp_function_name(&name, w->p, f->symbol, f->object);
	cp_out_printf(w->out, "\tn%" PRIu32 " [label=\"", i);
	put_escaped(w->out, cp_buf_text(&name));
	cp_out_str(w->out, "\\n");
	put_share(w, w->own[i]);
	cp_out_str(w->out, " of ");
	put_share(w, inclusive(w, i));
	cp_out_str(w->out, "\", tooltip=\"");
	put_escaped(w->out, cp_function_object(w->p, f));
	/* A hot function is large and dark. */
	cp_out_printf(w->out, "\", fontsize=%.0f, fillcolor=\"0.05 %.3f 1\"",
	    10 + 20 * own, own);
	cp_out_printf(w->out, ", self=%" PRIu64 ", total=%" PRIu64 "];\n",
	    w->own[i], inclusive(w, i));
	cp_buf_free(&name);
}

/* Calls of one pair from several lines are one edge. */
static void
put_calls(struct dot *w)
{
	const struct cp_call_cost *costs = w->graph.costs.data;
	struct cp_map64 at = { 0 };
	CP_VEC(uint64_t) sums = { 0 };
	CP_VEC(uint32_t) first = { 0 };

	for (uint32_t i = 0; i < w->graph.costs.len; i++) {
		uint32_t *slot;

		if (costs[i].to == CP_NO_ID)
			continue;
		slot = cp_map64_put(
		    &at, (uint64_t)costs[i].from << 32 | costs[i].to);
		if (*slot == 0) {
			*cp_vec_push(&sums) = 0;
			*cp_vec_push(&first) = i;
			*slot = (uint32_t)sums.len;
		}
		sums.data[*slot - 1] += cost(w, i);
	}
	for (size_t i = 0; i < sums.len; i++) {
		const struct cp_call_cost *c = &costs[first.data[i]];

		if (!is_drawn(w, c->from) || !is_drawn(w, c->to) ||
		    (double)sums.data[i] < CALL_SHARE * (double)w->least)
			continue;
		cp_out_printf(w->out,
		    "\tn%" PRIu32 " -> n%" PRIu32 " [label=\"", c->from, c->to);
		put_share(w, sums.data[i]);
		cp_out_printf(
		    w->out, "\", weight_of=%" PRIu64 "];\n", sums.data[i]);
	}
	cp_map64_free(&at);
	cp_vec_free(&sums);
	cp_vec_free(&first);
}

static void
put_about(void *ctx, const char *line)
{
	struct dot *w = ctx;

	put_escaped(w->out, line);
	cp_out_str(w->out, "\\l");
}

static void
put_all(struct dot *w, const struct cp_export *x,
    const struct cp_render_options *opt)
{
	size_t n = w->graph.functions.all.len;

	for (size_t i = 0; i < w->graph.costs.len; i++)
		if (w->graph.costs.data[i].to == CP_NO_ID)
			w->own[w->graph.costs.data[i].from] += cost(w, i);
	for (uint32_t i = 0; i < n; i++)
		w->hidden += !is_drawn(w, i) && inclusive(w, i) != 0;
	cp_out_str(w->out, "digraph coldperf {\n\tlabel=\"");
	if (x->event != CP_NO_ID) {
		put_escaped(w->out, w->p->events.data[x->event].name);
		cp_out_str(w->out, " is drawn\\l");
	}
	if (w->hidden != 0)
		cp_out_printf(w->out,
		    "%" PRIu64 " small functions are left out\\l", w->hidden);
	cp_export_about(x, opt, put_about, w);
	cp_out_str(w->out, "\";\n\tlabelloc=t;\n\tlabeljust=l;\n"
			   "\tnode [shape=box, style=filled];\n");
	for (uint32_t i = 0; i < n; i++)
		if (is_drawn(w, i))
			put_function(w, i);
	put_calls(w);
	cp_out_str(w->out, "}\n");
}

static void
dot_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	double share = opt->min_share != 0 ? opt->min_share : DEFAULT_SHARE;
	struct cp_export x;
	struct dot w = { .out = out };

	if (!cp_export_begin(&x, r, 0, left))
		return;
	w.p = x.profile;
	cp_call_graph_build(&w.graph, &x, false, left);
	w.column = x.event != CP_NO_ID ? w.graph.column[x.event] : 0;
	w.whole = w.graph.whole[w.column];
	/* A double of the whole may be more than 64 bits. */
	w.least = share < 1 ? (uint64_t)(share * (double)w.whole) : w.whole;
	w.own = cp_xcalloc(w.graph.functions.all.len + 1, sizeof(*w.own));
	put_all(&w, &x, opt);
	free(w.own);
	cp_call_graph_free(&w.graph);
	cp_export_end(&x);
}

const struct cp_renderer cp_renderer_dot = {
	.name = "dot",
	.suffix = ".dot",
	.shows = CP_SHOWS(CP_SECTION_PROFILE) | CP_SHOWS(CP_SECTION_TREE),
	.write = dot_write,
};
