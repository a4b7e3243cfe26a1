/* SPDX-License-Identifier: MIT */
#include "analyses/hotspots/callers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/code-groups.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/matched.h"
#include "analyses/common/options.h"

struct row {
	const struct callers *c;
	struct cp_mass mass;
	uint32_t entity; /* entity of frame 0, which ends the chain */
};

struct callers {
	struct cp_run *run;
	const struct cp_paths *paths;
	const char *symbol; /* the name that the user gave */
	const struct cp_pattern *pattern;
	bool callees;
	struct cp_entities entities;
	uint32_t *entity; /* by node */
	bool *match;      /* by entity: it matches the symbol */
	uint32_t *label;  /* by node: the row it counts for, or CP_NO_ID */
	bool *counts;     /* by node: outermost of its label */
	bool *inside;     /* by node: outermost of the symbol */
	struct cp_spread spread;
	struct row *rows;         /* by entity */
	uint64_t *self;           /* by entity: weight of its own */
	bool *inside_of;          /* by entity: it has samples */
	uint64_t total;           /* of samples with the symbol */
	const double *dispersion; /* of shares, by event */
	/* weight of rows whose calling frame was guessed */
	uint64_t guessed;
};

static bool
matches(const struct callers *c, const struct cp_entity *e)
{
	return e->symbol != NULL &&
	       cp_run_symbol_fits(c->run, c->pattern, e->symbol);
}

static uint32_t
label_of(const struct callers *c, uint32_t node)
{
	uint32_t parent = c->paths->parent[node];
	uint32_t here = c->entity[node], above = c->entity[parent];

	if (node == 0)
		return CP_NO_ID;
	if (c->callees)
		return parent != 0 && c->match[above] ? here : CP_NO_ID;
	return c->match[here] ? above : CP_NO_ID;
}

static void
callers_init(struct callers *c)
{
	const struct cp_paths *p = c->paths;
	uint32_t *only;

	cp_entities_init(&c->entities, c->run, p->frames, true, true);
	c->entities.unnamed_as_one = true;
	c->entity = cp_run_alloc(c->run, p->n * sizeof(*c->entity));
	c->label = cp_run_alloc(c->run, p->n * sizeof(*c->label));
	c->counts = cp_run_alloc(c->run, p->n * sizeof(*c->counts));
	c->inside = cp_run_alloc(c->run, p->n * sizeof(*c->inside));
	for (uint32_t i = 0; i < p->n; i++)
		c->entity[i] = cp_entities_of(&c->entities, p->frame[i]);
	c->match = cp_run_alloc(c->run, c->entities.n * sizeof(*c->match));
	c->rows = cp_run_alloc(c->run, c->entities.n * sizeof(*c->rows));
	c->self = cp_run_alloc(c->run, c->entities.n * sizeof(*c->self));
	c->inside_of =
	    cp_run_alloc(c->run, c->entities.n * sizeof(*c->inside_of));
	for (uint32_t i = 0; i < c->entities.n; i++)
		c->match[i] = matches(c, &c->entities.all[i]);
	only = cp_run_alloc(c->run, p->n * sizeof(*only));
	for (uint32_t i = 0; i < p->n; i++) {
		c->label[i] = label_of(c, i);
		only[i] = i != 0 && c->match[c->entity[i]] ? 0 : CP_NO_ID;
	}
	cp_paths_outermost(p, c->label, c->entities.n, c->counts);
	cp_paths_outermost(p, only, 1, c->inside);
	cp_spread_init(&c->spread, p, true);
}

static void
add(struct cp_mass *m, uint64_t weight, double weight_sq)
{
	m->weight += weight;
	m->weight_sq += weight_sq;
}

/* Adds a call to its row; the frame above may have been guessed. */
static void
add_call(struct callers *c, uint32_t node)
{
	uint32_t above = c->paths->parent[node];
	uint64_t weight = c->spread.total[node];

	add(&c->rows[c->label[node]].mass, weight, c->spread.total_sq[node]);
	if (above != 0 && cp_frame_guess(cp_frame_get(
			      c->run, c->paths->frame[above])) != CP_GUESS_NONE)
		c->guessed += weight;
}

