/* SPDX-License-Identifier: MIT */
/* The rows of a profile are added here; they keep their order. */
#include "report/profile.h"
#include "report/section.h"

struct cp_profile *
cp_report_profile(struct cp_report *r, const char *slug, const char *title)
{
	struct cp_section *s =
	    cp_section_new(r, CP_SECTION_PROFILE, slug, title);
	struct cp_profile *p = cp_arena_alloc(&r->arena, sizeof(*p));

	s->profile = p;
	p->report = r;
	cp_profile_init(p);
	return p;
}

const struct cp_profile *
cp_profile_of(const struct cp_report *r)
{
	for (const struct cp_section *s = r->first; s != NULL; s = s->next)
		if (s->type == CP_SECTION_PROFILE)
			return s->profile;
	return NULL;
}

uint64_t
cp_profile_first_time(const struct cp_profile *p)
{
	uint64_t first = CP_NO_TIME;

	for (size_t i = 0; i < cp_profile_samples(p); i++)
		first = CP_MIN(first, p->time.data[i]);
	for (size_t i = 0; i < p->states.len; i++)
		first = CP_MIN(first, p->states.data[i].from);
	return first;
}

void
cp_profile_init(struct cp_profile *p)
{
	*cp_vec_push(&p->objects) = (struct cp_profile_object){ .name = "" };
	*cp_vec_push(&p->symbols) = (struct cp_profile_symbol){ .name = "" };
	*cp_vec_push(&p->frames) =
	    (struct cp_profile_frame){ .vaddr = UINT64_MAX };
	*cp_vec_push(&p->stacks) = (struct cp_profile_stack){ 0 };
	*cp_vec_push(&p->contexts) = (struct cp_profile_context){ 0 };
}

uint32_t
cp_profile_object(struct cp_profile *p, const struct cp_profile_object *row)
{
	struct cp_profile_object *object = cp_vec_push(&p->objects);

	*object = *row;
	if (object->nickname == NULL)
		object->nickname = object->name;
	return (uint32_t)(p->objects.len - 1);
}

uint32_t
cp_profile_symbol(struct cp_profile *p, const struct cp_profile_symbol *row)
{
	*cp_vec_push(&p->symbols) = *row;
	return (uint32_t)(p->symbols.len - 1);
}

uint32_t
cp_profile_spot(struct cp_profile *p, const struct cp_profile_spot *row)
{
	*cp_vec_push(&p->spots) = *row;
	return (uint32_t)(p->spots.len - 1);
}

uint32_t
cp_profile_frame(struct cp_profile *p, const struct cp_profile_frame *row)
{
	*cp_vec_push(&p->frames) = *row;
	return (uint32_t)(p->frames.len - 1);
}

uint32_t
cp_profile_stack(struct cp_profile *p, uint32_t parent, uint32_t frame)
{
	*cp_vec_push(&p->stacks) = (struct cp_profile_stack){ parent, frame };
	return (uint32_t)(p->stacks.len - 1);
}

uint32_t
cp_profile_thread(struct cp_profile *p, const struct cp_profile_thread *row)
{
	*cp_vec_push(&p->threads) = *row;
	return (uint32_t)(p->threads.len - 1);
}

uint32_t
cp_profile_event(struct cp_profile *p, const struct cp_profile_event *row)
{
	*cp_vec_push(&p->events) = *row;
	return (uint32_t)(p->events.len - 1);
}

uint32_t
cp_profile_context(struct cp_profile *p, const struct cp_profile_context *row)
{
	*cp_vec_push(&p->contexts) = *row;
	return (uint32_t)(p->contexts.len - 1);
}

void
cp_profile_expect(struct cp_profile *p, uint64_t n)
{
	if (p->report->sink != NULL)
		return;
	cp_vec_reserve(&p->time, n);
	cp_vec_reserve(&p->weight, n);
	cp_vec_reserve(&p->stack, n);
	cp_vec_reserve(&p->thread, n);
	cp_vec_reserve(&p->event, n);
	cp_vec_reserve(&p->cpu, n);
}

/* Samples added before the first context have none. */
static void
add_context(struct cp_profile *p, uint32_t context)
{
	if (context == 0 && p->context.len == 0)
		return;
	while (p->context.len + 1 < p->time.len)
		*cp_vec_push(&p->context) = 0;
	*cp_vec_push(&p->context) = context;
}

void
cp_profile_sample(struct cp_profile *p, const struct cp_profile_sample *s)
{
	if (p->report->sink != NULL) {
		p->report->sink(p->report->sink_ctx, s);
		return;
	}
	*cp_vec_push(&p->time) = s->time;
	*cp_vec_push(&p->weight) = s->weight;
	*cp_vec_push(&p->stack) = s->stack;
	*cp_vec_push(&p->thread) = s->thread;
	*cp_vec_push(&p->event) = s->event;
	*cp_vec_push(&p->cpu) = s->cpu;
	add_context(p, s->context);
}

void
cp_profile_mark(struct cp_profile *p, const struct cp_profile_mark *row)
{
	*cp_vec_push(&p->marks) = *row;
}

void
cp_profile_state(struct cp_profile *p, const struct cp_profile_state *row)
{
	*cp_vec_push(&p->states) = *row;
}

struct cp_profile_sample
cp_profile_sample_at(const struct cp_profile *p, size_t i)
{
	return (struct cp_profile_sample){
		.time = p->time.data[i],
		.weight = p->weight.data[i],
		.stack = p->stack.data[i],
		.thread = p->thread.data[i],
		.event = p->event.data[i],
		.cpu = p->cpu.data[i],
		.context = cp_profile_context_at(p, i),
	};
}

void
cp_profile_free(struct cp_profile *p)
{
	cp_vec_free(&p->captures);
	cp_vec_free(&p->objects);
	cp_vec_free(&p->symbols);
	cp_vec_free(&p->spots);
	cp_vec_free(&p->frames);
	cp_vec_free(&p->stacks);
	cp_vec_free(&p->threads);
	cp_vec_free(&p->events);
	cp_vec_free(&p->contexts);
	cp_vec_free(&p->marks);
	cp_vec_free(&p->states);
	cp_vec_free(&p->time);
	cp_vec_free(&p->weight);
	cp_vec_free(&p->stack);
	cp_vec_free(&p->thread);
	cp_vec_free(&p->event);
	cp_vec_free(&p->cpu);
	cp_vec_free(&p->context);
}

const char *
cp_source_word(uint8_t source)
{
	static const char *const words[] = {
#define CP_SOURCE_WORD(id, word) [CP_SOURCE_##id] = (word),
#include <coldperf/words.def>
	};

	return source < CP_ARRAY_LEN(words) ? words[source] : NULL;
}

const char *
cp_trust_word(uint8_t trust)
{
	static const char *const words[] = {
#define CP_TRUST_WORD(id, word) [CP_TRUST_##id] = (word),
#include <coldperf/words.def>
	};

	return trust < CP_ARRAY_LEN(words) ? words[trust] : NULL;
}
