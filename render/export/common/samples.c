/* SPDX-License-Identifier: MIT */
#include "render/export/common/samples.h"

#include "base/hash.h"
#include "base/strings.h"

/*
 * Numbers the ways in which samples differ: (event, cpu), then with the
 * thread, with the control group and labels, and with the stack.
 */
struct summing {
	struct cp_export *x;
	unsigned apart;
	struct cp_map64 places, owners, grouped, rows;
	uint32_t n_places, n_owners, n_grouped;
	uint32_t *group; /* of a context; NULL: they are not told apart */
};

static uint32_t
number_of(struct cp_map64 *map, uint32_t a, uint32_t b, uint32_t *count)
{
	uint32_t *slot = cp_map64_put(map, (uint64_t)a << 32 | b);

	if (*slot == 0)
		*slot = ++*count;
	return *slot;
}

static void
push_row(struct cp_export *x, const struct cp_profile_sample *s, uint64_t time)
{
	*cp_vec_push(&x->rows) = (struct cp_export_row){ .samples = 1,
		.weight = s->weight,
		.time = time,
		.stack = s->stack,
		.event = s->event,
		.thread = s->thread,
		.cpu = s->cpu,
		.group = s->context };
}

static void
add_sample(struct summing *m, struct cp_profile_sample s)
{
	struct cp_export *x = m->x;
	uint32_t owner, *row;

	s.context = m->group != NULL ? m->group[s.context] : 0;
	if ((m->apart & CP_EXPORT_TIMES) != 0) {
		push_row(x, &s, s.time);
		return;
	}
	if ((m->apart & CP_EXPORT_THREADS) == 0)
		s.thread = CP_NO_ID;
	if ((m->apart & CP_EXPORT_CPUS) == 0)
		s.cpu = CP_NO_ID;
	owner = number_of(&m->places, s.event, s.cpu, &m->n_places);
	owner = number_of(&m->owners, s.thread, owner, &m->n_owners);
	owner = number_of(&m->grouped, s.context, owner, &m->n_grouped);
	row = cp_map64_put(&m->rows, (uint64_t)s.stack << 32 | owner);
	if (*row == 0) {
		push_row(x, &s, CP_NO_TIME);
		*row = (uint32_t)x->rows.len;
		return;
	}
	x->rows.data[*row - 1].samples++;
	x->rows.data[*row - 1].weight += s.weight;
}

/* Returns for each context the first one that shows the same. */
static uint32_t *
groups_of(const struct cp_profile *p)
{
	uint32_t *group =
	    cp_xcalloc(CP_MAX(p->contexts.len, 1), sizeof(*group));
	struct cp_strings names = { 0 };
	struct cp_map64 first = { 0 };

	for (uint32_t i = 0; i < p->contexts.len; i++) {
		const struct cp_profile_context *c = &p->contexts.data[i];
		uint64_t key = 0;
		uint32_t *slot;

		if (c->cgroup != NULL)
			key = cp_strings_add(&names, c->cgroup);
		if (c->labels != NULL)
			key |= (uint64_t)cp_strings_add(&names, c->labels)
			       << 32;
		if (key == 0)
			continue;
		slot = cp_map64_put(&first, key);
		if (*slot == 0)
			*slot = i;
		group[i] = *slot;
	}
	cp_map64_free(&first);
	cp_strings_free(&names);
	return group;
}

static void
add_samples(struct cp_export *x, unsigned apart)
{
	const struct cp_profile *p = x->profile;
	struct summing m = { .x = x, .apart = apart };

	if ((apart & CP_EXPORT_GROUPS) != 0)
		m.group = groups_of(p);
	for (size_t i = 0; i < cp_profile_samples(p); i++)
		add_sample(&m, cp_profile_sample_at(p, i));
	cp_map64_free(&m.places);
	cp_map64_free(&m.owners);
	cp_map64_free(&m.grouped);
	cp_map64_free(&m.rows);
	free(m.group);
}

bool
cp_export_label(
    const char **labels, struct cp_buf *b, const char **key, const char **value)
{
	const char *equals = *labels != NULL ? strchr(*labels, '=') : NULL;
	size_t n;

	if (equals == NULL)
		return false;
	n = strcspn(*labels, "\n");
	cp_buf_reset(b);
	cp_buf_add(b, *labels, n);
	b->data[equals - *labels] = '\0';
	*key = cp_buf_text(b);
	*value = *key + (equals - *labels) + 1;
	*labels += n + ((*labels)[n] == '\n');
	return true;
}

/*
 * Returns the report's event, if it has samples; else the event with the most
 * samples.
 */
static uint32_t
main_event(const struct cp_export *x)
{
	const struct cp_profile *p = x->profile;
	uint32_t best = CP_NO_ID;

	for (size_t i = 0; i < p->events.len; i++) {
		const struct cp_profile_event *e = &p->events.data[i];

		if (e->samples == 0)
			continue;
		if (x->report->event != NULL &&
		    strcmp(e->name, x->report->event) == 0)
			return (uint32_t)i;
		if (best == CP_NO_ID ||
		    e->samples > p->events.data[best].samples)
			best = (uint32_t)i;
	}
	return best;
}

/*
 * Notes sections that are left out.  With a profile there are none, because it
 * has the data of tables and charts.
 */
static void
note_left(const struct cp_export *x, const struct cp_section *used,
    struct cp_left *left)
{
	const struct cp_section *s = x->report->first;

	if (used->type == CP_SECTION_PROFILE)
		return;
	for (; s != NULL; s = s->next)
		if (s != used && s->type != CP_SECTION_SCALARS &&
		    s->type != CP_SECTION_NOTES)
			cp_left_add(left, s);
}

/*
 * Returns the section to export: the tree if its weights are not samples
 * (waits, faults, two captures), because the user asked for it; else the
 * samples.
 */
static const struct cp_section *
choose(const struct cp_report *r)
{
	const struct cp_section *profile = NULL, *tree = NULL;

	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_PROFILE && profile == NULL)
			profile = s;
		else if (s->type == CP_SECTION_TREE && tree == NULL)
			tree = s;
	}
	if (tree != NULL && (tree->tree.unit != NULL || tree->tree.compared))
		return tree;
	return profile != NULL ? profile : tree;
}

bool
cp_export_begin(struct cp_export *x, const struct cp_report *r, unsigned apart,
    struct cp_left *left)
{
	const struct cp_section *s = choose(r);

	*x = (struct cp_export){ .report = r, .event = CP_NO_ID };
	if (s == NULL)
		return false;
	if (s->type == CP_SECTION_TREE) {
		cp_export_of_tree(x, s);
	} else {
		x->profile = s->profile;
		add_samples(x, apart);
	}
	x->event = main_event(x);
	note_left(x, s, left);
	return true;
}

void
cp_export_end(struct cp_export *x)
{
	cp_vec_free(&x->rows);
	cp_profile_free(&x->made);
}