/* Sums the spread weights into rows and clears the spread. */
static void
callers_sum(struct callers *c)
{
	cp_spread_total(&c->spread);
	for (uint32_t i = 0; i < c->entities.n; i++) {
		c->rows[i] = (struct row){ .c = c, .entity = i };
		c->self[i] = 0;
		c->inside_of[i] = false;
	}
	c->total = c->guessed = 0;
	for (uint32_t k = 0; k < c->spread.n; k++) {
		uint32_t i = c->spread.touched[k];
		const struct cp_own *own = cp_spread_own(&c->spread, i);

		c->self[c->entity[i]] += own->self;
		c->inside_of[c->entity[i]] |= c->spread.total[i] != 0;
		if (c->inside[i])
			c->total += c->spread.total[i];
		if (c->counts[i])
			add_call(c, i);
		/* The symbol's own weight goes to "no callee". */
		if (c->callees && i != 0 && c->match[c->entity[i]])
			add(&c->rows[c->entity[0]].mass, own->self,
			    own->self_sq);
	}
	cp_spread_clear(&c->spread);
}

static int
compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	const struct cp_entity *ea = &a->c->entities.all[a->entity];
	const struct cp_entity *eb = &a->c->entities.all[b->entity];
	int c = (a->mass.weight < b->mass.weight) -
		(a->mass.weight > b->mass.weight);

	if (c == 0)
		c = cp_entity_compare_symbol(ea, eb);
	if (c == 0)
		c = cp_entity_compare_dso(a->c->run, ea, eb);
	return c != 0 ? c : (a->entity > b->entity) - (a->entity < b->entity);
}

static void
row_show(const struct callers *c, struct cp_table *t, const struct row *r,
    struct cp_whole all)
{
	const struct cp_entity *e = &c->entities.all[r->entity];
	bool end = r->entity == c->entity[0];
	struct cp_word word;

	cp_table_add(t, cp_cell_share(r->mass, all),
	    cp_share((double)r->mass.weight, (double)c->total), r->mass.weight,
	    end ? "" : cp_word_object(c->run, e->dso),
	    end ? "" : cp_word_level(e->level));
	if (end)
		cp_table_cells(t, c->callees ? "(itself)" : "(no caller)");
	else
		cp_table_cells(t, cp_entity_name(e, &word));
}

static void
callers_table(struct callers *c, const struct cp_groups *groups, uint32_t event,
    struct cp_report *rep, uint64_t top)
{
	const char *unit = cp_event_unit(c->run, cp_run_evsel(c->run, event));
	enum cp_column_type weighs =
	    strcmp(unit, "ns") == 0 ? CP_COL_TIME : CP_COL_WEIGHT;
	const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_SHARE("Of symbol"), CP_COLUMN("Weight", weighs, 0, "weight"),
		CP_TEXT("Object"), CP_TEXT("Level"), CP_TEXT("Symbol") };
	struct cp_whole all = cp_groups_whole(groups, event);
	struct cp_table *t;
	char title[512];
	uint64_t shown = 0, left = 0, weight = 0;

	all.dispersion = c->dispersion[event];
	snprintf(title, sizeof(title), "%s of %.200s (%.200s)",
	    c->callees ? "Callees" : "Callers", c->symbol,
	    cp_event_name(c->run, event));
	t = cp_report_table(rep, c->callees ? "callees" : "callers", title,
	    CP_COLUMNS(columns));
	qsort(c->rows, c->entities.n, sizeof(*c->rows), compare_rows);
	for (uint32_t i = 0; i < c->entities.n; i++) {
		if (c->rows[i].mass.weight == 0)
			break;
		if (top == 0 || shown < top) {
			row_show(c, t, &c->rows[i], all);
			shown++;
		} else {
			left++;
			weight += c->rows[i].mass.weight;
		}
	}
	if (left != 0)
		cp_table_rest(t, left, weight);
}

static void
note_guesses(const struct callers *c, uint32_t event, struct cp_report *rep)
{
	struct cp_word a;

	if (c->guessed != 0)
		cp_report_note(rep,
		    "%s of the weight of %.200s (%.200s): the calling frame "
		    "was guessed, because there is no unwind table",
		    cp_word_percent(&a, (double)c->guessed, (double)c->total),
		    c->symbol, cp_event_name(c->run, event));
}

