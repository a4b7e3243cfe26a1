/* SPDX-License-Identifier: MIT */
#include "render/common/json-report.h"

#include <math.h>

#include "render/common/escape.h"

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
	[CP_COL_CHANGE] = "change",
	[CP_COL_CHANCE] = "chance",
	[CP_COL_NUMBER] = "number",
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
	[CP_SECTION_HISTOGRAM] = "histogram",
	[CP_SECTION_GRID] = "grid",
	[CP_SECTION_LANES] = "lanes",
	[CP_SECTION_PROFILE] = "profile",
	[CP_SECTION_CODE] = "code",
};

static const char *const scale_name[] = {
	[CP_SCALE_NONE] = "none",
	[CP_SCALE_CHANGE] = "change",
	[CP_SCALE_RATIO] = "ratio",
	[CP_SCALE_CPU] = "cpu",
};

static const char *const guess_name[] = {
	[CP_GUESS_EDGE] = "instructions",
	[CP_GUESS_POINTER] = "frame_pointer",
	[CP_GUESS_SCAN] = "stack_scan",
	[CP_GUESS_CALL] = "only_call",
};
static const char *const tone_name[] = {
	[CP_TONE_PLAIN] = "plain",
	[CP_TONE_RUN] = "run",
	[CP_TONE_WAIT] = "wait",
	[CP_TONE_BLOCK] = "block",
	[CP_TONE_IDLE] = "idle",
	[CP_TONE_UNKNOWN] = "unknown",
};

void
cp_json_text(struct cp_out *out, const char *s)
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
	cp_json_text(out, value);
}

