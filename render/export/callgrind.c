/* SPDX-License-Identifier: MIT */
/*
 * callgrind: the format of callgrind_annotate and KCachegrind.
 *
 * Costs are samples and the weights of each event.  The numbers of calls are
 * not known; samples replace them.  An inlined function is written as a called
 * one, because the format's own way gives it its caller's name.
 */
#include "base/strings.h"
#include "render/common/escape.h"
#include "render/export/common/about.h"
#include "render/export/common/call-graph.h"

/* Names have numbers; after the first time the number is enough. */
struct names {
	struct cp_strings strings;
	uint32_t told; /* numbers from here on are new */
};

struct callgrind {
	const struct cp_export *x;
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_call_graph graph;
	bool addresses;
	struct names files, objects;
	bool *told; /* by function */
};

static void
put_escaped(struct cp_out *out, const char *s)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, s);
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static void
put_name(
    struct callgrind *w, const char *key, struct names *names, const char *name)
{
	uint32_t id;

	name = name != NULL && *name != '\0' ? name : "???";
	id = cp_strings_add(&names->strings, name);
	cp_out_printf(w->out, "%s=(%" PRIu32 ")", key, id);
	if (id > names->told) {
		cp_out_char(w->out, ' ');
		put_escaped(w->out, name);
		names->told = id;
	}
	cp_out_char(w->out, '\n');
}

static void
put_function(struct callgrind *w, const char *key, uint32_t i)
{
	const struct cp_export_function *f = &w->graph.functions.all.data[i];
	struct cp_buf name;

	cp_out_printf(w->out, "%s=(%" PRIu32 ")", key, i + 1);
	if (!w->told[i]) {
		cp_buf_init(&name, SIZE_MAX / 2);
		cp_function_name(&name, w->p, f->symbol, f->object);
		cp_out_char(w->out, ' ');
		put_escaped(w->out, cp_buf_text(&name));
		cp_buf_free(&name);
		w->told[i] = true;
	}
	cp_out_char(w->out, '\n');
}

static void
put_place(struct callgrind *w, uint64_t addr, uint32_t line)
{
	if (w->addresses)
		cp_out_printf(w->out, "0x%" PRIx64 " ", addr);
	cp_out_u64(w->out, line);
}

static void
put_values(struct callgrind *w, const uint64_t *values)
{
	for (uint32_t i = 0; i < w->graph.columns; i++) {
		cp_out_char(w->out, ' ');
		cp_out_u64(w->out, values[i]);
	}
	cp_out_char(w->out, '\n');
}

static uint64_t
start_of(const struct callgrind *w, const struct cp_export_function *f)
{
	return f->symbol != 0 ? w->p->symbols.data[f->symbol].start : 0;
}

static void
put_cost(struct callgrind *w, uint32_t i)
{
	const struct cp_call_cost *c = &w->graph.costs.data[i];
	const uint64_t *values =
	    &w->graph.values.data[(size_t)i * w->graph.columns];
	const struct cp_export_function *callee;

	if (c->to != CP_NO_ID) {
		callee = &w->graph.functions.all.data[c->to];
		put_name(
		    w, "cob", &w->objects, cp_function_object(w->p, callee));
		put_name(w, "cfi", &w->files, callee->file);
		put_function(w, "cfn", c->to);
		cp_out_printf(
		    w->out, "calls=%" PRIu64 " ", CP_MAX(values[0], 1));
		put_place(w, start_of(w, callee), callee->line);
		cp_out_char(w->out, '\n');
	}
	put_place(w, c->addr, c->line);
	put_values(w, values);
}

/* A function's own costs come before those of its calls. */
static void
put_costs(struct callgrind *w, const uint32_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (w->graph.costs.data[order[i]].to == CP_NO_ID)
			put_cost(w, order[i]);
	for (size_t i = 0; i < n; i++)
		if (w->graph.costs.data[order[i]].to != CP_NO_ID)
			put_cost(w, order[i]);
}

static void
put_functions(struct callgrind *w)
{
	uint32_t *order = cp_call_graph_by_function(&w->graph);
	const struct cp_call_cost *costs = w->graph.costs.data;

	for (size_t at = 0, n; at < w->graph.costs.len; at += n) {
		uint32_t from = costs[order[at]].from;
		const struct cp_export_function *f =
		    &w->graph.functions.all.data[from];

		for (n = 1; at + n < w->graph.costs.len &&
			    costs[order[at + n]].from == from;)
			n++;
		cp_out_char(w->out, '\n');
		put_name(w, "ob", &w->objects, cp_function_object(w->p, f));
		put_name(w, "fl", &w->files, f->file);
		put_function(w, "fn", from);
		put_costs(w, order + at, n);
	}
	free(order);
}

/* Events are words. */
static void
put_event(struct callgrind *w, const char *name)
{
	cp_out_char(w->out, ' ');
	for (; *name != '\0'; name++) {
		char c = *name;
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '-' || c == '.';

		cp_out_char(w->out, word ? c : '_');
	}
}

static void
put_about(void *ctx, const char *line)
{
	struct callgrind *w = ctx;

	cp_out_str(w->out, "desc: Note: ");
	put_escaped(w->out, line);
	cp_out_char(w->out, '\n');
}

static void
put_head(struct callgrind *w, const struct cp_render_options *opt)
{
	cp_out_str(w->out, "# callgrind format\nversion: 1\ncreator: ");
	put_escaped(w->out, opt->tool != NULL ? opt->tool : "coldperf");
	cp_out_str(w->out, "\ncmd: ");
	put_escaped(
	    w->out, w->x->report->title != NULL ? w->x->report->title : "");
	cp_out_char(w->out, '\n');
	cp_export_about(w->x, opt, put_about, w);
	cp_out_str(w->out,
	    w->addresses ? "positions: instr line\n" : "positions: line\n");
	cp_out_str(w->out, "events: Samples");
	for (uint32_t i = 1; i < w->graph.columns; i++)
		put_event(w, w->p->events.data[w->graph.event[i]].name);
	cp_out_str(w->out, "\nsummary:");
	put_values(w, w->graph.whole);
}

static void
callgrind_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	struct cp_export x;
	struct callgrind w = {
		.x = &x, .out = out, .addresses = opt->addresses
	};

	if (!cp_export_begin(&x, r, 0, left))
		return;
	w.p = x.profile;
	cp_call_graph_build(&w.graph, &x, opt->addresses, left);
	w.told = cp_xcalloc(w.graph.functions.all.len + 1, sizeof(*w.told));
	put_head(&w, opt);
	put_functions(&w);
	free(w.told);
	cp_strings_free(&w.files.strings);
	cp_strings_free(&w.objects.strings);
	cp_call_graph_free(&w.graph);
	cp_export_end(&x);
}

const struct cp_renderer cp_renderer_callgrind = {
	.name = "callgrind",
	.suffix = ".callgrind",
	.prefix = "callgrind.out.",
	.shows = CP_SHOWS(CP_SECTION_PROFILE) | CP_SHOWS(CP_SECTION_TREE),
	.write = callgrind_write,
};
