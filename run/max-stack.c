/* SPDX-License-Identifier: MIT */
/*
 * max-stack: cuts stacks to the innermost frames, as many as --max-stack says.
 *
 * A cut stack is a new one whose outermost frame has no caller; each stack is
 * cut once.
 */
#include "run/api.h"

static cp_stack_id
cut(struct cp_run *run, cp_stack_id id)
{
	struct cp_stacks *s = &run->session.stacks;
	cp_stack_id at = id, made = 0;

	run->innermost.len = 0;
	for (; at != 0 && run->innermost.len < run->options->max_stack;
	     at = s->nodes.data[at].parent)
		*cp_vec_push(&run->innermost) = s->nodes.data[at].frame;
	if (at == 0)
		return id;
	for (size_t i = run->innermost.len; i != 0; i--)
		made = cp_stacks_push(s, made, run->innermost.data[i - 1]);
	return made;
}

cp_stack_id
cp_run_max_stack(struct cp_run *run, cp_stack_id id)
{
	if (id == 0)
		return id;
	while (run->cut_stack.len <= id)
		*cp_vec_push(&run->cut_stack) = 0;
	if (run->cut_stack.data[id] == 0)
		run->cut_stack.data[id] = cut(run, id);
	return run->cut_stack.data[id];
}
