/* SPDX-License-Identifier: MIT */
#include "render/svg/groups.h"

#include "base/hash.h"
#include "render/svg/language.h"

_Static_assert(CP_LANGUAGES <= CP_PALETTE_OBJECTS, "a hue for each");

struct object {
	const char *name;
	uint64_t self;
};

struct objects {
	struct cp_map64 by_hash; /* hash of the name -> number + 1 */
	CP_VEC(struct object) all;
};

static void
add_node(struct objects *o, const struct cp_tree_node *n)
{
	uint32_t *slot;

	if (n->kind == CP_KIND_NONE || *n->detail == '\0')
		return;
	slot = cp_map64_put(
	    &o->by_hash, cp_hash_bytes(n->detail, strlen(n->detail)));
	if (*slot == 0) {
		*cp_vec_push(&o->all) = (struct object){ n->detail, 0 };
		*slot = (uint32_t)o->all.len;
	}
	o->all.data[*slot - 1].self += n->self;
}

static int
by_weight(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* An object has the hue of its name, or the next one that is free. */
static void
give_hue(struct cp_svg_groups *g, const char *name)
{
	size_t at = cp_palette_hash(name) % CP_PALETTE_OBJECTS;

	while (g->object[at] != NULL)
		at = (at + 1) % CP_PALETTE_OBJECTS;
	g->object[at] = name;
}

void
cp_svg_groups_init(
    struct cp_svg_groups *g, const struct cp_flame *f, const char *palette)
{
	struct objects o = { 0 };

	*g = (struct cp_svg_groups){ .by = cp_palette_hues(palette) };
	if (g->by != CP_HUES_OBJECT)
		return;
	for (size_t i = 0; i < f->tree->nodes.len; i++)
		add_node(&o, &f->tree->nodes.data[i]);
	if (o.all.len != 0)
		qsort(o.all.data, o.all.len, sizeof(o.all.data[0]), by_weight);
	for (size_t i = 0; i < o.all.len && i < CP_PALETTE_OBJECTS; i++)
		give_hue(g, o.all.data[i].name);
	cp_map64_free(&o.by_hash);
	cp_vec_free(&o.all);
}

size_t
cp_svg_group(const struct cp_svg_groups *g, const struct cp_tree_node *n)
{
	if (g->by == CP_HUES_LANGUAGE) {
		enum cp_language language =
		    cp_language_of(n->name, (enum cp_kind)n->kind);

		return language != CP_LANGUAGE_NONE
			   ? CP_PALETTE_KINDS + language
			   : n->kind;
	}
	if (g->by <= CP_HUES_KIND || n->kind == CP_KIND_NONE)
		return n->kind;
	for (size_t i = 0; i < CP_PALETTE_OBJECTS; i++)
		if (g->object[i] != NULL &&
		    strcmp(g->object[i], n->detail) == 0)
			return CP_PALETTE_KINDS + i;
	return CP_KIND_UNKNOWN;
}

void
cp_svg_group_label(
    const struct cp_svg_groups *g, size_t group, struct cp_buf *b)
{
	if (group >= CP_PALETTE_KINDS && g->by == CP_HUES_LANGUAGE)
		cp_buf_str(b, cp_language_label((enum cp_language)(
				  group - CP_PALETTE_KINDS)));
	else if (group >= CP_PALETTE_KINDS)
		cp_buf_str(b, g->object[group - CP_PALETTE_KINDS]);
	else if (g->by == CP_HUES_OBJECT && group == CP_KIND_UNKNOWN)
		cp_buf_str(b, "other objects");
	else
		cp_buf_str(b, cp_palette_label((enum cp_kind)group));
}
