/* SPDX-License-Identifier: MIT */
#include "analyses/common/stack-tree.h"

#include <string.h>

#include "analyses/common/label.h"

void
cp_stacktree_init(
    struct cp_stacktree *t, struct cp_run *run, struct cp_tree *tree)
{
	*t = (struct cp_stacktree){ .run = run, .tree = tree };
	cp_frametexts_init(&t->texts, run);
	cp_index_init(&t->places, run);
	cp_index_init(&t->nodes, run);
	cp_index_init(&t->stacks, run);
	/* Adds the root's place, which has no parent. */
	cp_index_put(&t->places, UINT64_MAX, 0);
	cp_grow_to(run, t->place, &t->place_cap, 0);
}

/* Returns the place of a child of parent; *fresh: it has no node yet. */
static uint32_t
child(struct cp_stacktree *t, uint32_t parent, cp_string_id text,
    enum cp_guess how, bool *fresh)
{
	uint32_t n = t->places.n;
	uint32_t i =
	    cp_index_put(&t->places, parent, (uint64_t)how << 32 | text);

	cp_grow_to(t->run, t->place, &t->place_cap, i);
	*fresh = i == n;
	return i;
}

/*
 * Returns where the node of parent's child with that text is stored; 0 there
 * means that it has yet to be made.
 */
static uint32_t *
child_node(struct cp_stacktree *t, uint32_t parent, cp_string_id text)
{
	uint32_t i = cp_index_put(&t->nodes, t->place[parent].node, text);

	cp_grow_to(t->run, t->node, &t->node_cap, i);
	return &t->node[i];
}

uint32_t
cp_stacktree_label(struct cp_stacktree *t, uint32_t parent, const char *text,
    enum cp_kind kind)
{
	cp_string_id id = cp_run_intern(t->run, text);
	bool fresh;
	uint32_t i = child(t, parent, id, CP_GUESS_NONE, &fresh), *node;

	if (!fresh)
		return i;
	node = child_node(t, parent, id);
	if (*node == 0)
		*node = cp_tree_node(t->tree, t->place[parent].node,
		    cp_run_string(t->run, id), "", kind);
	t->place[i].node = *node;
	return i;
}

static uint32_t
frame_place(struct cp_stacktree *t, uint32_t parent, cp_frame_id id)
{
	cp_string_id text = cp_frametext(&t->texts, id);
	bool fresh;
	uint32_t i = child(t, parent, text,
		     cp_frame_guess(cp_frame_get(t->run, id)), &fresh),
		 *node;

	if (!fresh)
		return i;
	node = child_node(t, parent, text);
	if (*node == 0)
		*node = cp_frametext_node(
		    &t->texts, t->tree, t->place[parent].node, id);
	t->place[i].node = *node;
	return i;
}

/*
 * Functions by which the kernels of x86, arm64, arm and powerpc enter a
 * handler.
 */
static bool
enters_handler(const struct cp_run *run, cp_frame_id id)
{
	static const char *const entries[] = { "asm_sysvec_", "asm_common_int",
		"common_interrupt", "ret_from_intr", "apic_timer_interrupt",
		"el1h_64_irq", "el1_irq", "el0t_64_irq", "el0_irq", "__irq_svc",
		"__irq_usr", "hardware_interrupt_common" };
	const struct cp_symbol *sym = cp_frame_symbol(run, id);

	for (size_t i = 0;
	     sym != NULL && i < sizeof(entries) / sizeof(entries[0]); i++)
		if (strncmp(sym->name, entries[i], strlen(entries[i])) == 0)
			return true;
	return false;
}

/* Collects the frames of a stack, innermost first; returns their number. */
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
cp_stacktree_stack(
    struct cp_stacktree *t, uint32_t parent, cp_stack_id stack, unsigned how)
{
	uint32_t known = t->stacks.n, n, at = parent;
	uint32_t i =
	    cp_index_put(&t->stacks, parent, (uint64_t)stack << 2 | how);

	cp_grow_to(t->run, t->leaf, &t->leaf_cap, i);
	if (i != known)
		return t->leaf[i];
	stack = cp_stack_inlined(t->run, stack);
	n = frames_of(t, stack, (how & CP_STACK_HANDLER) != 0);
	for (uint32_t k = 0; k < n; k++)
		at = frame_place(
		    t, at, t->path[how & CP_STACK_UPWARDS ? k : n - 1 - k]);
	t->leaf[i] = at;
	return at;
}

uint32_t
cp_stacktree_node(const struct cp_stacktree *t, uint32_t place)
{
	return t->place[place].node;
}

void
cp_stacktree_add(
    struct cp_stacktree *t, uint32_t place, uint64_t weight, uint64_t samples)
{
	t->place[place].weight += weight;
	cp_tree_add(t->tree, t->place[place].node, weight, samples);
}

void
cp_stacktree_finish(struct cp_stacktree *t)
{
	if (!t->texts.guessed)
		return;
	/* Parents come before their children. */
	for (uint32_t i = t->places.n; i-- > 1;) {
		const struct cp_pair *p = &t->places.all[i];
		enum cp_guess how = (enum cp_guess)(p->b >> 32);

		t->place[p->a].weight += t->place[i].weight;
		if (how != CP_GUESS_NONE)
			cp_tree_guess(
			    t->tree, t->place[i].node, how, t->place[i].weight);
	}
}
