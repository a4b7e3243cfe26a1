/* SPDX-License-Identifier: MIT */
#include "browse/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void
cp_browse_rows_start(struct cp_browse_rows *r)
{
	r->rows.len = r->items.len = 0;
	r->cut = false;
	cp_arena_free(&r->texts);
}

void
cp_browse_rows_free(struct cp_browse_rows *r)
{
	cp_browse_rows_start(r);
	cp_vec_free(&r->rows);
	cp_vec_free(&r->items);
	cp_map64_free(&r->open);
}

bool
cp_browse_has(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != '\0'; text++)
		if (strncasecmp(text, part, n) == 0)
			return true;
	return n == 0;
}

static uint64_t
change(uint64_t before, uint64_t after)
{
	return before < after ? after - before : before - after;
}

/* What changed most first, from nothing where there is one capture. */
int
cp_browse_by_weight(const void *a, const void *b)
{
	const struct cp_browse_row *x = a, *y = b;
	uint64_t dx = change(x->self_before, x->self),
		 dy = change(y->self_before, y->self);

	if (dx != dy)
		return dx < dy ? 1 : -1;
	dx = change(x->total_before, x->total);
	dy = change(y->total_before, y->total);
	return dx != dy ? (dx < dy ? 1 : -1) : strcmp(x->name, y->name);
}

int
cp_browse_by_total(const void *a, const void *b)
{
	const struct cp_browse_row *x = a, *y = b;
	uint64_t dx = change(x->total_before, x->total),
		 dy = change(y->total_before, y->total);

	if (dx != dy)
		return dx < dy ? 1 : -1;
	return cp_browse_by_weight(a, b);
}

static const char *
text(
    struct cp_browse_rows *r, const char *before, uint32_t id, const char *name)
{
	char number[16] = "?", line[320];

	if (id != CP_NO_ID)
		snprintf(number, sizeof(number), "%" PRIu32, id);
	snprintf(line, sizeof(line), "%s%s%s%s", before, number,
	    *name != '\0' ? " " : "", name);
	return cp_arena_strndup(&r->texts, line, strlen(line));
}

/* Sorts the rows from first on, and leaves out those that do not match. */
static void
end_list(struct cp_browse_rows *r, size_t first, const char *find)
{
	size_t n = first;

	for (size_t i = first; i < r->rows.len; i++)
		if (find == NULL || cp_browse_has(r->rows.data[i].name, find))
			r->rows.data[n++] = r->rows.data[i];
	r->rows.len = n;
	if (n > first)
		qsort(r->rows.data + first, n - first, sizeof(*r->rows.data),
		    cp_browse_by_weight);
	if (n > CP_BROWSE_ROWS) {
		r->rows.len = CP_BROWSE_ROWS;
		r->cut = true;
	}
}

struct cp_browse_row
cp_browse_function_row(const struct cp_browse_model *m, uint32_t function)
{
	const struct cp_browse_function *f = &m->functions.data[function];

	return (struct cp_browse_row){ .kind = CP_ROW_FUNCTION,
		.name = f->name,
		.where = f->object,
		.inlined = f->inlined,
		.kernel = f->level == CP_LEVEL_KERNEL,
		.id = function,
		.self = m->own[function],
		.total = m->inclusive[function],
		.samples = m->samples[function],
		.self_before = m->compares ? m->before.own[function] : 0,
		.total_before =
		    m->compares ? m->before.inclusive[function] : 0 };
}

void
cp_browse_functions(
    struct cp_browse_rows *r, const struct cp_browse_model *m, const char *find)
{
	cp_browse_rows_start(r);
	for (uint32_t f = 0; f < m->functions.len; f++) {
		struct cp_browse_row row = cp_browse_function_row(m, f);

		if (row.total != 0 || row.total_before != 0)
			*cp_vec_push(&r->rows) = row;
	}
	end_list(r, 0, find);
}

void
cp_browse_objects(
    struct cp_browse_rows *r, const struct cp_browse_model *m, const char *find)
{
	const struct cp_profile *p = m->profile;
	struct cp_browse_row *rows = cp_xcalloc(p->objects.len, sizeof(*rows));

	cp_browse_rows_start(r);
	for (uint32_t f = 0; f < m->functions.len; f++) {
		struct cp_browse_row *row = &rows[m->functions.data[f].in];

		row->name = m->functions.data[f].object;
		row->self += m->own[f];
		row->samples += m->samples[f];
		if (m->compares)
			row->self_before += m->before.own[f];
	}
	for (uint32_t i = 0; i < p->objects.len; i++) {
		if (rows[i].samples == 0 && rows[i].self_before == 0)
			continue;
		rows[i].kind = CP_ROW_OBJECT;
		rows[i].id = i;
		rows[i].total = rows[i].self;
		rows[i].total_before = rows[i].self_before;
		*cp_vec_push(&r->rows) = rows[i];
	}
	free(rows);
	end_list(r, 0, find);
}

/* ------------------------------------------------- threads, CPUs, events */

void
cp_browse_head(struct cp_browse_rows *r, const char *name)
{
	*cp_vec_push(&r->rows) =
	    (struct cp_browse_row){ .kind = CP_ROW_HEAD, .name = name };
}

struct sums {
	uint64_t weight, before, samples;
};