/*
 * With recursion a sample counts once for each caller that the symbol has in
 * it.
 */
static void
note_recursion(const struct callers *c, uint32_t event, struct cp_report *rep)
{
	double sum = 0;

	for (uint32_t i = 0; i < c->entities.n; i++)
		sum += (double)c->rows[i].mass.weight;
	if (sum > (double)c->total)
		cp_report_note(rep,
		    "the %s of %.200s (%.200s) add up to %.0f %% of it: where "
		    "a stack has it several times, a sample counts for each "
		    "of them",
		    c->callees ? "callees" : "callers", c->symbol,
		    cp_event_name(c->run, event), 100 * sum / (double)c->total);
}

/* If no symbol matches, reports that and lists the symbols with samples. */
static bool
any_match(struct callers *c, const struct cp_grouped *rows)
{
	struct cp_matched all;

	for (uint32_t i = 0; i < c->entities.n; i++)
		if (c->match[i])
			return true;
	cp_matched_init(&all, c->run);
	for (uint32_t i = 1; i < c->paths->n; i++) {
		const struct cp_entity *e = &c->entities.all[c->entity[i]];

		if (e->symbol != NULL)
			cp_matched_add(&all, e->symbol, 0);
	}
	for (size_t i = 0; i < rows->n; i++) {
		uint32_t node = c->paths->at[rows->rows[i].b];
		const struct cp_entity *e = &c->entities.all[c->entity[node]];

		if (e->symbol != NULL)
			cp_matched_add(&all, e->symbol, rows->rows[i].weight);
	}
	cp_matched_none(&all, c->callees ? "callees" : "callers");
	return false;
}

/* Says which functions the word meant, and how heavy they are. */
static void
note_matched(const struct callers *c, const struct cp_groups *groups,
    uint32_t event, struct cp_report *rep)
{
	double all = (double)cp_groups_whole(groups, event).mass.weight;
	struct cp_matched m;
	uint64_t self = 0;

	cp_matched_init(&m, c->run);
	for (uint32_t i = 0; i < c->entities.n; i++)
		if (c->match[i] && c->inside_of[i]) {
			cp_matched_add(
			    &m, c->entities.all[i].symbol, c->self[i]);
			self += c->self[i];
		}
	cp_report_note(rep, "%s; %.2f %% of %.200s, %.2f %% with callees",
	    cp_matched_text(&m, c->symbol), 100 * cp_share((double)self, all),
	    cp_event_name(c->run, event),
	    100 * cp_share((double)c->total, all));
}

static void
callers_show(struct callers *c, const struct cp_groups *groups,
    const struct cp_grouped *rows, struct cp_report *rep, uint64_t top)
{
	const uint32_t *order = cp_groups_by_event(groups);

	callers_init(c);
	if (!any_match(c, rows))
		return;
	for (uint32_t i = 0; i < groups->n; i++) {
		uint32_t event = (uint32_t)groups->all[order[i]].v[CP_BY_EVENT];

		if (!cp_event_counts(c->run, event))
			continue;
		cp_spread_rows(&c->spread, rows, order[i]);
		if (i + 1 < groups->n &&
		    groups->all[order[i + 1]].v[CP_BY_EVENT] == event)
			continue;
		callers_sum(c);
		if (c->total == 0)
			continue;
		callers_table(c, groups, event, rep, top);
		note_matched(c, groups, event, rep);
		note_recursion(c, event, rep);
		note_guesses(c, event, rep);
	}
}

int
cp_callers_show(struct cp_run *run, const struct cp_groups *groups,
    const struct cp_paths *paths, const struct cp_grouped *rows,
    struct cp_report *rep, uint64_t top, const double *dispersion)
{
	static const char *const options[] = { "callers", "callees" };

	for (int i = 0; i < 2; i++) {
		struct callers c = { .run = run,
			.paths = paths,
			.dispersion = dispersion,
			.symbol = cp_run_option(run, options[i]),
			.pattern = cp_run_option_pattern(run, options[i]),
			.callees = i == 1 };

		if (c.pattern != NULL)
			callers_show(&c, groups, rows, rep, top);
	}
	return CP_OK;
}
