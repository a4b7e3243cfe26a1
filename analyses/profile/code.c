/* SPDX-License-Identifier: MIT */
#include "analyses/profile/code.h"

#include <string.h>

void
cp_code_init(
    struct cp_code_rows *c, struct cp_run *run, struct cp_profile *profile)
{
	*c = (struct cp_code_rows){ .run = run, .profile = profile };
	c->object = cp_run_alloc(
	    run, (cp_run_dso_count(run) + (size_t)1) * sizeof(*c->object));
	c->stack = cp_run_alloc(
	    run, (cp_stack_count(run) + (size_t)1) * sizeof(*c->stack));
}

static uint32_t
found_bits(const struct cp_dso *d, const struct cp_dso_state *s)
{
	bool data =
	    !d->runs && (d->kind == CP_DSO_FILE || d->kind == CP_DSO_ANON);

	return (s->code ? CP_PROFILE_CODE : 0u) |
	       (s->mismatch ? CP_PROFILE_MISMATCH : 0u) |
	       (s->damaged ? CP_PROFILE_DAMAGED : 0u) |
	       (s->stripped ? CP_PROFILE_STRIPPED : 0u) |
	       (data ? CP_PROFILE_DATA : 0u);
}

uint32_t
cp_code_object(struct cp_code_rows *c, uint32_t id)
{
	const struct cp_dso *d = id != 0 ? cp_run_dso(c->run, id) : NULL;
	struct cp_dso_state found;
	struct cp_profile_object row;

	if (d == NULL)
		return 0;
	if (c->object[id] != 0)
		return c->object[id];
	found = cp_run_dso_state(c->run, id);
	row = (struct cp_profile_object){
		.name = cp_run_string(c->run, d->name),
		.kind = d->kind,
		.level = d->level,
		.build_id_size = d->build_id_size,
		.source = found.source,
		.trust = found.trust,
		.pid = d->kind == CP_DSO_ANON || d->kind == CP_DSO_JIT
			   ? d->pid
			   : CP_NO_ID,
		.base = cp_run_dso_base(c->run, id),
		.file = found.path,
		.symbols = found.symbols,
		.found = found_bits(d, &found),
		.base_name = cp_run_dso_base_name(c->run, id),
		.release = cp_run_dso_release(c->run, id),
		.nickname = cp_run_string(c->run, d->short_name),
		.id = id,
		.reason = found.reason,
	};
	memcpy(row.build_id, d->build_id, sizeof(row.build_id));
	c->objects++;
	return c->object[id] = cp_profile_object(c->profile, &row);
}

static uint32_t
symbol_row(struct cp_code_rows *c, const struct cp_symbol *s)
{
	if (s == NULL)
		return 0;
	cp_grow_to(c->run, c->symbol, &c->symbol_cap, s->id);
	if (c->symbol[s->id] != 0)
		return c->symbol[s->id];
	c->symbols += s->source != CP_SOURCE_BOUNDS;
	return c->symbol[s->id] = cp_profile_symbol(
		   c->profile, &(struct cp_profile_symbol){
				   .name = s->name,
				   .raw = s->raw,
				   .start = s->start,
				   .end = s->end,
				   .object = cp_code_object(c, s->dso),
				   .source = s->source,
				   .trust = s->trust,
				   .label = s->label,
			       });
}

/* Adds the functions inlined at a frame. */
static void
add_spots(struct cp_code_rows *c, struct cp_profile_frame *row, cp_frame_id id)
{
	const struct cp_spot *spots;
	size_t n = cp_frame_spots(c->run, id, &spots);

	for (size_t i = 0; i < n; i++) {
		const struct cp_spot *s = &spots[i];
		struct cp_profile_spot spot = {
			.symbol = s->symbol != NULL ? symbol_row(c, s->symbol)
						    : row->symbol,
			.file = s->file,
			.line = s->line,
			.column = s->column,
		};
		uint32_t number = cp_profile_spot(c->profile, &spot);

		if (i == 0)
			row->first_spot = number;
	}
	row->spots = (uint32_t)n;
}

static uint32_t
frame_row(struct cp_code_rows *c, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(c->run, id);
	struct cp_profile_frame row;
	uint64_t vaddr;

	cp_grow_to(c->run, c->frame, &c->frame_cap, id);
	if (c->frame[id] != 0)
		return c->frame[id];
	/* This finds the object's file, which the object's row then names. */
	vaddr = cp_frame_vaddr(c->run, id);
	row = (struct cp_profile_frame){
		.addr = f->addr,
		.vaddr = vaddr,
		.object = cp_code_object(c, f->dso),
		.symbol = symbol_row(c, cp_frame_function(c->run, id)),
		.level = f->level,
		.flags = f->flags,
	};
	add_spots(c, &row, id);
	c->frames++;
	return c->frame[id] = cp_profile_frame(c->profile, &row);
}

/* Adds the row of a stack whose caller has one. */
static void
stack_add(struct cp_code_rows *c, cp_stack_id stack)
{
	uint32_t caller = c->stack[cp_stack_parent(c->run, stack)];
	uint32_t frame = frame_row(c, cp_stack_frame(c->run, stack));

	c->stack[stack] = cp_profile_stack(c->profile, caller, frame);
	c->stacks++;
}

void
cp_code_stacks(struct cp_code_rows *c, bool *used, uint32_t n)
{
	if (n > cp_stack_count(c->run))
		n = cp_stack_count(c->run);
	for (uint32_t i = n; i-- > 1;)
		if (used[i])
			used[cp_stack_parent(c->run, i)] = true;
	for (uint32_t i = 1; i < n; i++)
		if (used[i])
			stack_add(c, i);
}

uint32_t
cp_code_stack(struct cp_code_rows *c, cp_stack_id stack)
{
	uint32_t n = 0;

	for (cp_stack_id at = stack; at != 0 && c->stack[at] == 0;
	     at = cp_stack_parent(c->run, at)) {
		cp_grow_to(c->run, c->path, &c->path_cap, n);
		c->path[n++] = at;
	}
	while (n-- != 0)
		stack_add(c, c->path[n]);
	return c->stack[stack];
}
