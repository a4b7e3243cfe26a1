/* SPDX-License-Identifier: MIT */
#include "symbolize/dwarf/dwarf.h"

#include "base/elf.h"
#include "symbolize/dwarf/internal.h"

/* Limit of one look-up, as a multiple of the file's size; 2 is usual. */
#define BUDGET_FACTOR 32
#define BUDGET_LEAST (UINT64_C(1) << 26)

static uint64_t
budget_of(const struct cp_elf *elf)
{
	uint64_t n = elf->content.size;

	for (size_t i = 0; i < elf->sections.len; i++)
		n += CP_MIN(elf->sections.data[i].size, CP_MAX_SECTION);
	return n * BUDGET_FACTOR + BUDGET_LEAST;
}

struct cp_dwarf *
cp_dwarf_open(const struct cp_elf *elf, const struct cp_dwarf_files *files)
{
	struct cp_dwarf *d;

	if (!cp_elf_has_data(elf, ".debug_info") ||
	    !cp_elf_has_data(elf, ".debug_abbrev"))
		return NULL;
	d = cp_xcalloc(1, sizeof(*d));
	dw_file_init(&d->main, d, elf);
	if (files != NULL)
		d->files = *files;
	d->relocatable = elf->type == ET_REL;
	d->allowed = budget_of(elf);
	return d;
}

static void
file_free(struct dw_file *f)
{
	for (size_t i = 0; i < f->tables.len; i++)
		dw_abbrevs_free(f->tables.data[i]);
	cp_vec_free(&f->tables);
	cp_vec_free(&f->units);
	cp_map64_free(&f->abbrevs);
	cp_elf_free(&f->own);
}

void
cp_dwarf_free(struct cp_dwarf *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->main.units.len; i++)
		dw_lines_drop(d->main.units.data[i]);
	for (size_t i = 0; i < d->others.len; i++)
		file_free(d->others.data[i]);
	file_free(&d->main);
	cp_vec_free(&d->others);
	cp_vec_free(&d->index);
	cp_vec_free(&d->scratch);
	cp_vec_free(&d->type_units);
	cp_map64_free(&d->types);
	cp_map64_free(&d->md5_of);
	cp_vec_free(&d->md5s);
	cp_strings_free(&d->roots);
	cp_map64_free(&d->names);
	cp_strings_free(&d->strings);
	cp_arena_free(&d->arena);
	free(d);
}

bool
cp_dwarf_complete(const struct cp_dwarf *d)
{
	return !d->incomplete && !d->damaged && cp_dwarf_limit(d) == NULL;
}

bool
cp_dwarf_damaged(const struct cp_dwarf *d)
{
	return d->damaged && d->budget != 0;
}

const char *
cp_dwarf_missing(const struct cp_dwarf *d)
{
	return d->missing;
}

const char *
cp_dwarf_limit(const struct cp_dwarf *d)
{
	if (d->budget == 0)
		return "debug information asks for more work than its size "
		       "justifies";
	for (size_t i = 0; i < d->others.len; i++) {
		const char *limit = cp_elf_limit(d->others.data[i]->elf);

		if (limit != NULL)
			return limit;
	}
	return d->too_deep ? "CP_MAX_INLINED" : NULL;
}

const char *
cp_dwarf_string(const struct cp_dwarf *d, cp_string_id id)
{
	return cp_strings_get(&d->strings, id);
}

void
cp_dwarf_splits(struct cp_dwarf *d, cp_dwarf_split_fn each, void *ctx)
{
	dw_split_each(d, each, ctx);
}

const struct cp_strings *
cp_dwarf_roots(const struct cp_dwarf *d)
{
	return &d->roots;
}

const uint8_t *
cp_dwarf_md5(const struct cp_dwarf *d, cp_string_id file)
{
	uint32_t at = cp_map64_get(&d->md5_of, file);

	return at != 0 ? d->md5s.data[at - 1].sum : NULL;
}

/* The addresses in one unit, and their results. */
struct batch {
	struct cp_dwarf *d;
	struct dw_unit *unit; /* has the line table */
	struct dw_walk walk;
	uint64_t *addr;
	uint32_t *place; /* index of each address in the request */
	struct dw_row *rows;
	size_t cap;
	/* per address: index + 1 of the unit's next one */
	const uint32_t *next;
	struct cp_dwarf_result *result;
	struct cp_dwarf_place *out;
};

static void
batch_reserve(struct batch *b, size_t n)
{
	if (n <= b->cap)
		return;
	b->cap = n + n / 2;
	b->addr = cp_xrealloc(b->addr, b->cap, sizeof(*b->addr));
	b->place = cp_xrealloc(b->place, b->cap, sizeof(*b->place));
	b->rows = cp_xrealloc(b->rows, b->cap, sizeof(*b->rows));
	b->walk.leaf = cp_xrealloc(b->walk.leaf, b->cap, sizeof(*b->walk.leaf));
}

