/* SPDX-License-Identifier: MIT */
/*
 * Names of functions.
 *
 * DW_AT_abstract_origin and DW_AT_specification lead from a code DIE to the DIE
 * with the name.  The linkage name is preferred.  A function without one (a
 * lambda's, or of a local class) gets its scopes as prefix.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/dwarf/internal.h"

#define LINKAGE_BIT (UINT32_C(1) << 31)

struct names {
	const char *linkage, *plain;
	struct dw_value next; /* reference to the DIE with more attributes */
	struct dw_value signature;
	uint16_t tag;
	bool empty; /* a name is an empty string */
};

static const char *
read_name(struct dw_die die, const struct dw_value *v, struct names *n)
{
	const char *name = dw_value_string(die.unit, v);

	if (name == NULL || name[0] != '\0')
		return name;
	n->empty = true;
	return NULL;
}

static bool
read_names(struct dw_die die, struct names *n)
{
	const struct dw_abbrevs *t = dw_abbrevs_of(die.unit);
	const struct dw_abbrev *a;
	struct cp_bytes b;

	*n = (struct names){ 0 };
	if (t == NULL || !dw_unit_open(die.unit))
		return false;
	b = dw_unit_bytes(die.unit, die.at);
	a = dw_abbrev(t, cp_bytes_uleb(&b));
	for (unsigned i = 0; a != NULL && i < a->specs && !b.failed; i++) {
		const struct dw_spec *s = &t->specs.data[a->spec + i];
		struct dw_value v = dw_form_read(&b, s, die.unit);

		switch (s->name) {
		case DW_AT_name: n->plain = read_name(die, &v, n); break;
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name:
			n->linkage = read_name(die, &v, n);
			break;
		case DW_AT_specification:
		case DW_AT_abstract_origin: n->next = v; break;
		case DW_AT_signature: n->signature = v; break;
		}
	}
	n->tag = a != NULL ? a->tag : 0;
	return a != NULL && !b.failed;
}

/* True if names in this language are unique without scopes. */
static bool
is_flat(const struct dw_unit *u)
{
	switch (u->language) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_Mips_Assembler: return true;
	default: return false;
	}
}

/* -------------------------------------------------------------- scopes */

struct path {
	struct dw_unit *unit;
	const struct dw_abbrevs *t;
	/* offsets of enclosing DIEs, outermost first */
	uint64_t at[CP_MAX_SCOPES];
	size_t n;
};

/* Skips a DIE and its children.  Returns the offset after it. */
static void
skip_tree(struct path *p, struct cp_bytes *b, const uint8_t *section,
    const struct dw_abbrev *a, const struct dw_extent *e)
{
	uint64_t depth = a->children;

	if (a->has_sibling && e->sibling <= p->unit->end &&
	    e->sibling > (uint64_t)(b->at - section)) {
		b->at = section + e->sibling;
		return;
	}
	while (depth > 0 && !b->failed) {
		struct dw_extent inner = { 0 };
		uint64_t code = cp_bytes_uleb(b);
		const struct dw_abbrev *in = dw_abbrev(p->t, code);

		if (code == 0) {
			depth--;
			continue;
		}
		if (in == NULL) {
			b->failed = true;
			return;
		}
		dw_pass(b, p->unit, p->t, in, &inner);
		depth += in->children;
	}
}

/* Where to start: the last top-level DIE before target that a walk recorded. */
static uint64_t
nearest_top(const struct dw_unit *u, uint64_t target)
{
	size_t lo = 0, hi = u->tops.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->tops.data[mid] <= target)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo != 0 ? u->tops.data[lo - 1] : u->die;
}

/* Finds the DIEs that enclose target. */
static void
find_path(struct path *p, uint64_t target)
{
	uint64_t from = nearest_top(p->unit, target);
	struct cp_bytes b = dw_unit_bytes(p->unit, from);
	const uint8_t *section =
	    dw_section(p->unit->file, (enum dw_section)p->unit->section).at;

	if (!dw_spend(p->unit->file->dwarf, (target - from) / 16))
		return;
	while (!b.failed && b.at < section + target) {
		uint64_t at = (uint64_t)(b.at - section);
		const struct dw_abbrev *a = dw_abbrev(p->t, cp_bytes_uleb(&b));
		struct dw_extent e = { 0 };
		struct cp_bytes inside;

		if (a == NULL)
			continue; /* end of an empty list of children */
		dw_pass(&b, p->unit, p->t, a, &e);
		if (!a->children)
			continue;
		inside = b;
		skip_tree(p, &b, section, a, &e);
		if (b.at <= section + target && !b.failed)
			continue;
		if (p->n == CP_MAX_SCOPES)
			return;
		p->at[p->n++] = at;
		b = inside;
	}
}

static bool
is_scope(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
	case DW_TAG_subprogram: return true;
	default: return false;
	}
}

/* Returns the DW_AT_name of a DIE, following references. */
static const char *
plain_name(struct dw_die die, uint16_t *tag)
{
	struct names n;

	*tag = 0;
	for (unsigned hops = 0; hops < CP_MAX_NAME_HOPS; hops++) {
		if (!read_names(die, &n))
			return NULL;
		*tag = *tag == 0 ? n.tag : *tag;
		if (n.plain != NULL)
			return n.plain;
		if (!dw_value_die(die.unit, &n.next, &die) &&
		    !dw_value_die(die.unit, &n.signature, &die))
			return NULL;
	}
	return NULL;
}

