/* SPDX-License-Identifier: MIT */
/* A tree as a profile: each node is a stack, its names are symbols. */
#include "render/export/common/samples.h"

#include "base/hash.h"

struct planting {
	struct cp_export *x;
	const struct cp_tree *tree;
	struct cp_map64 objects; /* by the text's address */
	struct cp_map64 frames;  /* by name and object, then by kind */
	struct cp_map64 names;
	uint32_t n_names;
};

static uint32_t
object_of(struct planting *g, const char *name)
{
	uint32_t *slot;

	if (name == NULL || *name == '\0')
		return 0;
	slot = cp_map64_put(&g->objects, (uintptr_t)name);
	if (*slot == 0)
		*slot = cp_profile_object(
		    &g->x->made, &(struct cp_profile_object){ .name = name });
	return *slot;
}

static uint8_t
level_of(uint8_t kind)
{
	switch (kind) {
	case CP_KIND_KERNEL: return CP_LEVEL_KERNEL;
	case CP_KIND_HYPERVISOR: return CP_LEVEL_HYPERVISOR;
	case CP_KIND_NONE:
	case CP_KIND_UNKNOWN:
	case CP_KIND_GUEST: return CP_LEVEL_UNKNOWN;
	default: return CP_LEVEL_USER;
	}
}

static uint32_t
new_frame(struct planting *g, const struct cp_tree_node *node, uint32_t object)
{
	struct cp_profile *p = &g->x->made;
	struct cp_profile_symbol symbol = {
		.name = node->name, .raw = node->name, .object = object
	};
	struct cp_profile_frame frame = { .vaddr = UINT64_MAX,
		.object = object,
		.level = level_of(node->kind) };

	if (node->kind != CP_KIND_UNKNOWN && *node->name != '\0')
		frame.symbol = cp_profile_symbol(p, &symbol);
	return cp_profile_frame(p, &frame);
}

static uint32_t
frame_of(struct planting *g, const struct cp_tree_node *node)
{
	uint32_t object = object_of(g, node->detail);
	uint32_t *name = cp_map64_put(&g->names, (uintptr_t)node->name);
	uint32_t *slot;

	if (*name == 0)
		*name = ++g->n_names;
	slot = cp_map64_put(&g->frames, (uint64_t)*name << 32 | object);
	if (*slot == 0)
		*slot = new_frame(g, node, object);
	return *slot;
}

static void
add_row(struct planting *g, uint32_t stack, uint32_t event, uint64_t samples,
    uint64_t weight)
{
	struct cp_profile_event *e = &g->x->made.events.data[event];

	if (samples == 0 && weight == 0)
		return;
	e->samples += samples;
	e->weight += weight;
	*cp_vec_push(&g->x->rows) = (struct cp_export_row){ samples, weight,
		CP_NO_TIME, stack, event, CP_NO_ID, CP_NO_ID, 0 };
}

static const char *
unit_of(const struct planting *g)
{
	const struct cp_report *r = g->x->report;

	if (cp_tree_unit_type(r, g->tree) == CP_COL_TIME)
		return "ns";
	return cp_tree_unit_name(r, g->tree);
}

static void
add_event(struct planting *g, const char *name)
{
	cp_profile_event(&g->x->made,
	    &(struct cp_profile_event){ .name = name, .unit = unit_of(g) });
}

static void
add_node(struct planting *g, uint32_t i, uint32_t *stack)
{
	const struct cp_tree_node *node = &g->tree->nodes.data[i];
	struct cp_profile *p = &g->x->made;
	bool swapped = g->tree->reversed;

	if (i == 0)
		stack[i] = 0;
	else
		stack[i] =
		    cp_profile_stack(p, stack[node->parent], frame_of(g, node));
	add_row(g, stack[i], swapped, node->samples, node->self);
	if (g->tree->compared)
		add_row(g, stack[i], !swapped, 0,
		    cp_tree_beside(g->tree, node)->before);
}

void
cp_export_of_tree(struct cp_export *x, const struct cp_section *s)
{
	struct planting g = { .x = x, .tree = &s->tree };
	size_t n = s->tree.nodes.len;
	uint32_t *stack = cp_xcalloc(n, sizeof(*stack));

	cp_profile_init(&x->made);
	x->profile = &x->made;
	add_event(&g, s->tree.compared ? "after" : s->slug);
	if (s->tree.compared)
		add_event(&g, "before");
	for (size_t i = 0; i < n; i++)
		add_node(&g, (uint32_t)i, stack);
	free(stack);
	cp_map64_free(&g.objects);
	cp_map64_free(&g.frames);
	cp_map64_free(&g.names);
}
