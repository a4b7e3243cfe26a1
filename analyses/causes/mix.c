/* SPDX-License-Identifier: MIT */
#include "analyses/causes/mix.h"

#include <math.h>
#include <string.h>

#define WIDTH UINT64_C(1000000) /* ns, of a slice at first */
#define SIDE 6                  /* slices, at least, before and after */
#define FEW 30                  /* samples, at least, before and after */
/* Standard errors: the best of all functions and cuts is looked at. */
#define SURE 6.0
#define SAME 0.95 /* of the change of the function where all begins */

void
cp_mix_init(struct cp_mix *m, struct cp_run *run)
{
	*m = (struct cp_mix){ .run = run };
	cp_index_init(&m->keys, run);
}

static void
widen(struct cp_mix *m)
{
	m->width *= 2;
	for (uint32_t i = 0; i < m->keys.n; i++) {
		uint32_t *at = m->at[i];

		for (size_t k = 0; k < CP_MIX_SLICES / 2; k++)
			at[k] = at[2 * k] + at[2 * k + 1];
		memset(
		    at + CP_MIX_SLICES / 2, 0, CP_MIX_SLICES / 2 * sizeof(*at));
	}
}

void
cp_mix_sample(struct cp_mix *m, const struct cp_sample *s)
{
	uint64_t key = (uint64_t)s->event << 32 | s->pid, since;
	uint32_t i;

	if (s->time == CP_NO_TIME || s->pid == 0 || s->pid == CP_NO_ID)
		return;
	if (m->width == 0) {
		m->base = s->time;
		m->width = WIDTH;
	}
	since = s->time > m->base ? s->time - m->base : 0;
	while (since / m->width >= CP_MIX_SLICES)
		widen(m);
	i = cp_index_get(&m->keys, key, s->stack);
	if (i == CP_NO_ID)
		i = cp_index_put(
		    &m->keys, key, m->keys.n < CP_MIX_STACKS ? s->stack : 0);
	cp_grow_to(m->run, m->at, &m->cap, i);
	m->at[i][since / m->width]++;
}

/* Samples of one function and what it calls. */
struct series {
	double n[CP_MIX_SLICES];
	uint32_t last; /* stack that was added, + 1 */
	bool root;     /* stacks begin there */
};

struct mixes {
	struct cp_index names;
	struct series *of;
	uint32_t cap;
	double all[CP_MIX_SLICES];
	size_t slices;
};

static void
add_stack(const struct cp_mix *m, struct mixes *x, uint32_t i)
{
	cp_stack_id stack = (cp_stack_id)m->keys.all[i].b;
	uint32_t root = CP_NO_ID;

	for (size_t at = 0; at < CP_MIX_SLICES; at++) {
		x->all[at] += m->at[i][at];
		if (m->at[i][at] != 0 && at >= x->slices)
			x->slices = at + 1;
	}
	for (; stack != 0; stack = cp_stack_parent(m->run, stack)) {
		cp_frame_id id = cp_stack_frame(m->run, stack);
		uint32_t k;

		if (!cp_place_own(m->run, id))
			continue;
		k = cp_index_put(&x->names,
		    cp_run_intern(m->run, cp_frame_symbol(m->run, id)->name),
		    0);
		cp_grow_to(m->run, x->of, &x->cap, k);
		root = k;
		if (x->of[k].last == i + 1)
			continue;
		x->of[k].last = i + 1;
		for (size_t at = 0; at < CP_MIX_SLICES; at++)
			x->of[k].n[at] += m->at[i][at];
	}
	if (root != CP_NO_ID)
		x->of[root].root = true;
}

/* A part of samples, and the variance of its slices around it. */
static void
side(const double *n, const double *all, size_t from, size_t to, double *part,
    double *variance, double *samples)
{
	double sum = 0, squares = 0;

	*samples = 0;
	for (size_t i = from; i < to; i++) {
		sum += n[i];
		*samples += all[i];
	}
	*part = *samples > 0 ? sum / *samples : 0;
	for (size_t i = from; i < to; i++) {
		double off = n[i] - *part * all[i];

		squares += off * off;
	}
	/* Of the part; slices are the units, since samples come in bursts. */
	*variance = *samples > 0 ? (squares + *samples * *part * (1 - *part)) /
				       (*samples * *samples)
				 : 0;
}

/*
 * Cuts where two parts explain the series best.  Of several functions with the
 * same change the outermost comes last, but main() tells nothing.
 */
static void
cut(const struct cp_mix *m, const struct mixes *x, uint32_t k, double least,
    struct cp_mix_change *best)
{
	struct cp_mix_change own = { 0 };
	double most = 0;

	for (size_t at = SIDE; at + SIDE <= x->slices; at++) {
		double before, after, v0, v1, n0, n1, explained;

		side(x->of[k].n, x->all, 0, at, &before, &v0, &n0);
		side(x->of[k].n, x->all, at, x->slices, &after, &v1, &n1);
		explained = (after - before) * (after - before) * n0 * n1;
		if (n0 < FEW || n1 < FEW || explained <= most ||
		    after - before < SURE * sqrt(v0 + v1))
			continue;
		most = explained;
		own = (struct cp_mix_change){ (cp_string_id)x->names.all[k].a,
			m->base + at * m->width, before, after,
			(after - before) * n1 };
	}
	if (own.own != 0 && own.more >= best->more * least)
		*best = own;
}

bool
cp_mix_change(const struct cp_mix *m, const struct cp_programs *p,
    uint32_t event, struct cp_mix_change *best)
{
	struct mixes x = { 0 };

	*best = (struct cp_mix_change){ 0 };
	if (!p->found)
		return false;
	cp_index_init(&x.names, m->run);
	for (uint32_t i = 0; i < m->keys.n; i++) {
		uint64_t key = m->keys.all[i].a;
		const struct cp_program *of = cp_programs_of(p, (uint32_t)key);

		if (key >> 32 == event && of != NULL && of->command)
			add_stack(m, &x, i);
	}
	for (int inner = 0; inner < 2; inner++)
		for (uint32_t k = 0; k < x.names.n; k++)
			if (x.of[k].root == (inner == 0))
				cut(m, &x, k, inner == 0 ? 1 : SAME, best);
	return best->own != 0;
}
