/* SPDX-License-Identifier: MIT */
#include "analyses/flame/flame.h"

static bool
is_guessed(const struct cp_paths *p, uint32_t node)
{
	return cp_frame_guess(cp_frame_get(p->run, p->frame[node])) !=
	       CP_GUESS_NONE;
}

/*
 * Numbers the guessed nodes.  The result maps each node to the number of the
 * nearest guessed node, itself included.
 */
static uint32_t *
number_guessed(struct cp_paths *g, const struct cp_paths *p)
{
	uint32_t *to = cp_run_alloc(p->run, p->n * sizeof(*to));

	*g = (struct cp_paths){ .run = p->run, .n = 1, .frames = p->frames };
	for (uint32_t i = 1; i < p->n; i++)
		if (is_guessed(p, i))
			to[i] = g->n++;
	g->parent = cp_run_alloc(p->run, g->n * sizeof(*g->parent));
	g->frame = cp_run_alloc(p->run, g->n * sizeof(*g->frame));
	for (uint32_t i = 1; i < p->n; i++) {
		uint32_t above = to[p->parent[i]], k = to[i];

		if (k != 0) {
			g->parent[k] = above;
			g->frame[k] = p->frame[i];
		} else {
			to[i] = above;
		}
	}
	return to;
}

uint32_t *
cp_guessed_paths(
    struct cp_paths *g, const struct cp_paths *p, const struct cp_paths *merged)
{
	uint32_t n = cp_stack_count(p->run);
	uint32_t *to = number_guessed(g, p), *merged_of;

	g->at = cp_run_alloc(p->run, n * sizeof(*g->at));
	merged_of = cp_run_alloc(p->run, g->n * sizeof(*merged_of));
	for (uint32_t s = 1; s < n; s++) {
		uint32_t i = p->at[s];

		g->at[s] = to[i];
		if (to[i] != to[p->parent[i]])
			merged_of[to[i]] = merged->at[s];
	}
	return merged_of;
}
