/* SPDX-License-Identifier: MIT */
/* texts: changes all texts of a report. */
#include "report/report.h"

#include "report/profile.h"

struct changer {
	cp_text_fn fn;
	void *ctx;
};

static void
change(const struct changer *c, const char **text)
{
	if (*text != NULL && **text != '\0')
		*text = c->fn(c->ctx, *text);
}

static void
change_row(const struct changer *c, const struct cp_table *t, struct cp_row *r)
{
	for (uint32_t i = 0; i < r->filled; i++)
		if (t->columns.data[i].type == CP_COL_TEXT)
			change(c, &r->values[i].text);
}

static void
change_table(const struct changer *c, struct cp_table *t)
{
	for (size_t i = 0; i < t->columns.len; i++)
		change(c, &t->columns.data[i].name);
	for (size_t i = 0; i < t->rows.len; i++)
		change_row(c, t, &t->rows.data[i]);
	change(c, &t->event);
	if (t->made != NULL)
		cp_table_made_texts(t, c->fn, c->ctx);
}

static void
change_tree(const struct changer *c, struct cp_tree *t)
{
	for (size_t i = 0; i < t->nodes.len; i++) {
		change(c, &t->nodes.data[i].name);
		change(c, &t->nodes.data[i].detail);
	}
	change(c, &t->unit);
	change(c, &t->samples);
	change(c, &t->legend);
}

/* The array of labels is not ours. */
static void
change_labels(const struct changer *c, struct cp_report *r, struct cp_axis *a)
{
	const char **to;

	if (a->labels == NULL)
		return;
	to = cp_arena_alloc(&r->arena, (a->count + 1) * sizeof(*to));
	for (uint32_t i = 0; i < a->count; i++) {
		to[i] = a->labels[i];
		change(c, &to[i]);
	}
	a->labels = to;
}

static void
change_charts(const struct changer *c, struct cp_section *s)
{
	change(c, &s->histogram.name);
	change(c, &s->grid.name);
	for (size_t i = 0; i < s->lanes.lanes.len; i++)
		change(c, &s->lanes.lanes.data[i]);
	for (size_t i = 0; i < s->lanes.kinds.len; i++)
		change(c, &s->lanes.kinds.data[i].name);
	for (size_t i = 0; i < s->lanes.spans.len; i++)
		change(c, &s->lanes.spans.data[i].text);
}

static void
change_names(const struct changer *c, struct cp_profile *p)
{
	for (size_t i = 0; i < p->objects.len; i++) {
		change(c, &p->objects.data[i].name);
		change(c, &p->objects.data[i].file);
	}
	for (size_t i = 0; i < p->symbols.len; i++) {
		change(c, &p->symbols.data[i].name);
		change(c, &p->symbols.data[i].raw);
		change(c, &p->symbols.data[i].label);
	}
	for (size_t i = 0; i < p->spots.len; i++)
		change(c, &p->spots.data[i].file);
}

static void
change_profile(const struct changer *c, struct cp_profile *p)
{
	change_names(c, p);
	for (size_t i = 0; i < p->threads.len; i++) {
		change(c, &p->threads.data[i].name);
		change(c, &p->threads.data[i].process);
	}
	for (size_t i = 0; i < p->events.len; i++)
		change(c, &p->events.data[i].name);
	for (size_t i = 0; i < p->marks.len; i++)
		change(c, &p->marks.data[i].text);
	for (size_t i = 0; i < p->states.len; i++)
		change(c, &p->states.data[i].reason);
	for (size_t i = 0; i < p->captures.len; i++)
		change(c, &p->captures.data[i].name);
}

static void
change_section(
    const struct changer *c, struct cp_report *r, struct cp_section *s)
{
	change_labels(c, r, &s->grid.x);
	change_labels(c, r, &s->grid.y);
	change(c, &s->title);
	change_table(c, &s->table);
	change_tree(c, &s->tree);
	change_charts(c, s);
	for (size_t i = 0; i < s->scalars.len; i++)
		if (s->scalars.data[i].type == CP_COL_TEXT)
			change(c, &s->scalars.data[i].value.text);
	for (size_t i = 0; i < s->notes.len; i++)
		change(c, &s->notes.data[i]);
	if (s->profile != NULL)
		change_profile(c, s->profile);
}

void
cp_report_texts(struct cp_report *r, cp_text_fn fn, void *ctx)
{
	const struct changer c = { fn, ctx };

	change(&c, &r->title);
	change(&c, &r->label);
	change(&c, &r->event);
	change(&c, &r->main_event);
	change(&c, &r->main_label);
	for (struct cp_section *s = r->first; s != NULL; s = s->next)
		change_section(&c, r, s);
}