static struct cp_browse_row
thread_row(struct cp_browse_rows *r, const struct cp_profile_thread *t,
    const struct sums *sums)
{
	return (struct cp_browse_row){ .kind = CP_ROW_THREAD,
		.name = text(r, "", t->tid, t->name),
		.id = t->pid,
		.tid = t->tid,
		.self = sums->weight,
		.total = sums->weight,
		.self_before = sums->before,
		.total_before = sums->before,
		.samples = sums->samples,
		.depth = 1 };
}

/*
 * Adds the rows of processes, each before its threads if it has several.  The
 * items of a process' row are its threads in `of', until they are rows.
 */
static void
add_processes(struct cp_browse_rows *r, const struct cp_browse_model *m,
    const struct sums *sums, const char *find)
{
	const struct cp_profile *p = m->profile;
	struct cp_browse_rows all = { 0 };
	CP_VEC(uint64_t) of = { 0 }; /* pid << 32 | thread */

	for (uint32_t i = 0; i < p->threads.len; i++)
		if (sums[i].samples != 0)
			*cp_vec_push(&of) =
			    (uint64_t)p->threads.data[i].pid << 32 | i;
	if (of.len != 0)
		qsort(of.data, of.len, sizeof(*of.data), cp_u64_order);
	for (size_t i = 0; i < of.len; i++) {
		const struct cp_profile_thread *t =
		    &p->threads.data[(uint32_t)of.data[i]];
		struct cp_browse_row *row;

		if (i == 0 || of.data[i] >> 32 != of.data[i - 1] >> 32)
			*cp_vec_push(&all.rows) = (struct cp_browse_row){
				.kind = CP_ROW_PROCESS,
				.name = text(r, "", t->pid,
				    t->process != NULL ? t->process : t->name),
				.id = t->pid,
				.tid = CP_NO_ID,
				.first = i
			};
		row = &all.rows.data[all.rows.len - 1];
		row->self += sums[(uint32_t)of.data[i]].weight;
		row->self_before += sums[(uint32_t)of.data[i]].before;
		row->samples += sums[(uint32_t)of.data[i]].samples;
		row->total = row->self;
		row->total_before = row->self_before;
		row->n++;
	}
	end_list(&all, 0, find);
	for (size_t i = 0; i < all.rows.len; i++) {
		const struct cp_browse_row *row = &all.rows.data[i];
		size_t first = r->rows.len + 1;

		*cp_vec_push(&r->rows) = *row;
		for (size_t j = 0; row->n > 1 && j < row->n; j++) {
			uint32_t t = (uint32_t)of.data[row->first + j];

			*cp_vec_push(&r->rows) =
			    thread_row(r, &p->threads.data[t], &sums[t]);
		}
		end_list(r, first, NULL);
	}
	cp_vec_free(&all.rows);
	cp_vec_free(&of);
}

static void
add_cpus(
    struct cp_browse_rows *r, const struct cp_browse_model *m, const char *find)
{
	const struct cp_profile *p = m->profile;
	struct cp_map64 seen = { 0 };
	size_t first;

	cp_browse_head(r, "CPUs");
	first = r->rows.len;
	for (size_t i = 0; i < p->cpu.len; i++) {
		uint32_t cpu = p->cpu.data[i], *at;
		struct cp_browse_row *row;

		if (cpu == CP_NO_ID || !cp_browse_selects(m, i, true))
			continue;
		at = cp_map64_put(&seen, cpu);
		if (*at == 0) {
			*cp_vec_push(&r->rows) =
			    (struct cp_browse_row){ .kind = CP_ROW_CPU,
				    .name = text(r, "CPU ", cpu, ""),
				    .id = cpu };
			*at = (uint32_t)r->rows.len;
		}
		row = &r->rows.data[*at - 1];
		*(cp_browse_is_before(m, i) ? &row->self_before : &row->self) +=
		    p->weight.data[i];
		row->total = row->self;
		row->total_before = row->self_before;
		row->samples++;
	}
	cp_map64_free(&seen);
	end_list(r, first, find);
}

void
cp_browse_threads(
    struct cp_browse_rows *r, const struct cp_browse_model *m, const char *find)
{
	const struct cp_profile *p = m->profile;
	struct sums *sums = cp_xcalloc(p->threads.len + 1, sizeof(*sums));

	cp_browse_rows_start(r);
	for (size_t i = 0; i < p->thread.len; i++)
		if (cp_browse_selects(m, i, true)) {
			struct sums *of =
			    &sums[cp_browse_thread(m, p->thread.data[i])];

			*(cp_browse_is_before(m, i) ? &of->before
						    : &of->weight) +=
			    p->weight.data[i];
			of->samples++;
		}
	cp_browse_head(r, "Processes and threads");
	add_processes(r, m, sums, find);
	free(sums);
	add_cpus(r, m, find);
	if (p->events.len < 2)
		return;
	cp_browse_head(r, "Events");
	for (uint32_t i = 0; i < p->events.len; i++)
		if (m->same[i] == i)
			*cp_vec_push(&r->rows) =
			    (struct cp_browse_row){ .kind = CP_ROW_EVENT,
				    .name = p->events.data[i].name,
				    .id = i,
				    .samples = p->events.data[i].samples };
}
