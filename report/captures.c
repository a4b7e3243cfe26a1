/* SPDX-License-Identifier: MIT */
/*
 * Several captures in one profile: texts of a capture are freed with it, so
 * they are copied; times are moved, so that all captures begin at the same
 * moment.
 */
#include <stdlib.h>

#include "report/profile.h"
#include "report/section.h"

/* Neighbours often have the same text, which is then copied once. */
struct copier {
	struct cp_report *report;
	const char *last, *copy;
};

static void
copy_text(struct copier *c, const char **text)
{
	if (*text == NULL)
		return;
	if (*text != c->last) {
		c->last = *text;
		c->copy = cp_report_text(c->report, *text);
	}
	*text = c->copy;
}

#define COPY(p, ended, table, field)                                           \
	do {                                                                   \
		struct copier c_ = { (p)->report, NULL, NULL };                \
                                                                               \
		for (size_t i_ = (ended)->table; i_ < (p)->table.len; i_++)    \
			copy_text(&c_, &(p)->table.data[i_].field);            \
	} while (0)

static void
copy_texts(struct cp_profile *p, const struct cp_profile_ended *from)
{
	COPY(p, from, objects, name);
	COPY(p, from, objects, file);
	COPY(p, from, objects, base_name);
	COPY(p, from, objects, release);
	COPY(p, from, objects, nickname);
	COPY(p, from, objects, reason);
	COPY(p, from, symbols, name);
	COPY(p, from, symbols, raw);
	COPY(p, from, symbols, label);
	COPY(p, from, spots, file);
	COPY(p, from, threads, name);
	COPY(p, from, threads, process);
	COPY(p, from, events, name);
	COPY(p, from, events, unit);
	COPY(p, from, contexts, cgroup);
	COPY(p, from, contexts, labels);
	COPY(p, from, marks, text);
	COPY(p, from, states, reason);
}

static void
move(uint64_t *time, uint64_t by)
{
	if (*time < CP_NO_TIME)
		*time += by; /* modulo 2^64: by may stand for less than 0 */
}

static void
move_times(
    struct cp_profile *p, const struct cp_profile_ended *from, uint64_t by)
{
	for (size_t i = from->samples; i < p->time.len; i++)
		move(&p->time.data[i], by);
	for (size_t i = from->marks; i < p->marks.len; i++)
		move(&p->marks.data[i].time, by);
	for (size_t i = from->threads; i < p->threads.len; i++) {
		move(&p->threads.data[i].start, by);
		move(&p->threads.data[i].end, by);
	}
	for (size_t i = from->states; i < p->states.len; i++) {
		move(&p->states.data[i].from, by);
		move(&p->states.data[i].to, by);
	}
}

static void
number_rows(
    struct cp_profile *p, const struct cp_profile_ended *from, uint32_t number)
{
	for (size_t i = from->threads; i < p->threads.len; i++)
		p->threads.data[i].capture = number;
	for (size_t i = from->events; i < p->events.len; i++)
		p->events.data[i].capture = number;
}

uint64_t
cp_profile_start(const struct cp_profile *p)
{
	for (size_t i = 0; i < p->captures.len; i++)
		if (p->captures.data[i].start < CP_NO_TIME)
			return p->captures.data[i].start;
	return CP_NO_TIME;
}

void
cp_profile_capture(struct cp_profile *p, const struct cp_profile_capture *row)
{
	const struct cp_profile_ended from = p->ended;
	struct cp_profile_capture *c = cp_vec_push(&p->captures);
	uint64_t first;

	*c = *row;
	first = cp_profile_start(p);
	c->name = cp_report_text(p->report, row->name);
	copy_texts(p, &from);
	number_rows(p, &from, (uint32_t)(p->captures.len - 1));
	if (first < CP_NO_TIME && c->start < CP_NO_TIME)
		move_times(p, &from, first - c->start);
	p->ended = (struct cp_profile_ended){
		.objects = p->objects.len,
		.symbols = p->symbols.len,
		.spots = p->spots.len,
		.threads = p->threads.len,
		.events = p->events.len,
		.contexts = p->contexts.len,
		.marks = p->marks.len,
		.states = p->states.len,
		.samples = p->time.len,
	};
}

/* ------------------------------------------------------------------- order */

struct place {
	/* its own time, or that of the last sample that has one */
	uint64_t time;
	size_t row;
};

static int
compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static struct place *
places_of(const struct cp_profile *p)
{
	size_t n = p->time.len;
	struct place *all = cp_xmalloc((n + 1) * sizeof(*all));
	uint64_t time = 0;

	for (size_t i = 0; i < n; i++) {
		time = p->time.data[i] < CP_NO_TIME ? p->time.data[i] : time;
		all[i] = (struct place){ time, i };
	}
	qsort(all, n, sizeof(*all), compare_places);
	return all;
}

void
cp_profile_in_order(struct cp_profile *p)
{
	size_t n = p->time.len;
	struct place *all = places_of(p);
	struct cp_profile_sample *rows = cp_xmalloc((n + 1) * sizeof(*rows));

	for (size_t i = 0; i < n; i++)
		rows[i] = cp_profile_sample_at(p, all[i].row);
	p->time.len = p->weight.len = p->stack.len = 0;
	p->thread.len = p->event.len = p->cpu.len = p->context.len = 0;
	for (size_t i = 0; i < n; i++)
		cp_profile_sample(p, &rows[i]);
	free(rows);
	free(all);
}
