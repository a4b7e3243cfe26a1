/* SPDX-License-Identifier: MIT */
#include "analyses/stacktree.h"

#include <stdio.h>
#include <string.h>

#include "analyses/words.h"

void
cp_stacktree_init(struct cp_stacktree *t, struct cp_run *run,
    struct cp_tree *tree)
{
	*t = (struct cp_stacktree) { .run = run, .tree = tree };
	cp_index_init(&t->nodes, run);
	cp_index_init(&t->stacks, run);
}

/* What a frame shows: its symbol, or its object in brackets. */
static cp_string_id
text_of(struct cp_stacktree *t, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(t->run, id);
	const char *object =
	    cp_word_object(t->run, cp_frame_get(t->run, id)->dso);
	char text[4096];

	if (sym != NULL)
		return cp_run_intern(t->run, sym->name);
	if (object[0] == '[')
		return cp_run_intern(t->run, object);
	snprintf(text, sizeof(text), "[%.4000s]", object);
	return cp_run_intern(t->run, text);
}

/* The place of the child of parent with that text; UINT32_MAX: to be made. */
static uint32_t *
child(struct cp_stacktree *t, uint32_t parent, cp_string_id text)
{
	uint32_t n = t->nodes.n;
	uint32_t i = cp_index_put(&t->nodes, parent, text);

	cp_grow_to(t->run, t->node, &t->node_cap, i);
	if (i == n)
		t->node[i] = UINT32_MAX;
	return &t->node[i];
}

uint32_t
cp_stacktree_label(struct cp_stacktree *t, uint32_t parent, const char *text,
    enum cp_kind kind)
{
	cp_string_id id = cp_run_intern(t->run, text);
	uint32_t *node = child(t, parent, id);

	if (*node == UINT32_MAX)
		*node = cp_tree_node(
		    t->tree, parent, cp_run_string(t->run, id), "", kind);
	return *node;
}

static uint32_t
frame_node(struct cp_stacktree *t, uint32_t parent, cp_frame_id id)
{
	const struct cp_frame *frame = cp_frame_get(t->run, id);
	uint32_t *node;

	cp_grow_to(t->run, t->text, &t->text_cap, id);
	if (t->text[id] == 0)
		t->text[id] = text_of(t, id);
	node = child(t, parent, t->text[id]);
	if (*node == UINT32_MAX)
		*node = cp_tree_node(t->tree, parent,
		    cp_run_string(t->run, t->text[id]),
		    cp_word_object(t->run, frame->dso),
		    cp_word_kind(t->run, frame, cp_frame_symbol(t->run, id)));
	return *node;
}

/* Where the kernels of x86, arm64, arm and powerpc enter a handler. */
static bool
enters_handler(const struct cp_run *run, cp_frame_id id)
{
	static const char *const entries[] = { "asm_sysvec_", "asm_common_int",
		"common_interrupt", "ret_from_intr", "apic_timer_interrupt",
		"el1h_64_irq", "el1_irq", "el0t_64_irq", "el0_irq",
		"__irq_svc", "__irq_usr", "hardware_interrupt_common" };
	const struct cp_symbol *sym = cp_frame_symbol(run, id);

	for (size_t i = 0;
	     sym != NULL && i < sizeof(entries) / sizeof(entries[0]); i++)
		if (strncmp(sym->name, entries[i], strlen(entries[i])) == 0)
			return true;
	return false;
}

/* The frames of a stack, innermost first; their number. */
static uint32_t
frames_of(struct cp_stacktree *t, cp_stack_id stack, bool handler)
{
	uint32_t n = 0;

	for (; stack != 0; stack = cp_stack_parent(t->run, stack)) {
		cp_grow_to(t->run, t->path, &t->path_cap, n);
		t->path[n++] = cp_stack_frame(t->run, stack);
		if (handler && enters_handler(t->run, t->path[n - 1]))
			break;
	}
	return n;
}

uint32_t
cp_stacktree_stack(struct cp_stacktree *t, uint32_t parent,
    cp_stack_id stack, unsigned how)
{
	uint32_t known = t->stacks.n, n, node = parent;
	uint32_t i = cp_index_put(
	    &t->stacks, parent, (uint64_t)stack << 2 | how);

	cp_grow_to(t->run, t->leaf, &t->leaf_cap, i);
	if (i != known)
		return t->leaf[i];
	n = frames_of(t, stack, (how & CP_STACK_HANDLER) != 0);
	for (uint32_t k = 0; k < n; k++)
		node = frame_node(t, node,
		    t->path[how & CP_STACK_UPWARDS ? k : n - 1 - k]);
	t->leaf[i] = node;
	return node;
}