/* Writes the shortest decimal that reads back as the same double. */
static void
put_double(struct cp_out *out, double v)
{
	char text[40] = "null";

	for (int digits = 6; isfinite(v) && digits <= 17; digits++) {
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
put_value(
    struct cp_out *out, enum cp_column_type type, const struct cp_value *v)
{
	if (v->none)
		cp_out_str(out, "null");
	else if (type == CP_COL_NUMBER)
		put_double(out, v->value);
	else if (type == CP_COL_TEXT)
		cp_json_text(out, v->text != NULL ? v->text : "");
	else if (type == CP_COL_SHARE || type == CP_COL_RATE ||
		 type == CP_COL_CHANGE || type == CP_COL_CHANCE)
		put_measured(out, v);
	else if (cp_value_unknown(type, v))
		cp_out_str(out, "null");
	else
		cp_out_u64(out, v->u64);
}

static void
put_row(struct cp_out *out, const struct cp_table *t, const struct cp_row *row)
{
	cp_out_printf(out, "{\"depth\": %" PRIu32, row->depth);
	if (row->at != UINT64_MAX)
		cp_out_printf(out, ", \"at\": \"0x%" PRIx64 "\"", row->at);
	if (row->object != 0)
		cp_out_printf(out, ", \"object\": %" PRIu32, row->object);
	cp_out_str(out, ", \"values\": [");
	for (size_t i = 0; i < t->columns.len; i++) {
		cp_out_str(out, i != 0 ? ", " : "");
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
	for (size_t i = 0; i < cp_table_len(t); i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_row(out, t, cp_table_at(t, i));
	}
	cp_out_printf(out,
	    "],\n   \"rest\": {\"rows\": %" PRIu64 ", \"weight\": %" PRIu64 "}",
	    t->rest_rows, t->rest_weight);
}

static void
put_guesses(struct cp_out *out, const struct cp_tree *t, uint32_t node)
{
	size_t n;
	const struct cp_guessed *g = cp_tree_guesses(t, node, &n);

	for (size_t i = 0; i < n; i++)
		cp_out_printf(out, "%s\"%s\": %" PRIu64,
		    i == 0 ? ", \"guessed\": {" : ", ", guess_name[g[i].how],
		    g[i].weight);
	cp_out_str(out, n != 0 ? "}" : "");
}

static void
put_node(struct cp_out *out, const struct cp_tree *t, uint32_t node)
{
	const struct cp_tree_node *n = &t->nodes.data[node];
	const struct cp_tree_beside *beside = cp_tree_beside(t, n);

	cp_out_char(out, '{');
	put_key(out, "name", n->name);
	cp_out_str(out, ", ");
	put_key(out, "detail", n->detail);
	cp_out_str(out, ", ");
	put_key(out, "kind", kind_name[n->kind]);
	if (node == 0)
		cp_out_str(out, ", \"parent\": null");
	else
		cp_out_printf(out, ", \"parent\": %" PRIu32, n->parent);
	cp_out_printf(out,
	    ", \"self\": %" PRIu64 ", \"total\": %" PRIu64
	    ", \"samples\": %" PRIu64,
	    n->self, n->total, n->samples);
	if (t->compared)
		cp_out_printf(out,
		    ", \"before\": %" PRIu64 ", \"before_total\": %" PRIu64,
		    beside->before, beside->before_total);
	if (t->scale != CP_SCALE_NONE) {
		cp_out_str(out, ", \"color\": ");
		put_double(out, beside->value);
	}
	put_guesses(out, t, node);
	cp_out_char(out, '}');
}

static void
put_tree(struct cp_out *out, const struct cp_report *r, const struct cp_tree *t)
{
	put_key(out, "unit", cp_tree_unit_name(r, t));
	cp_out_str(out, ", ");
	put_key(out, "unit_type", type_name[cp_tree_unit_type(r, t)]);
	cp_out_str(out, ", ");
	put_key(out, "scale", scale_name[t->scale]);
	if (t->scale != CP_SCALE_NONE) {
		cp_out_str(out, ", ");
		put_key(out, "legend", t->legend);
		cp_out_str(out, ", \"whole\": ");
		put_double(out, t->whole);
	}
	if (t->compared)
		cp_out_printf(
		    out, ", \"reversed\": %s", t->reversed ? "true" : "false");
	cp_out_str(out, ",\n   ");
	cp_out_str(out, "\"nodes\": [");
	for (uint32_t i = 0; i < t->nodes.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_node(out, t, i);
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
		cp_json_text(out, s->notes.data[i]);
	}
	cp_out_char(out, ']');
}

static void
put_bin(
    struct cp_out *out, const struct cp_histogram *h, const struct cp_bin *bin)
{
	cp_out_printf(out,
	    "{\"lo\": %" PRIu64 ", \"hi\": %" PRIu64 ", \"count\": %" PRIu64,
	    bin->lo, bin->hi, bin->count);
	if (h->unit != NULL)
		cp_out_printf(out, ", \"weight\": %" PRIu64, bin->weight);
	cp_out_char(out, '}');
}

static void
put_histogram(struct cp_out *out, const struct cp_histogram *h)
{
	cp_out_str(out, "\"axis\": {");
	put_key(out, "name", h->name);
	cp_out_str(out, ", ");
	put_key(out, "type", type_name[h->type]);
	if (h->unit != NULL) {
		cp_out_str(out, "}, \"weights\": {");
		put_key(out, "name", h->unit);
		cp_out_str(out, ", ");
		put_key(out, "type", type_name[h->unit_type]);
	}
	cp_out_str(out, "},\n   \"bins\": [");
	for (size_t i = 0; i < h->bins.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_bin(out, h, &h->bins.data[i]);
	}
	cp_out_char(out, ']');
}

static void
put_axis(struct cp_out *out, const char *key, const struct cp_axis *a)
{
	cp_out_printf(out, "\"%s\": {", key);
	put_key(out, "name", a->name);
	cp_out_str(out, ", ");
	put_key(out, "type", type_name[a->type]);
	cp_out_printf(out, ", \"count\": %" PRIu32, a->count);
	if (a->labels != NULL || a->edges != NULL) {
		uint32_t n = a->labels != NULL ? a->count : a->count + 1;

		cp_out_printf(
		    out, ", \"%s\": [", a->labels != NULL ? "labels" : "edges");
		for (uint32_t i = 0; i < n; i++) {
			cp_out_str(out, i != 0 ? ", " : "");
			if (a->labels != NULL)
				cp_json_text(out, a->labels[i]);
			else
				cp_out_u64(out, a->edges[i]);
		}
		cp_out_char(out, ']');
	} else {
		cp_out_printf(out,
		    ", \"from\": %" PRIu64 ", \"step\": %" PRIu64, a->from,
		    a->step);
	}
	cp_out_char(out, '}');
}

static void
put_grid(struct cp_out *out, const struct cp_grid *g)
{
	put_axis(out, "x", &g->x);
	cp_out_str(out, ",\n   ");
	put_axis(out, "y", &g->y);
	cp_out_str(out, ",\n   \"value\": {");
	put_key(out, "name", g->name);
	cp_out_str(out, ", ");
	put_key(out, "type", type_name[g->type]);
	cp_out_str(out, "},\n   \"cells\": [");
	for (size_t i = 0; i < g->cells.len; i++) {
		const struct cp_grid_cell *c = &g->cells.data[i];

		cp_out_printf(out, "%s[%" PRIu32 ", %" PRIu32 ", ",
		    i == 0       ? "\n    "
		    : i % 8 == 0 ? ",\n    "
				 : ", ",
		    c->x, c->y);
		if (g->type == CP_COL_RATE)
			put_double(out, cp_grid_value(g, c->value).value);
		else
			cp_out_u64(out, c->value);
		cp_out_char(out, ']');
	}
	cp_out_char(out, ']');
}

static void
put_span(struct cp_out *out, const struct cp_lane_span *s)
{
	cp_out_printf(out,
	    "{\"lane\": %" PRIu32 ", \"kind\": %" PRIu32 ", \"start\": %" PRIu64
	    ", \"end\": %" PRIu64 ", \"level\": %.4g",
	    s->lane, s->kind, s->start, s->end, (double)s->level);
	if (s->text != NULL) {
		cp_out_str(out, ", ");
		put_key(out, "text", s->text);
	}
	cp_out_char(out, '}');
}

static void
put_lanes(struct cp_out *out, const struct cp_lanes *l)
{
	cp_out_str(out, "\"kinds\": [");
	for (size_t i = 0; i < l->kinds.len; i++) {
		cp_out_str(out, i != 0 ? ", {" : "{");
		put_key(out, "name", l->kinds.data[i].name);
		cp_out_str(out, ", ");
		put_key(out, "tone", tone_name[l->kinds.data[i].tone]);
		cp_out_char(out, '}');
	}
	cp_out_str(out, "],\n   \"lanes\": [");
	for (size_t i = 0; i < l->lanes.len; i++) {
		cp_out_str(out, i != 0 ? ", " : "");
		cp_json_text(out, l->lanes.data[i]);
	}
	cp_out_str(out, "],\n   \"spans\": [");
	for (size_t i = 0; i < l->spans.len; i++) {
		cp_out_str(out, i != 0 ? ",\n    " : "\n    ");
		put_span(out, &l->spans.data[i]);
	}
	cp_out_char(out, ']');
}

static void
put_section(
    struct cp_out *out, const struct cp_report *r, const struct cp_section *s)
{
	cp_out_str(out, "\n  {");
	put_key(out, "type", section_name[s->type]);
	cp_out_str(out, ", ");
	put_key(out, "slug", s->slug);
	cp_out_str(out, ", ");
	put_key(out, "title", s->title);
	cp_out_str(out, ",\n   ");
	switch (s->type) {
	case CP_SECTION_TABLE:
	case CP_SECTION_CODE: put_table(out, &s->table); break;
	case CP_SECTION_TREE: put_tree(out, r, &s->tree); break;
	case CP_SECTION_SCALARS: put_scalars(out, s); break;
	case CP_SECTION_NOTES: put_notes(out, s); break;
	case CP_SECTION_HISTOGRAM: put_histogram(out, &s->histogram); break;
	case CP_SECTION_GRID: put_grid(out, &s->grid); break;
	case CP_SECTION_LANES: put_lanes(out, &s->lanes); break;
	case CP_SECTION_PROFILE:
	case CP_SECTION_TYPES: break;
	}
	cp_out_char(out, '}');
}

/*
 * Samples have tables of their own in a snapshot, so that of analyses only the
 * account is told, in this order.  What `quality' says of call chains, and all
 * notes, depend on the command.
 */
static const char *const account[] = { NULL, "info", "quality", "profile" };

static bool
is_account(const struct cp_section *s, const char *by)
{
	if (s->type == CP_SECTION_NOTES || strcmp(s->slug, "objects") == 0 ||
	    strncmp(s->slug, "chains", strlen("chains")) == 0)
		return false;
	return by == NULL ? s->by == NULL
			  : s->by != NULL && strcmp(s->by, by) == 0;
}

static bool
is_shown(const struct cp_section *s, enum cp_json_use use)
{
	if (s->type == CP_SECTION_PROFILE)
		return false;
	if (use == CP_JSON_PAGE)
		return strcmp(s->slug, "flame") != 0 && !cp_section_is_data(s);
	return s->type != CP_SECTION_CODE;
}

static void
put_sections(struct cp_out *out, const struct cp_report *r,
    enum cp_json_use use, const char *by, const char **before)
{
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (!is_shown(s, use) ||
		    (use == CP_JSON_SNAPSHOT && !is_account(s, by)))
			continue;
		cp_out_str(out, *before);
		put_section(out, r, s);
		*before = ",";
	}
}

void
cp_json_report(const struct cp_report *r, const char *tool,
    enum cp_json_use use, struct cp_out *out)
{
	const char *const head[][2] = { { "tool", tool },
		{ "analysis", r->analysis }, { "title", r->title },
		{ "weight", r->weight }, { "event", r->event } };
	const char *before = "";

	cp_out_str(out, "{\"schema\": \"coldperf-report\", \"version\": 1,\n ");
	for (size_t i = 0; i < CP_ARRAY_LEN(head); i++) {
		put_key(out, head[i][0], head[i][1]);
		cp_out_str(out, ",\n ");
	}
	cp_out_str(out, "\"start\": ");
	if (r->start == CP_NO_TIME)
		cp_out_str(out, "null");
	else
		cp_out_u64(out, r->start);
	cp_out_str(out, ",\n \"sections\": [");
	for (size_t i = 0; i < CP_ARRAY_LEN(account); i++)
		if (i == 0 || use == CP_JSON_SNAPSHOT)
			put_sections(out, r, use, account[i], &before);
	cp_out_str(out, "\n ]}\n");
}
