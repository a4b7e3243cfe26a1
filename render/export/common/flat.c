/* SPDX-License-Identifier: MIT */
#include "render/export/common/flat.h"

#include "render/export/common/functions.h"

const char *
cp_level_name(uint8_t level)
{
	switch (level) {
	case CP_LEVEL_KERNEL: return "kernel";
	case CP_LEVEL_USER: return "user";
	case CP_LEVEL_HYPERVISOR: return "hypervisor";
	case CP_LEVEL_GUEST_KERNEL: return "guest kernel";
	case CP_LEVEL_GUEST_USER: return "guest user";
	default: return NULL;
	}
}

struct cp_flat
cp_flat_at(const struct cp_profile *p, size_t i)
{
	struct cp_profile_sample s = cp_profile_sample_at(p, i);
	const struct cp_profile_event *e = &p->events.data[s.event];
	uint32_t frame = p->stacks.data[s.stack].frame;
	const struct cp_profile_frame *f = &p->frames.data[frame];
	struct cp_export_line line =
	    cp_export_line(p, frame, cp_export_lines(p, frame) - 1);
	struct cp_flat flat = { .time = s.time,
		.pid = CP_NO_ID,
		.tid = CP_NO_ID,
		.cpu = s.cpu,
		.event = e->name,
		.unit = e->unit,
		.weight = s.weight,
		.level = cp_level_name(f->level),
		.addr = f->addr,
		.stack = s.stack };

	if (s.thread != CP_NO_ID) {
		flat.pid = p->threads.data[s.thread].pid;
		flat.tid = p->threads.data[s.thread].tid;
		flat.comm = p->threads.data[s.thread].name;
	}
	if (line.symbol != 0)
		flat.symbol = p->symbols.data[line.symbol].name;
	if (f->object != 0)
		flat.object = p->objects.data[f->object].name;
	return flat;
}

static const char *
name_unnamed(
    struct cp_stack_names *n, const struct cp_profile *p, uint32_t object)
{
	struct cp_buf b;

	while (n->unnamed.len <= object)
		*cp_vec_push(&n->unnamed) = NULL;
	if (n->unnamed.data[object] == NULL) {
		cp_buf_init(&b, SIZE_MAX / 2);
		cp_function_name(&b, p, 0, object);
		n->unnamed.data[object] =
		    cp_arena_strndup(&n->arena, cp_buf_text(&b), b.len);
		cp_buf_free(&b);
	}
	return n->unnamed.data[object];
}

void
cp_stack_names_of(
    struct cp_stack_names *n, const struct cp_profile *p, uint32_t stack)
{
	n->at.len = 0;
	do {
		uint32_t frame = p->stacks.data[stack].frame;

		for (size_t i = cp_export_lines(p, frame); i-- > 0;) {
			struct cp_export_line line =
			    cp_export_line(p, frame, i);

			*cp_vec_push(&n->at) =
			    line.symbol != 0 ? p->symbols.data[line.symbol].name
					     : name_unnamed(n, p, line.object);
		}
		stack = p->stacks.data[stack].parent;
	} while (stack != 0);
}

void
cp_stack_names_free(struct cp_stack_names *n)
{
	cp_vec_free(&n->at);
	cp_vec_free(&n->unnamed);
	cp_arena_free(&n->arena);
}
