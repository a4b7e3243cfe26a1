/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <stdarg.h>

#include "report/profile.h"
#include "report/section.h"

void
cp_report_init(struct cp_report *r, const char *analysis)
{
	*r = (struct cp_report){ .analysis = analysis,
		.title = "",
		.label = "",
		.weight = "samples",
		.event = "",
		.main_event = "",
		.main_label = "",
		.start = CP_NO_TIME };
	r->last = &r->first;
}

static struct cp_section *
section_find(
    const struct cp_report *r, enum cp_section_type type, const char *slug)
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

static struct cp_table *
table_new(struct cp_section *s, struct cp_report *r,
    const struct cp_column_spec *columns, size_t n)
{
	s->table.report = r;
	s->table.slug = s->slug;
	s->table.by = s->by;
	cp_table_columns(&s->table, columns, n);
	return &s->table;
}

struct cp_table *
cp_report_table(struct cp_report *r, const char *slug, const char *title,
    const struct cp_column_spec *columns, size_t n)
{
	return table_new(
	    cp_section_new(r, CP_SECTION_TABLE, slug, title), r, columns, n);
}

struct cp_table *
cp_report_code(struct cp_report *r, const char *slug, const char *title,
    const struct cp_column_spec *columns, size_t n)
{
	return table_new(
	    cp_section_new(r, CP_SECTION_CODE, slug, title), r, columns, n);
}

struct cp_tree *
cp_report_tree(struct cp_report *r, const char *slug, const char *title)
{
	struct cp_section *s = cp_section_new(r, CP_SECTION_TREE, slug, title);

	s->tree.report = r;
	s->tree.samples = "samples";
	*cp_vec_push(&s->tree.nodes) = (struct cp_tree_node){
		.name = "all", .detail = "", .kind = CP_KIND_NONE
	};
	return &s->tree;
}

uint32_t
cp_tree_node(struct cp_tree *t, uint32_t parent, const char *name,
    const char *detail, enum cp_kind kind)
{
	*cp_vec_push(&t->nodes) = (struct cp_tree_node){ .name = name,
		.detail = detail,
		.parent = parent,
		.kind = (uint8_t)kind };
	return (uint32_t)(t->nodes.len - 1);
}

void
cp_tree_add(struct cp_tree *t, uint32_t node, uint64_t weight, uint64_t samples)
{
	t->nodes.data[node].self += weight;
	t->nodes.data[node].samples += samples;
}

void
cp_tree_unit(struct cp_tree *t, const char *name, enum cp_column_type type,
    const char *samples)
{
	t->unit = cp_report_text(t->report, name);
	t->type = type;
	t->samples = cp_report_text(t->report, samples);
}

void
cp_tree_sampled(struct cp_tree *t)
{
	t->sampled = true;
}

static struct cp_tree_place *
place_of(struct cp_tree *t, uint32_t node)
{
	while (t->places.len < t->nodes.len)
		*cp_vec_push(&t->places) = (struct cp_tree_place){ 0 };
	return &t->places.data[node];
}

void
cp_tree_start(struct cp_tree *t, uint32_t node, uint64_t start)
{
	place_of(t, node)->start = start;
	t->timed = true;
}

void
cp_tree_narrow(struct cp_tree *t, uint32_t node, uint64_t frames)
{
	place_of(t, node)->narrow += frames;
}

bool
cp_tree_timed(const struct cp_tree *t)
{
	return t->timed;
}

uint64_t
cp_tree_is_narrow(const struct cp_tree *t, uint32_t node)
{
	return node < t->places.len ? t->places.data[node].narrow : 0;
}

const char *
cp_tree_unit_name(const struct cp_report *r, const struct cp_tree *t)
{
	return t->unit != NULL ? t->unit : r->weight;
}

enum cp_column_type
cp_tree_unit_type(const struct cp_report *r, const struct cp_tree *t)
{
	if (t->unit != NULL)
		return t->type;
	return strcmp(r->weight, "time") == 0 ? CP_COL_TIME : CP_COL_WEIGHT;
}

void
cp_tree_scale(
    struct cp_tree *t, enum cp_scale scale, double whole, const char *legend)
{
	t->scale = scale;
	t->whole = whole;
	t->legend = cp_report_text(t->report, legend);
}

static struct cp_tree_beside *
make_beside(struct cp_tree *t, size_t node)
{
	while (t->beside.len < t->nodes.len)
		*cp_vec_push(&t->beside) =
		    (struct cp_tree_beside){ .value = NAN };
	return &t->beside.data[node];
}

const struct cp_tree_beside *
cp_tree_beside(const struct cp_tree *t, const struct cp_tree_node *n)
{
	static const struct cp_tree_beside none = { .value = NAN };
	size_t i = (size_t)(n - t->nodes.data);

	return i < t->beside.len ? &t->beside.data[i] : &none;
}

void
cp_tree_value(struct cp_tree *t, uint32_t node, double value)
{
	make_beside(t, node)->value = value;
}

