/* SPDX-License-Identifier: MIT */
#include "analyses/diff/waits.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct cp_diff_waits *w = ctx;
	uint64_t ns = s->end - s->start;

	if (!cp_sched_thread_kept(w->spans, s->thread))
		return;
	if (s->kind == CP_SPAN_PREEMPTED || s->kind == CP_SPAN_WOKEN)
		w->runnable += (double)ns;
	else if (s->kind == CP_SPAN_BLOCKED)
		cp_tally_add(
		    w->blocked, s->after_loss ? 0 : s->thread->stack, 0, ns);
}

int
cp_diff_waits_init(struct cp_diff_waits *w, struct cp_run *run)
{
	*w = (struct cp_diff_waits){ .run = run, .blocked = cp_tally_new(run) };
	w->spans = cp_run_spans(run, on_span, w);
	cp_index_init(&w->row, run);
	return CP_OK;
}

/* Returns the innermost function of the program on a stack, or the kernel's. */
static const char *
place_of(struct cp_run *run, cp_stack_id stack)
{
	const char *inner = NULL;

	for (; stack != 0; stack = cp_stack_parent(run, stack)) {
		cp_frame_id f = cp_stack_frame(run, stack);
		const struct cp_frame *frame = cp_frame_get(run, f);
		const struct cp_symbol *sym = cp_frame_symbol(run, f);
		const char *object = cp_word_object(run, frame->dso);

		if (sym == NULL)
			continue;
		if (inner == NULL)
			inner = sym->name;
		if (frame->level == CP_LEVEL_USER &&
		    strncmp(object, "libc", 4) != 0 &&
		    strncmp(object, "libpthread", 10) != 0 &&
		    strncmp(object, "ld-", 3) != 0)
			return sym->name;
	}
	return inner != NULL ? inner : CP_DIFF_LOST_CALLER;
}

void
cp_diff_waits_read(struct cp_diff_waits *w, struct cp_diff_profiles *p,
    struct cp_diff_profile *pr)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(w->blocked, &rows);
	struct cp_tally_row *stacks =
	    cp_run_alloc(w->run, (n + 1) * sizeof(*stacks));

	if (cp_spans_source(w->spans) == CP_SCHED_BY_NOTHING ||
	    cp_waitclasses_init(&w->classes, w->run, NULL) != CP_OK) {
		pr->runnable = -1;
		cp_tally_clear(w->blocked);
		w->runnable = 0;
		return;
	}
	pr->runnable = w->runnable / 1e9;
	for (size_t i = 0; i < n; i++)
		stacks[i] = (struct cp_tally_row){ .b = rows[i].a };
	cp_rows_name(w->run, stacks, n);
	for (size_t i = 0; i < n; i++) {
		cp_stack_id stack = (cp_stack_id)rows[i].a;
		uint32_t class = cp_diff_text(
		    p, cp_run_string(w->run, cp_waitclass(&w->classes, stack)));
		uint32_t place = cp_diff_text(p, place_of(w->run, stack));
		uint32_t row = cp_index_put(&w->row, class, place);
		struct cp_diff_cell *c;

		cp_grow_to(w->run, pr->wait, &pr->wait_cap, row);
		c = &pr->wait[row];
		c->weight += (double)rows[i].weight;
		c->weight_sq += rows[i].weight_sq;
		c->samples += rows[i].count;
	}
	cp_tally_clear(w->blocked);
	w->runnable = 0;
}

struct cp_diff_cell *
cp_diff_waits_cells(
    const struct cp_diff_waits *w, const struct cp_diff_profiles *p)
{
	struct cp_diff_cell *cells = cp_run_alloc(
	    w->run, ((size_t)w->row.n + 1) * p->n * sizeof(*cells));

	for (uint32_t r = 0; r < p->n; r++) {
		const struct cp_diff_profile *pr = &p->all[r];

		if (pr->runnable < 0)
			return NULL;
		for (uint32_t i = 0; i < w->row.n && i < pr->wait_cap; i++)
			cells[(size_t)i * p->n + r] = pr->wait[i];
	}
	return cells;
}
