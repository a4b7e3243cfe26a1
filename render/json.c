/* SPDX-License-Identifier: MIT */
/*
 * json: the whole report for machines.  docs/report-schema.md describes it;
 * change both together, and the version when a reader could stumble.
 */
#include <math.h>

#include "render/escape.h"
#include "render/render.h"

static const char *const type_name[] = {
	[CP_COL_TEXT] = "text",
	[CP_COL_COUNT] = "count",
	[CP_COL_WEIGHT] = "weight",
	[CP_COL_SHARE] = "share",
	[CP_COL_TIME] = "time",
	[CP_COL_CLOCK] = "clock",
	[CP_COL_BYTES] = "bytes",
	[CP_COL_ADDRESS] = "address",
	[CP_COL_RATE] = "rate",
};

static const char *const kind_name[] = {
	[CP_KIND_NONE] = "none",
	[CP_KIND_USER] = "user",
	[CP_KIND_KERNEL] = "kernel",
	[CP_KIND_INLINED] = "inlined",
	[CP_KIND_JIT] = "jit",
	[CP_KIND_CXX] = "c++",
	[CP_KIND_HYPERVISOR] = "hypervisor",
	[CP_KIND_GUEST] = "guest",
	[CP_KIND_UNKNOWN] = "unknown",
};

static const char *const section_name[] = {
	[CP_SECTION_TABLE] = "table",
	[CP_SECTION_TREE] = "tree",
	[CP_SECTION_SCALARS] = "scalars",
	[CP_SECTION_NOTES] = "notes",
};

static void
put_text(struct cp_out *out, const char *s)
{
	struct cp_buf b;

	if (s == NULL) {
		cp_out_str(out, "null");
		return;
	}
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape(&b, CP_ESCAPE_JSON, s);
	cp_out_char(out, '"');
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_out_char(out, '"');
	cp_buf_free(&b);
}

static void
put_key(struct cp_out *out, const char *key, const char *value)
{
	cp_out_printf(out, "\"%s\": ", key);
	put_text(out, value);
}