void
cp_tree_before(struct cp_tree *t, uint32_t node, uint64_t weight)
{
	make_beside(t, node)->before += weight;
	t->compared = true;
}

void
cp_tree_reverse(struct cp_tree *t)
{
	t->reversed = true;
}

double
cp_tree_shade(const struct cp_tree *t, const struct cp_tree_node *n)
{
	double v = cp_tree_beside(t, n)->value;

	if (t->scale == CP_SCALE_RATIO)
		v = v > 0 && t->whole > 0 ? log2(v / t->whole) / 2 : NAN;
	else if (t->scale == CP_SCALE_CPU)
		v = 2 * v - 1;
	if (t->scale == CP_SCALE_NONE || !(fabs(v) >= 0))
		return NAN;
	return fmax(-1, fmin(1, v));
}

/* A group of scalars gets its slug as its title. */
static struct cp_section *
scalars_new(struct cp_report *r, const char *slug)
{
	char title[64];

	snprintf(title, sizeof(title), "%s", slug);
	if (title[0] >= 'a' && title[0] <= 'z')
		title[0] = (char)(title[0] - 'a' + 'A');
	for (char *c = title; *c != '\0'; c++)
		*c = *c == '-' ? ' ' : *c;
	return cp_section_new(r, CP_SECTION_SCALARS, slug, title);
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
	*v = (struct cp_scalar){ .key = cp_report_text(r, key), .type = type };
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
cp_report_scalar_text(struct cp_report *r, const char *section, const char *key,
    const char *value)
{
	scalar_new(r, section, key, CP_COL_TEXT)->value.text =
	    cp_report_text(r, value);
}

void
cp_report_scalar_share(
    struct cp_report *r, const char *section, const char *key, double value)
{
	scalar_new(r, section, key, CP_COL_SHARE)->value.value = value;
}

void
cp_report_scalar_value(struct cp_report *r, const char *section,
    const char *key, enum cp_column_type type, double value, double lo,
    double hi)
{
	struct cp_scalar *v = scalar_new(r, section, key, type);

	v->value.value = value;
	v->value.lo = lo;
	v->value.hi = hi;
}

void
cp_report_note(struct cp_report *r, const char *fmt, ...)
{
	struct cp_section *s = section_find(r, CP_SECTION_NOTES, "notes");
	char text[1024];
	va_list ap;

	if (s == NULL)
		s = cp_section_new(r, CP_SECTION_NOTES, "notes", "Notes");
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Two analyses may add the same note. */
	for (size_t i = 0; i < s->notes.len; i++)
		if (strcmp(s->notes.data[i], text) == 0)
			return;
	*cp_vec_push(&s->notes) = cp_report_text(r, text);
}

static void
tree_finish(struct cp_tree *t)
{
	for (size_t i = 0; t->compared && i < t->nodes.len; i++) {
		struct cp_tree_beside *b = make_beside(t, i);
		uint64_t after = t->nodes.data[i].self;

		if (t->reversed) {
			t->nodes.data[i].self = b->before;
			b->before = after;
		}
		b->before_total = b->before;
	}
	for (size_t i = 0; i < t->nodes.len; i++)
		t->nodes.data[i].total = t->nodes.data[i].self;
	for (size_t i = t->nodes.len; i-- > 1;) {
		uint32_t up = t->nodes.data[i].parent;

		t->nodes.data[up].total += t->nodes.data[i].total;
		if (t->compared)
			t->beside.data[up].before_total +=
			    t->beside.data[i].before_total;
	}
	cp_tree_guesses_finish(t);
}

void
cp_report_event(struct cp_report *r, const char *name)
{
	r->event = cp_report_text(r, name);
}

void
cp_report_finish(struct cp_report *r)
{
	for (struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_TREE)
			tree_finish(&s->tree);
		cp_table_finish(&s->table);
		cp_charts_finish(s);
	}
}

bool
cp_report_only(struct cp_report *r, const char *slug)
{
	struct cp_section *next, *s = r->first, **hidden = &r->hidden;

	r->last = &r->first;
	for (; s != NULL; s = next) {
		struct cp_section ***list =
		    strcmp(s->slug, slug) == 0 ? &r->last : &hidden;

		next = s->next;
		**list = s;
		*list = &s->next;
		s->next = NULL;
	}
	if (r->last == &r->first)
		r->first = NULL;
	return r->first != NULL;
}

static void
sections_free(struct cp_section *s)
{
	for (; s != NULL; s = s->next) {
		cp_table_free(&s->table);
		cp_vec_free(&s->tree.nodes);
		cp_vec_free(&s->tree.beside);
		cp_vec_free(&s->tree.guesses);
		cp_vec_free(&s->tree.places);
		cp_vec_free(&s->scalars);
		cp_vec_free(&s->notes);
		cp_charts_free(s);
		if (s->profile != NULL)
			cp_profile_free(s->profile);
	}
}

void
cp_report_free(struct cp_report *r)
{
	sections_free(r->first);
	sections_free(r->hidden);
	cp_vec_free(&r->origins);
	cp_arena_free(&r->arena);
	*r = (struct cp_report){ 0 };
}
