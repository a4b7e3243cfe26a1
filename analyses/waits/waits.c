/* SPDX-License-Identifier: MIT */
#include "analyses/waits/waits.h"

void
cp_waits_init(struct cp_waits *w, struct cp_run *run)
{
	*w = (struct cp_waits){ .run = run };
	cp_index_init(&w->places, run);
	cp_index_init(&w->rows, run);
	cp_index_init(&w->links, run);
	cp_index_init(&w->wakes, run);
}

struct cp_wait_task *
cp_waits_task(struct cp_waits *w, uint32_t task)
{
	cp_grow_to(w->run, w->task, &w->task_cap, task);
	if (task >= w->n_tasks)
		w->n_tasks = task + 1;
	return &w->task[task];
}

static uint32_t
place_put(struct cp_waits *w, const struct cp_wait_place *p)
{
	return cp_index_put(
	    &w->places, p->stack, (uint64_t)p->kind << 8 | (uint8_t)p->letter);
}

struct cp_wait_place
cp_waits_place(const struct cp_waits *w, uint32_t place)
{
	const struct cp_pair *p = &w->places.all[place];

	return (struct cp_wait_place){ (cp_stack_id)p->a, (uint8_t)(p->b >> 8),
		(char)(p->b & 0xff) };
}

static void
count_wake(struct cp_waits *w, uint32_t row, const struct cp_wait *wait)
{
	uint32_t i = cp_index_put(&w->wakes, row, wait->link);

	cp_grow_to(w->run, w->wake, &w->wake_cap, i);
	w->wake[i].row = row;
	w->wake[i].link = wait->link;
	w->wake[i].n++;
	w->wake[i].ns += wait->ns;
}

int
cp_waits_compare(const void *va, const void *vb)
{
	const struct cp_wait *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

static void
list_put(struct cp_run *run, struct cp_wait_list *l, const struct cp_wait *wait)
{
	struct cp_wait *least;

	if (l->wait == NULL)
		l->wait =
		    cp_run_alloc(run, CP_WAITS_LONGEST * sizeof(*l->wait));
	if (l->n < CP_WAITS_LONGEST) {
		l->wait[l->n++] = *wait;
		return;
	}
	least = l->wait;
	for (uint32_t i = 1; i < l->n; i++)
		if (cp_waits_compare(least, &l->wait[i]) < 0)
			least = &l->wait[i];
	if (cp_waits_compare(wait, least) < 0)
		*least = *wait;
}

/* A wait that began before the capture, or did not end, has no length. */
void
cp_waits_keep(struct cp_waits *w, const struct cp_wait *wait)
{
	if (!wait->open && wait->place.kind == CP_SPAN_BLOCKED)
		list_put(w->run, &cp_waits_task(w, wait->task)->list, wait);
}

void
cp_waits_finish(struct cp_waits *w)
{
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		const struct cp_wait_list *l = &w->task[i].list;

		for (uint32_t k = 0; w->task[i].kept && k < l->n; k++)
			list_put(w->run, &w->longest, &l->wait[k]);
	}
}

uint32_t
cp_waits_add(struct cp_waits *w, const struct cp_wait *wait)
{
	struct cp_wait_task *t = cp_waits_task(w, wait->task);
	uint32_t row =
	    cp_index_put(&w->rows, wait->task, place_put(w, &wait->place));
	struct cp_wait_sum *sum;

	t->ns[wait->place.kind] += wait->ns;
	cp_grow_to(w->run, w->row, &w->row_cap, row);
	sum = &w->row[row];
	sum->ns += wait->ns;
	if (wait->open)
		sum->open++;
	else
		cp_quantiles_add(w->run, &sum->took, wait->ns, wait->start);
	if (wait->place.kind == CP_SPAN_RUNNING ||
	    wait->place.kind == CP_SPAN_UNKNOWN)
		return row;
	t->waits++;
	if (wait->ns > t->longest)
		t->longest = wait->ns;
	if (wait->place.kind == CP_SPAN_BLOCKED)
		count_wake(w, row, wait);
	return row;
}

/* ------------------------------------------------------------------ chains */

uint32_t
cp_waits_link(struct cp_waits *w, const struct cp_wait_link *l)
{
	return cp_index_put(&w->links, (uint64_t)l->waker << 1 | l->interrupt,
	    (uint64_t)l->stack << 32 | l->before);
}

struct cp_wait_link
cp_waits_link_at(const struct cp_waits *w, uint32_t link)
{
	const struct cp_pair *p = &w->links.all[link];

	return (struct cp_wait_link){ .waker = (uint32_t)(p->a >> 1),
		.interrupt = p->a & 1,
		.stack = (cp_stack_id)(p->b >> 32),
		.before = (uint32_t)p->b };
}

uint32_t
cp_waits_cut(struct cp_waits *w, uint32_t link, unsigned n)
{
	struct cp_wait_link kept[CP_WAIT_HOPS];
	uint32_t chain = CP_NO_ID;
	unsigned have = 0;

	if (n > CP_WAIT_HOPS)
		n = CP_WAIT_HOPS;
	for (; link != CP_NO_ID && have < n; link = kept[have++].before)
		kept[have] = cp_waits_link_at(w, link);
	if (link == CP_NO_ID && have == 0)
		return CP_NO_ID;
	while (have-- > 0) {
		kept[have].before = chain;
		chain = cp_waits_link(w, &kept[have]);
	}
	return chain;
}

void
cp_waits_name(struct cp_waits *w)
{
	size_t n = (size_t)w->places.n + w->links.n;
	cp_stack_id *stacks = cp_run_alloc(w->run, n * sizeof(*stacks));
	uint32_t i;

	for (i = 0; i < w->places.n; i++)
		stacks[i] = (cp_stack_id)w->places.all[i].a;
	for (uint32_t k = 0; k < w->links.n; k++)
		stacks[i++] = (cp_stack_id)(w->links.all[k].b >> 32);
	cp_run_name(w->run, stacks, n);
}
