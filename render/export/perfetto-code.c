/* SPDX-License-Identifier: MIT */
/* Objects, functions, frames and call stacks of a sequence of packets. */
#include "render/export/perfetto-code.h"

/* Size from which on a packet is written. */
enum { ENOUGH = 1 << 20 };

void
cp_perfetto_code_init(struct cp_perfetto_code *c, const struct cp_profile *p)
{
	uint32_t n = 1;

	*c = (struct cp_perfetto_code){ 0 };
	c->first_frame = cp_xcalloc(p->frames.len, sizeof(*c->first_frame));
	for (uint32_t i = 0; i < p->frames.len; i++) {
		c->first_frame[i] = n;
		n += (uint32_t)cp_export_lines(p, i);
	}
}

void
cp_perfetto_code_free(struct cp_perfetto_code *c)
{
	cp_functions_free(&c->functions);
	free(c->first_frame);
}

static void
put_some(struct cp_perfetto *w)
{
	cp_proto_take(&w->packet, PF_PACKET_INTERNED, &w->field);
	cp_proto_u64(&w->packet, PF_PACKET_FLAGS, PF_FLAG_NEEDED);
	cp_perfetto_put(w, w->start);
}

static void
take(struct cp_perfetto *w, unsigned field)
{
	cp_proto_take(&w->field, field, &w->part);
	if (w->field.len >= ENOUGH)
		put_some(w);
}

static void
put_string(
    struct cp_perfetto *w, unsigned field, uint32_t iid, const char *text)
{
	cp_proto_u64(&w->part, PF_STRING_IID, iid);
	cp_proto_text(&w->part, PF_STRING_TEXT, text);
	take(w, field);
}

/* Each part of a path gets a "/" before it. */
static void
put_mapping(struct cp_perfetto *w, uint32_t i)
{
	const struct cp_profile_object *o = &w->p->objects.data[i];
	const char *name = *o->name != '\0' ? o->name : "[unknown]";

	put_string(w, PF_INTERNED_MAPPING_PATHS, i + 1,
	    *name == '/' ? name + 1 : name);
	cp_proto_u64(&w->part, PF_STRING_IID, i + 1);
	cp_proto_bytes(&w->part, PF_STRING_TEXT, o->build_id, o->build_id_size);
	take(w, PF_INTERNED_BUILD_IDS);
	cp_proto_u64(&w->part, PF_MAPPING_IID, i + 1);
	cp_proto_u64(&w->part, PF_MAPPING_BUILD_ID, i + 1);
	cp_proto_u64(&w->part, PF_MAPPING_END, UINT64_MAX);
	cp_proto_u64(&w->part, PF_MAPPING_PATH, i + 1);
	take(w, PF_INTERNED_MAPPINGS);
}

/* A function, once it is met. */
static uint32_t
function_of(struct cp_perfetto *w, struct cp_perfetto_code *c,
    const struct cp_export_line *line, bool *told)
{
	uint32_t f = cp_functions_of(&c->functions, line);
	const struct cp_export_function *function = &c->functions.all.data[f];
	struct cp_buf name;

	if (told[f])
		return f + 1;
	told[f] = true;
	cp_buf_init(&name, SIZE_MAX / 2);
	cp_function_bare_name(&name, w->p, function->symbol, function->object);
	put_string(w, PF_INTERNED_FUNCTION_NAMES, f + 1, cp_buf_text(&name));
	cp_buf_free(&name);
	if (function->file != NULL)
		put_string(w, PF_INTERNED_SOURCE_PATHS, f + 1, function->file);
	return f + 1;
}

/* Inlined functions are frames of the same place. */
static void
put_frame(struct cp_perfetto *w, struct cp_perfetto_code *c, uint32_t frame,
    bool *told)
{
	const struct cp_profile_frame *f = &w->p->frames.data[frame];

	for (size_t i = 0; i < cp_export_lines(w->p, frame); i++) {
		struct cp_export_line line = cp_export_line(w->p, frame, i);
		uint32_t function = function_of(w, c, &line, told);

		cp_proto_u64(&w->part, PF_FRAME_IID, c->first_frame[frame] + i);
		cp_proto_u64(&w->part, PF_FRAME_FUNCTION, function);
		cp_proto_u64(&w->part, PF_FRAME_MAPPING, f->object + 1);
		cp_proto_u64(&w->part, PF_FRAME_PC, f->addr);
		if (c->functions.all.data[function - 1].file != NULL)
			cp_proto_u64(&w->part, PF_FRAME_SOURCE, function);
		cp_proto_u64(&w->part, PF_FRAME_LINE, line.line);
		take(w, PF_INTERNED_FRAMES);
	}
}

/* The outermost frame first: they are collected from the innermost. */
static void
put_callstack(struct cp_perfetto *w, const struct cp_perfetto_code *c,
    uint32_t stack, uint32_t *path)
{
	uint32_t n = 0, at = stack;

	do {
		path[n++] = w->p->stacks.data[at].frame;
		at = w->p->stacks.data[at].parent;
	} while (at != 0);
	cp_proto_u64(&w->part, PF_CALLSTACK_IID, stack + 1);
	while (n-- > 0)
		for (size_t i = 0; i < cp_export_lines(w->p, path[n]); i++)
			cp_proto_always(&w->part, PF_CALLSTACK_FRAMES,
			    c->first_frame[path[n]] + i);
	take(w, PF_INTERNED_CALLSTACKS);
}

struct used {
	bool *objects, *frames, *stacks;
};

static void
find_used(const struct cp_profile *p, uint32_t event, struct used *u)
{
	u->objects = cp_xcalloc(p->objects.len, sizeof(bool));
	u->frames = cp_xcalloc(p->frames.len, sizeof(bool));
	u->stacks = cp_xcalloc(p->stacks.len, sizeof(bool));
	for (size_t i = 0; i < cp_profile_samples(p); i++)
		if (p->event.data[i] == event)
			u->stacks[p->stack.data[i]] = true;
	for (size_t i = 0; i < p->stacks.len; i++) {
		uint32_t at = (uint32_t)i;

		if (!u->stacks[i])
			continue;
		do {
			uint32_t frame = p->stacks.data[at].frame;

			u->frames[frame] = true;
			u->objects[p->frames.data[frame].object] = true;
			at = p->stacks.data[at].parent;
		} while (at != 0);
	}
}

void
cp_perfetto_put_code(
    struct cp_perfetto *w, struct cp_perfetto_code *c, uint32_t event)
{
	const struct cp_profile *p = w->p;
	/* There are no more functions than symbols and objects. */
	bool *told = cp_xcalloc(p->symbols.len + p->objects.len, sizeof(*told));
	uint32_t *path = cp_xcalloc(p->stacks.len + 1, sizeof(*path));
	struct used u;

	find_used(p, event, &u);
	for (uint32_t i = 0; i < p->objects.len; i++)
		if (u.objects[i])
			put_mapping(w, i);
	for (uint32_t i = 0; i < p->frames.len; i++)
		if (u.frames[i])
			put_frame(w, c, i, told);
	for (uint32_t i = 0; i < p->stacks.len; i++)
		if (u.stacks[i])
			put_callstack(w, c, i, path);
	if (w->field.len != 0)
		put_some(w);
	free(u.objects);
	free(u.frames);
	free(u.stacks);
	free(path);
	free(told);
}
