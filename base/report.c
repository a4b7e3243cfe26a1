/* SPDX-License-Identifier: MIT */
#include "base/report.h"

#include <math.h>
#include <stdarg.h>

void
cp_report_init(struct cp_report *r, const char *analysis)
{
	*r = (struct cp_report) { .analysis = analysis, .title = "",
		.label = "", .weight = "samples", .event = "" };
	r->last = &r->first;
}

static const char *
report_text(struct cp_report *r, const char *s)
{
	return cp_arena_strndup(&r->arena, s, strlen(s));
}

static struct cp_section *
section_new(struct cp_report *r, enum cp_section_type type, const char *slug,
    const char *title)
{
	struct cp_section *s = cp_arena_alloc(&r->arena, sizeof(*s));

	s->type = type;
	s->slug = report_text(r, slug);
	s->title = report_text(r, title);
	*r->last = s;
	r->last = &s->next;
	return s;
}

static struct cp_section *
section_find(const struct cp_report *r, enum cp_section_type type,
    const char *slug)
{
	struct cp_section *s = r->first;

	while (s != NULL && (s->type != type || strcmp(s->slug, slug) != 0))
		s = s->next;
	return s;
}

const struct cp_section *
cp_report_find(const struct cp_report *r, const char *slug)
{
	const struct cp_section *s = r->first;

	while (s != NULL && strcmp(s->slug, slug) != 0)
		s = s->next;
	return s;
}

struct cp_table *
cp_report_table(struct cp_report *r, const char *slug, const char *title)
{
	struct cp_section *s = section_new(r, CP_SECTION_TABLE, slug, title);

	s->table.report = r;
	return &s->table;
}

void
cp_table_column(struct cp_table *t, const char *name, enum cp_column_type type)
{
	*cp_vec_push(&t->columns) = (struct cp_column) {
		.name = report_text(t->report, name), .type = type
	};
}

void
cp_table_row(struct cp_table *t)
{
	struct cp_row *row = cp_vec_push(&t->rows);

	*row = (struct cp_row) { 0 };
	row->values = cp_arena_alloc(
	    &t->report->arena, t->columns.len * sizeof(*row->values));
}

static struct cp_value *
table_next(struct cp_table *t)
{
	struct cp_row *row = &t->rows.data[t->rows.len - 1];

	if (row->filled >= t->columns.len)
		abort(); /* the analysis gave more values than columns */
	return &row->values[row->filled++];
}

void
cp_table_text(struct cp_table *t, const char *text)
{
	table_next(t)->text = report_text(t->report, text);
}

void
cp_table_u64(struct cp_table *t, uint64_t v)
{
	table_next(t)->u64 = v;
}

void
cp_table_value(struct cp_table *t, double value, double lo, double hi)
{
	struct cp_value *v = table_next(t);

	v->value = value;
	v->lo = lo;
	v->hi = hi;
}

void
cp_table_rest(struct cp_table *t, uint64_t rows, uint64_t weight)
{
	t->rest_rows = rows;
	t->rest_weight = weight;
}

void
cp_table_indent(struct cp_table *t, unsigned depth)
{
	t->rows.data[t->rows.len - 1].depth = depth;
}

struct cp_tree *
cp_report_tree(struct cp_report *r, const char *slug, const char *title)
{
	struct cp_section *s = section_new(r, CP_SECTION_TREE, slug, title);

	*cp_vec_push(&s->tree.nodes) = (struct cp_tree_node) {
		.name = "all", .detail = "", .kind = CP_KIND_NONE
	};
	return &s->tree;
}

uint32_t
cp_tree_node(struct cp_tree *t, uint32_t parent, const char *name,
    const char *detail, enum cp_kind kind)
{
	*cp_vec_push(&t->nodes) = (struct cp_tree_node) { .name = name,
		.detail = detail, .parent = parent, .kind = (uint8_t)kind };
	return (uint32_t)(t->nodes.len - 1);
}

void
cp_tree_add(struct cp_tree *t, uint32_t node, uint64_t weight,
    uint64_t samples)
{
	t->nodes.data[node].self += weight;
	t->nodes.data[node].samples += samples;
}

/* Groups of scalars are titled by their slug. */
static struct cp_section *
scalars_new(struct cp_report *r, const char *slug)
{
	char title[64];

	snprintf(title, sizeof(title), "%s", slug);
	if (title[0] >= 'a' && title[0] <= 'z')
		title[0] = (char)(title[0] - 'a' + 'A');
	return section_new(r, CP_SECTION_SCALARS, slug, title);
}

static struct cp_scalar *
scalar_new(struct cp_report *r, const char *section, const char *key,
    enum cp_column_type type)
{
	struct cp_section *s = section_find(r, CP_SECTION_SCALARS, section);
	struct cp_scalar *v;

	if (s == NULL)
		s = scalars_new(r, section);
	v = cp_vec_push(&s->scalars);
	*v = (struct cp_scalar) { .key = report_text(r, key), .type = type };
	v->value.lo = 1;
	return v;
}

void
cp_report_scalar(struct cp_report *r, const char *section, const char *key,
    enum cp_column_type type, uint64_t value)
{
	scalar_new(r, section, key, type)->value.u64 = value;
}

void
cp_report_scalar_text(struct cp_report *r, const char *section,
    const char *key, const char *value)
{
	scalar_new(r, section, key, CP_COL_TEXT)->value.text =
	    report_text(r, value);
}

void
cp_report_scalar_share(struct cp_report *r, const char *section,
    const char *key, double value)
{
	scalar_new(r, section, key, CP_COL_SHARE)->value.value = value;
}

void
cp_report_note(struct cp_report *r, const char *fmt, ...)
{
	struct cp_section *s = section_find(r, CP_SECTION_NOTES, "notes");
	char text[1024];
	va_list ap;

	if (s == NULL)
		s = section_new(r, CP_SECTION_NOTES, "notes", "Notes");
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Two analyses may say the same. */
	for (size_t i = 0; i < s->notes.len; i++)
		if (strcmp(s->notes.data[i], text) == 0)
			return;
	*cp_vec_push(&s->notes) = report_text(r, text);
}

void
cp_interval(double share, double n, double *lo, double *hi)
{
	const double z = 1.959963984540054;
	double mid, half;

	if (n <= 0) {
		*lo = 0;
		*hi = 1;
		return;
	}
	mid = (share + z * z / (2 * n)) / (1 + z * z / n);
	half = z / (1 + z * z / n) *
	    sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	*lo = fmax(0, mid - half);
	*hi = fmin(1, mid + half);
}

static void
tree_totals(struct cp_tree *t)
{
	for (size_t i = 0; i < t->nodes.len; i++)
		t->nodes.data[i].total = t->nodes.data[i].self;
	for (size_t i = t->nodes.len; i-- > 1;)
		t->nodes.data[t->nodes.data[i].parent].total +=
		    t->nodes.data[i].total;
}

void
cp_report_finish(struct cp_report *r)
{
	for (struct cp_section *s = r->first; s != NULL; s = s->next)
		if (s->type == CP_SECTION_TREE)
			tree_totals(&s->tree);
}

void
cp_report_free(struct cp_report *r)
{
	for (struct cp_section *s = r->first; s != NULL; s = s->next) {
		cp_vec_free(&s->table.columns);
		cp_vec_free(&s->table.rows);
		cp_vec_free(&s->tree.nodes);
		cp_vec_free(&s->scalars);
		cp_vec_free(&s->notes);
	}
	cp_arena_free(&r->arena);
	*r = (struct cp_report) { 0 };
}
