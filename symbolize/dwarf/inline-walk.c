/* SPDX-License-Identifier: MIT */
/*
 * Walks the DIEs of a unit once for all its requested addresses.
 *
 * Subtrees without such an address are skipped: by DW_AT_sibling if they have
 * it, else DIE by DIE with the compiled abbreviations.
 */
#include "symbolize/dwarf/internal.h"

struct walk {
	struct dw_walk *w;
	struct dw_unit *unit;
	const struct dw_abbrevs *abbrevs;
	struct cp_bytes b;
	const uint8_t *section; /* start of the section, the base of offsets */
	bool all;
};

/* Index of the first address >= addr. */
static size_t
lower_bound(const struct dw_walk *w, uint64_t addr)
{
	size_t lo = 0, hi = w->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->addr[mid] < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t
open_node(const struct dw_walk *w)
{
	return w->open.data[w->open.len - 1];
}

/*
 * Assigns the addresses in a range to a node, which is made for the first one.
 * A function claims addresses without a node, an inlined function those of the
 * node that contains it.
 */
static void
claim(struct walk *k, uint64_t lo, uint64_t hi, uint64_t die, bool inlined,
    uint32_t *node)
{
	struct dw_walk *w = k->w;
	uint32_t parent = inlined ? open_node(w) : 0;
	uint32_t depth = parent != 0 ? w->nodes.data[parent - 1].depth + 1 : 0;
	size_t from = lower_bound(w, lo), i;

	/*
	 * Deeper ones are left out: the address stays with the outer function.
	 */
	if (depth > CP_MAX_INLINED) {
		k->unit->file->dwarf->too_deep = true;
		return;
	}
	for (i = from; i < w->n && w->addr[i] < hi; i++) {
		if (w->leaf[i] != parent)
			continue;
		if (*node == 0) {
			*cp_vec_push(&w->nodes) =
			    (struct dw_node){ .die = { k->unit, die },
				    .parent = parent,
				    .depth = depth };
			*node = (uint32_t)w->nodes.len;
		}
		w->left -= parent == 0;
		w->leaf[i] = *node;
	}
	/* Charges the budget: any number of DIEs may claim all addresses. */
	if (!dw_spend(k->unit->file->dwarf, i - from))
		k->b.failed = true;
}

static bool
touches(const struct dw_walk *w, uint64_t lo, uint64_t hi)
{
	size_t i;

	if (hi <= w->addr[0] || lo > w->addr[w->n - 1])
		return false;
	i = lower_bound(w, lo);
	return i < w->n && w->addr[i] < hi;
}

/* Finds the ranges of a DIE.  A single range needs no list. */
static size_t
ranges_of(struct walk *k, const struct dw_extent *e, struct dw_range *one,
    const struct dw_range **out)
{
	dw_ranges *scratch = &k->unit->file->dwarf->scratch;

	if (e->has_ranges) {
		scratch->len = 0;
		if (!dw_range_list(k->unit, e->ranges_form, e->ranges, scratch))
			k->unit->file->dwarf->damaged = true;
		*out = scratch->data;
		return scratch->len;
	}
	one->lo = e->low;
	one->hi = e->high_is_size ? e->low + e->high : e->high;
	*out = one;
	return e->has_low && e->has_high &&
	       dw_range_is_real(k->unit, one->lo, one->hi);
}

/* Returns the node of a code DIE that covers a requested address, or 0. */
static uint32_t
node_of_code(struct walk *k, const struct dw_abbrev *a,
    const struct dw_extent *e, uint64_t die)
{
	struct dw_range one;
	const struct dw_range *r;
	size_t n = ranges_of(k, e, &one, &r);
	uint32_t node = 0;
	bool inlined = a->tag == DW_TAG_inlined_subroutine;

	for (size_t i = 0; i < n; i++) {
		if (!touches(k->w, r[i].lo, r[i].hi))
			continue;
		if (!inlined && a->tag != DW_TAG_subprogram)
			return open_node(k->w);
		if (inlined && open_node(k->w) == 0)
			return 0;
		claim(k, r[i].lo, r[i].hi, die, inlined, &node);
	}
	return node;
}

/* Skips to the DIE after all children.  The cursor is at the first child. */
static void
skip_children(struct walk *k, uint64_t sibling)
{
	struct cp_bytes *b = &k->b;
	uint64_t depth = 1, here = (uint64_t)(b->at - k->section);

	while (!b->failed) {
		const struct dw_abbrev *a;
		struct dw_extent e = { 0 };
		uint64_t code;

		/* Only forward, so that the walk ends. */
		if (sibling >= here && sibling <= k->unit->end) {
			b->at = k->section + sibling;
			depth--;
		}
		while (depth > 0 && b->at < b->end && *b->at == 0) {
			b->at++;
			depth--;
		}
		if (depth == 0 || b->at >= b->end)
			return;
		code = cp_bytes_uleb(b);
		a = dw_abbrev(k->abbrevs, code);
		if (a == NULL) {
			b->failed = true;
			return;
		}
		dw_pass(b, k->unit, k->abbrevs, a, &e);
		sibling = 0;
		if (a->children) {
			depth++;
			sibling = a->has_sibling ? e.sibling : 0;
			here = (uint64_t)(b->at - k->section);
		}
	}
}

static void
descend(struct walk *k, uint32_t node)
{
	if (k->w->open.len >= CP_MAX_DIE_DEPTH)
		k->b.failed = true;
	else
		*cp_vec_push(&k->w->open) = node;
}

/* Skips a subtree that is not needed, if a sibling attribute gives its end. */
static bool
jump_over(struct walk *k, const struct dw_abbrev *a, uint64_t die)
{
	const uint8_t *at = k->b.at;
	uint64_t to;

	if (a->sibling_at == 0 || a->action == DW_CODE ||
	    a->action == DW_BLOCK || (k->all && a->action != DW_SHUT) ||
	    a->sibling_at + 3 > k->b.end - at)
		return false;
	at += a->sibling_at - 1;
	to = k->unit->start + cp_load32(at, k->b.swap);
	/* Only forward, so that the walk ends. */
	if (to < (uint64_t)(at + 4 - k->section) || to > k->unit->end)
		return false;
	if (!k->all && k->w->open.len == 1)
		*cp_vec_push(&k->unit->tops) = die;
	k->b.at = k->section + to;
	return true;
}

static void
visit(struct walk *k, const struct dw_abbrev *a, uint64_t die)
{
	struct dw_extent e = { 0 };
	uint32_t node = open_node(k->w);
	bool look = k->all;

	if (jump_over(k, a, die))
		return;
	dw_pass(&k->b, k->unit, k->abbrevs, a, &e);
	switch ((enum dw_action)a->action) {
	case DW_LEAF: return;
	case DW_SHUT: look = false; break;
	case DW_TREE: break;
	/* Skips a namespace with a sibling: GCC defines functions outside. */
	case DW_SCOPE: look |= !a->has_sibling; break;
	case DW_BLOCK: look = true; break;
	case DW_CODE:
		node = k->b.failed ? 0 : node_of_code(k, a, &e, die);
		/* An inlined function has no types, so no member functions. */
		look &= a->tag != DW_TAG_inlined_subroutine;
		look |= node != 0;
		break;
	}
	if (!a->children)
		return;
	if (!k->all && k->w->open.len == 1)
		*cp_vec_push(&k->unit->tops) = die;
	if (look)
		descend(k, node);
	else
		skip_children(k, a->has_sibling ? e.sibling : 0);
}

/*
 * Skips childless DIEs of fixed size, which are many.  Stops before the unit's
 * end, so that no read passes it.
 */
static void
pass_leaves(struct walk *k)
{
	const uint8_t *sizes = k->abbrevs->leaves.data, *at = k->b.at;
	const size_t n = k->abbrevs->leaves.len;
	const ptrdiff_t most = 2 + UINT8_MAX;

	while (k->b.end - at > most) {
		size_t code = *at;
		unsigned bytes = 1;

		if (code >= 0x80) {
			if (at[1] >= 0x80)
				break;
			code = (code & 0x7f) | (size_t)at[1] << 7;
			bytes = 2;
		}
		if (code - 1 >= n || sizes[code - 1] == 0)
			break;
		at += bytes + sizes[code - 1] - 1;
	}
	k->b.at = at;
}

/* Zeros end DIEs.  After the last one, a unit has zeros at most. */
static bool
ends_early(const struct walk *k)
{
	return k->w->open.len == 0 &&
	       !cp_is_zero(k->b.at, cp_bytes_left(&k->b));
}

void
dw_walk_unit(struct dw_walk *w, struct dw_unit *u, bool all)
{
	struct walk k = { .w = w, .unit = u, .all = all };
	struct dw_extent e = { 0 };
	const struct dw_abbrev *a;

	k.abbrevs = dw_abbrevs_of(u);
	if (k.abbrevs == NULL || w->n == 0)
		return;
	k.b = dw_unit_bytes(u, u->die);
	k.section = dw_section(u->file, (enum dw_section)u->section).at;
	a = dw_abbrev(k.abbrevs, cp_bytes_uleb(&k.b));
	if (a == NULL || !a->children ||
	    !dw_spend(u->file->dwarf, u->end - u->die))
		return;
	dw_pass(&k.b, u, k.abbrevs, a, &e);
	w->open.len = 0;
	if (!all)
		u->tops.len = 0;
	descend(&k, 0);
	/*
	 * After the last address is found, the enclosing DIEs are read to their
	 * end.
	 */
	while (!k.b.failed && k.b.at < k.b.end && w->open.len != 0 &&
	       (w->open.len > 1 || w->left != 0)) {
		uint64_t code, die;

		pass_leaves(&k);
		die = (uint64_t)(k.b.at - k.section);
		code = cp_bytes_uleb(&k.b);
		if (code == 0) {
			w->open.len--;
			continue;
		}
		a = dw_abbrev(k.abbrevs, code);
		if (a == NULL) {
			k.b.failed = true;
			break;
		}
		visit(&k, a, die);
	}
	if (k.b.failed || ends_early(&k))
		u->file->dwarf->damaged = true;
}