static void
add_scope(struct cp_buf *b, struct dw_die die, const char *inner)
{
	uint16_t tag;
	const char *name = plain_name(die, &tag);

	if (!is_scope(tag))
		return;
	if (name == NULL && tag == DW_TAG_namespace)
		name = "(anonymous namespace)";
	else if (name == NULL) /* gcc gives closures none */
		name = inner != NULL && strcmp(inner, "operator()") == 0
			   ? "{lambda}"
			   : "{unnamed}";
	cp_buf_str(b, name);
	cp_buf_str(b, tag == DW_TAG_subprogram ? "()::" : "::");
}

/* Returns the name of the entry in scope i of a path; last: the innermost. */
static const char *
inside(const struct path *p, size_t i, const char *last)
{
	uint16_t tag;

	return i + 1 == p->n
		   ? last
		   : plain_name((struct dw_die){ p->unit, p->at[i + 1] }, &tag);
}

/* Writes the enclosing scopes, but not functions among them. */
static void
add_outer(struct cp_buf *b, struct dw_die die, const char *inner)
{
	struct path p = { .unit = die.unit, .t = dw_abbrevs_of(die.unit) };

	if (p.t != NULL)
		find_path(&p, die.at);
	for (size_t i = 0; i < p.n; i++)
		add_scope(b, (struct dw_die){ die.unit, p.at[i] },
		    inside(&p, i, inner));
}

/* Writes the scopes of the declaration: a definition may be elsewhere. */
static void
add_declared(struct cp_buf *b, struct dw_die die)
{
	struct names n;
	struct dw_die to;
	uint16_t tag;

	if (!read_names(die, &n) || n.tag != DW_TAG_subprogram ||
	    !dw_value_die(die.unit, &n.next, &to))
		return;
	cp_buf_reset(b);
	add_outer(b, to, plain_name(to, &tag));
}

static cp_string_id
qualified(struct cp_dwarf *d, struct dw_die die, const char *name)
{
	struct path p = { .unit = die.unit, .t = dw_abbrevs_of(die.unit) };
	struct cp_buf b;
	cp_string_id id;

	cp_buf_init(&b, CP_MAX_DEMANGLED);
	if (p.t != NULL && !is_flat(die.unit))
		find_path(&p, die.at);
	for (size_t i = 0; i < p.n; i++) {
		add_declared(&b, (struct dw_die){ die.unit, p.at[i] });
		add_scope(&b, (struct dw_die){ die.unit, p.at[i] },
		    inside(&p, i, name));
	}
	cp_buf_str(&b, name);
	id = dw_keep(d, cp_buf_text(&b));
	cp_buf_free(&b);
	return id;
}

/* ---------------------------------------------------------------- names */

static uint64_t
key_of(struct dw_die die)
{
	/* Readable sections have no offsets beyond 2^47. */
	return (uint64_t)die.unit->file->number << 48 |
	       (uint64_t)(die.unit->section == DW_TYPES) << 47 | die.at;
}

static struct dw_name
search(struct cp_dwarf *d, struct dw_die die)
{
	struct names n;
	struct dw_die named = die;
	const char *plain = NULL;
	struct dw_name out = { 0 };

	for (unsigned hops = 0; hops < CP_MAX_NAME_HOPS; hops++) {
		if (!read_names(die, &n) || n.linkage != NULL)
			break;
		/* No function has an empty name: the strings are zeros. */
		d->damaged |= n.empty;
		/*
		 * The last DIE with a name is in the scope of its declaration.
		 */
		if (n.plain != NULL || plain == NULL)
			named = die;
		if (n.plain != NULL)
			plain = n.plain;
		if (!dw_value_die(die.unit, &n.next, &die))
			break;
	}
	if (n.linkage != NULL) {
		out.text = dw_keep(d, n.linkage);
		out.linkage = true;
	} else if (plain != NULL) {
		out.text = qualified(d, named, plain);
		out.linkage = is_flat(named.unit);
	}
	return out;
}

struct dw_name
dw_name_of(struct cp_dwarf *d, struct dw_die die)
{
	struct names n;
	struct dw_die to;
	struct dw_name name;
	uint32_t *slot;

	/* Caches by the origin: it has many inlined copies. */
	if (!read_names(die, &n))
		return (struct dw_name){ 0 };
	if (n.linkage == NULL && n.plain == NULL &&
	    dw_value_die(die.unit, &n.next, &to))
		die = to;
	slot = cp_map64_put(&d->names, key_of(die));
	if (*slot != 0)
		return (struct dw_name){ (*slot & ~LINKAGE_BIT) - 1,
			(*slot & LINKAGE_BIT) != 0 };
	*slot = 1;
	name = search(d, die);
	*cp_map64_put(&d->names, key_of(die)) =
	    (name.text + 1) | (name.linkage ? LINKAGE_BIT : 0);
	return name;
}