/* The shortest decimal that reads back as the same double. */
static void
put_double(struct cp_out *out, double v)
{
	char text[40];

	if (!isfinite(v)) {
		cp_out_str(out, "null");
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	cp_out_str(out, text);
}

static void
put_measured(struct cp_out *out, const struct cp_value *v)
{
	cp_out_str(out, "{\"value\": ");
	put_double(out, v->value);
	if (v->lo <= v->hi) {
		cp_out_str(out, ", \"interval\": [");
		put_double(out, v->lo);
		cp_out_str(out, ", ");
		put_double(out, v->hi);
		cp_out_char(out, ']');
	}
	cp_out_char(out, '}');
}

static void
put_value(struct cp_out *out, enum cp_column_type type,
    const struct cp_value *v)
{
	if (type == CP_COL_TEXT)
		put_text(out, v->text != NULL ? v->text : "");
	else if (type == CP_COL_SHARE || type == CP_COL_RATE)
		put_measured(out, v);
	else if (type == CP_COL_CLOCK && v->u64 == CP_NO_TIME)
		cp_out_str(out, "null");
	else
		cp_out_u64(out, v->u64);
}

static void
put_row(struct cp_out *out, const struct cp_table *t, const struct cp_row *row)
{
	cp_out_printf(out, "{\"depth\": %" PRIu32 ", \"values\": [",
	    row->depth);
	for (size_t i = 0; i < t->columns.len; i++) {
		if (i != 0)
			cp_out_str(out, ", ");
		put_value(out, t->columns.data[i].type, &row->values[i]);
	}
	cp_out_str(out, "]}");
}

static void
put_table(struct cp_out *out, const struct cp_table *t)
{
	cp_out_str(out, "\"columns\": [");
	for (size_t i = 0; i < t->columns.len; i++) {
		cp_out_str(out, i != 0 ? ", {" : "{");
		put_key(out, "name", t->columns.data[i].name);
		cp_out_str(out, ", ");
		put_key(out, "type", type_name[t->columns.data[i].type]);
		cp_out_char(out, '}');
	}
	cp_out_str(out, "],\n   \"rows\": [");
	for (size_t i = 0; i < t->rows.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_row(out, t, &t->rows.data[i]);
	}
	cp_out_printf(out,
	    "],\n   \"rest\": {\"rows\": %" PRIu64 ", \"weight\": %" PRIu64
	    "}",
	    t->rest_rows, t->rest_weight);
}

static void
put_node(struct cp_out *out, const struct cp_tree_node *n, bool root)
{
	cp_out_char(out, '{');
	put_key(out, "name", n->name);
	cp_out_str(out, ", ");
	put_key(out, "detail", n->detail);
	cp_out_str(out, ", ");
	put_key(out, "kind", kind_name[n->kind]);
	if (root)
		cp_out_str(out, ", \"parent\": null");
	else
		cp_out_printf(out, ", \"parent\": %" PRIu32, n->parent);
	cp_out_printf(out,
	    ", \"self\": %" PRIu64 ", \"total\": %" PRIu64
	    ", \"samples\": %" PRIu64 "}",
	    n->self, n->total, n->samples);
}

static void
put_tree(struct cp_out *out, const struct cp_tree *t)
{
	cp_out_str(out, "\"nodes\": [");
	for (size_t i = 0; i < t->nodes.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_node(out, &t->nodes.data[i], i == 0);
	}
	cp_out_char(out, ']');
}

static void
put_scalars(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "\"scalars\": [");
	for (size_t i = 0; i < s->scalars.len; i++) {
		const struct cp_scalar *v = &s->scalars.data[i];

		cp_out_str(out, i != 0 ? ",\n    {" : "\n    {");
		put_key(out, "key", v->key);
		cp_out_str(out, ", ");
		put_key(out, "type", type_name[v->type]);
		cp_out_str(out, ", \"value\": ");
		put_value(out, v->type, &v->value);
		cp_out_char(out, '}');
	}
	cp_out_char(out, ']');
}

static void
put_notes(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "\"notes\": [");
	for (size_t i = 0; i < s->notes.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_text(out, s->notes.data[i]);
	}
	cp_out_char(out, ']');
}

static void
put_section(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "\n  {");
	put_key(out, "type", section_name[s->type]);
	cp_out_str(out, ", ");
	put_key(out, "slug", s->slug);
	cp_out_str(out, ", ");
	put_key(out, "title", s->title);
	cp_out_str(out, ",\n   ");
	switch (s->type) {
	case CP_SECTION_TABLE: put_table(out, &s->table); break;
	case CP_SECTION_TREE: put_tree(out, &s->tree); break;
	case CP_SECTION_SCALARS: put_scalars(out, s); break;
	case CP_SECTION_NOTES: put_notes(out, s); break;
	}
	cp_out_char(out, '}');
}

static void
json_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	cp_out_str(out, "{\"schema\": \"coldperf-report\", \"version\": 1,\n ");
	put_key(out, "tool", opt->tool);
	cp_out_str(out, ",\n ");
	put_key(out, "analysis", r->analysis);
	cp_out_str(out, ",\n ");
	put_key(out, "title", r->title);
	cp_out_str(out, ",\n ");
	put_key(out, "weight", r->weight);
	cp_out_str(out, ",\n ");
	put_key(out, "event", r->event);
	cp_out_str(out, ",\n \"sections\": [");
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s != r->first)
			cp_out_char(out, ',');
		put_section(out, s);
	}
	cp_out_str(out, "\n ]}\n");
}

const struct cp_renderer cp_renderer_json = {
	.name = "json",
	.suffix = ".json",
	.shows = CP_SHOWS_ALL,
	.write = json_write,
};