static size_t
gather(struct batch *b, const uint64_t *addr)
{
	size_t n = 0;

	for (uint32_t i = b->unit->first; i != 0; i = b->next[i - 1]) {
		batch_reserve(b, n + 1);
		b->place[n] = i - 1;
		b->addr[n] = addr[i - 1];
		b->walk.leaf[n++] = 0;
	}
	b->walk.addr = b->addr;
	b->walk.n = b->walk.left = n;
	b->walk.nodes.len = 0;
	return n;
}

/* Fills in a function's name and its call site. */
static void
describe(struct batch *b, struct dw_node *node)
{
	struct dw_unit *u = node->die.unit;
	const struct dw_abbrevs *t = dw_abbrevs_of(u);
	struct cp_bytes in = dw_unit_bytes(u, node->die.at);
	const struct dw_abbrev *a = dw_abbrev(t, cp_bytes_uleb(&in));

	if (node->known)
		return;
	node->known = true;
	node->name = dw_name_of(b->d, node->die);
	for (unsigned i = 0; a != NULL && i < a->specs && !in.failed; i++) {
		const struct dw_spec *s = &t->specs.data[a->spec + i];
		struct dw_value v = dw_form_read(&in, s, u);

		switch (s->name) {
		case DW_AT_call_file:
			node->call_file = dw_lines_file(b->unit, v.u);
			break;
		case DW_AT_call_line: node->call_line = (uint32_t)v.u; break;
		case DW_AT_call_column:
			node->call_column = (uint32_t)v.u;
			break;
		}
	}
}

/* Writes the frames of one address, from the innermost at the end backwards. */
static void
write_frames(struct batch *b, size_t i)
{
	struct cp_dwarf_place *place = &b->out[b->place[i]];
	const struct dw_row *row = &b->rows[i];
	struct cp_dwarf_frame at = { .line = row->line, .column = row->column };
	uint32_t depth = 0, leaf = b->walk.leaf[i];

	if (row->found)
		at.file = dw_lines_file(b->unit, row->file);
	for (uint32_t n = leaf; n != 0; n = b->walk.nodes.data[n - 1].parent)
		depth++;
	if (depth == 0 && !row->found)
		return;
	place->first = (uint32_t)b->result->frames.len;
	place->n = CP_MAX(depth, 1);
	cp_vec_reserve(&b->result->frames, place->first + place->n);
	b->result->frames.len = place->first + place->n;
	if (depth == 0)
		b->result->frames.data[place->first] = at;
	for (uint32_t n = leaf; n != 0;) {
		struct dw_node *node = &b->walk.nodes.data[n - 1];

		describe(b, node);
		at.name = node->name.text;
		at.linkage = node->name.linkage;
		b->result->frames.data[place->first + --depth] = at;
		at = (struct cp_dwarf_frame){ .file = node->call_file,
			.line = node->call_line,
			.column = node->call_column };
		n = node->parent;
	}
}

static void
look_up_unit(struct batch *b, const uint64_t *addr)
{
	size_t n = gather(b, addr);
	struct dw_unit *full = dw_unit_full(b->unit);

	dw_walk_unit(&b->walk, full, false);
	if (b->walk.left != 0)
		dw_walk_unit(&b->walk, full, true);
	dw_lines_rows(b->unit, b->addr, n, b->rows);
	for (size_t i = 0; i < n; i++)
		write_frames(b, i);
	dw_lines_drop(b->unit);
	cp_vec_free(&full->tops);
}

void
cp_dwarf_lookup(struct cp_dwarf *d, const uint64_t *addr, size_t n,
    struct cp_dwarf_result *result, struct cp_dwarf_place *out)
{
	CP_VEC(struct dw_unit *) hit = { 0 };
	struct batch b = { .d = d, .result = result, .out = out };
	uint32_t *next = cp_xcalloc(n != 0 ? n : 1, sizeof(*next));
	size_t hint = 0;

	d->budget = d->allowed;
	d->too_deep = false;
	dw_index_build(d);
	memset(out, 0, n * sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		struct dw_unit *u = dw_index_find(d, addr[i], &hint);

		if (u == NULL || !dw_unit_open(u))
			continue;
		if (u->first == 0) {
			*cp_vec_push(&hit) = u;
			u->first = (uint32_t)i + 1;
		} else {
			next[u->last - 1] = (uint32_t)i + 1;
		}
		u->last = (uint32_t)i + 1;
	}
	b.next = next;
	for (size_t i = 0; i < hit.len; i++) {
		b.unit = hit.data[i];
		if (!d->alone || !d->incomplete)
			look_up_unit(&b, addr);
		b.unit->first = b.unit->last = 0;
	}
	free(b.addr);
	free(b.place);
	free(b.rows);
	free(b.walk.leaf);
	cp_vec_free(&b.walk.nodes);
	cp_vec_free(&b.walk.open);
	cp_vec_free(&hit);
	free(next);
}
