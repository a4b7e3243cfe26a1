/* SPDX-License-Identifier: MIT */
#include "analyses/common/call-sums.h"

static void
init_children(struct cp_sums *s)
{
	const struct cp_paths *p = &s->paths;
	uint32_t root = s->entity[0];

	s->outermost = cp_run_alloc(p->run, p->n * sizeof(*s->outermost));
	s->depth = cp_run_alloc(p->run, p->n * sizeof(*s->depth));
	for (uint32_t i = 1; i < p->n; i++)
		s->depth[i] = s->depth[p->parent[i]] + 1;
	/* The root calls nothing. */
	s->entity[0] = CP_NO_ID;
	cp_paths_outermost(p, s->entity, s->entities->n, s->outermost);
	s->entity[0] = root;
	cp_spread_init(&s->spread, p, true);
}

static uint32_t
entity_of(void *entities, cp_frame_id frame)
{
	return cp_entities_of(entities, frame);
}

void
cp_sums_init(struct cp_sums *s, struct cp_run *run,
    struct cp_entities *entities, const struct cp_tally_row *rows, size_t n,
    bool children)
{
	uint32_t root = cp_entities_of(entities, 0);

	*s = (struct cp_sums){ .entities = entities, .children = children };
	s->entity = cp_paths_build_inlined(
	    &s->paths, run, rows, n, entity_of, entities);
	s->entity[0] = root;
	s->sum = cp_run_alloc(run, entities->n * sizeof(*s->sum));
	s->touched = cp_run_alloc(run, entities->n * sizeof(*s->touched));
	s->seen = cp_run_alloc(run, s->paths.frames * sizeof(*s->seen));
	s->group = 1;
	if (children)
		init_children(s);
}

static struct cp_sum *
sum_of(struct cp_sums *s, uint32_t node)
{
	struct cp_sum *sum = &s->sum[s->entity[node]];

	if (!sum->touched) {
		*sum = (struct cp_sum){ .touched = true, .depth = UINT32_MAX };
		s->touched[s->n++] = s->entity[node];
	}
	return sum;
}

/* Counts an address that the group did not have before. */
static void
count_address(struct cp_sums *s, struct cp_sum *sum, cp_frame_id frame)
{
	if (s->seen[frame] == s->group)
		return;
	s->seen[frame] = s->group;
	if (sum->addresses++ == 0)
		sum->addr = cp_frame_get(s->paths.run, frame)->addr;
}

void
cp_sums_add(struct cp_sums *s, const struct cp_tally_row *row)
{
	uint32_t at = s->paths.at[row->b];
	struct cp_sum *sum;

	sum = sum_of(s, at);
	if (s->entities->all[s->entity[at]].kind == CP_ENTITY_UNNAMED)
		count_address(
		    s, sum, cp_stack_frame(s->paths.run, (cp_stack_id)row->b));

	sum->self += row->weight;
	sum->self_sq += row->weight_sq;
	sum->samples += row->count;
	if (s->children)
		cp_spread_add(&s->spread, row);
}

void
cp_sums_finish(struct cp_sums *s)
{
	const struct cp_own *own;

	if (!s->children)
		return;
	cp_spread_total(&s->spread);
	own = cp_spread_own(&s->spread, 0);
	for (uint32_t k = 0; k < s->spread.n; k++) {
		uint32_t i = s->spread.touched[k];
		struct cp_sum *sum;

		/* The root stands for samples without an address. */
		if (i == 0 && own->samples == 0)
			continue;
		sum = sum_of(s, i);
		if (i == 0) {
			sum->children += own->self;
			sum->children_sq += own->self_sq;
		} else if (s->outermost[i]) {
			sum->children += s->spread.total[i];
			sum->children_sq += s->spread.total_sq[i];
		}
		if (s->depth[i] < sum->depth)
			sum->depth = s->depth[i];
	}
}

void
cp_sums_clear(struct cp_sums *s)
{
	for (uint32_t k = 0; k < s->n; k++)
		s->sum[s->touched[k]].touched = false;
	s->n = 0;
	s->group++;
	if (s->children)
		cp_spread_clear(&s->spread);
}

const char *
cp_sum_name(
    const struct cp_entity *e, const struct cp_sum *sum, struct cp_word *buf)
{
	bool calls = sum->children > sum->self;

	/* A row that others of its addresses share has not the name of one. */
	return cp_entity_name_of(e,
	    calls && sum->addresses == 1 ? 0 : sum->addresses, sum->addr, buf);
}
