/* SPDX-License-Identifier: MIT */
#include "symbolize/bounds/bounds.h"

#include "base/buf.h"
#include "symbolize/cfi/arm-exidx.h"
#include "symbolize/cfi/cfi.h"
#include "symbolize/cfi/fde-index.h"
#include "symbolize/object/files.h"
#include "symbolize/object/object.h"
#include "symbolize/object/snapshot.h"

/* The tables of one object. */
struct tables {
	const struct cp_elf *elf; /* NULL: no file with them */
	struct cp_cfi cfi;
	struct cp_exidx exidx;
	struct cp_map64 by_start; /* index of `functions` + 1 */
	CP_VEC(const struct cp_symbol *) functions;
};

struct cp_bounds {
	struct cp_symbols *symbols;
	CP_VEC(struct tables *) objects; /* index: id of the dso - 1 */
};

struct cp_bounds *
cp_bounds_new(struct cp_symbols *s)
{
	struct cp_bounds *b = cp_xcalloc(1, sizeof(*b));

	b->symbols = s;
	return b;
}

void
cp_bounds_free(struct cp_bounds *b)
{
	if (b == NULL)
		return;
	for (size_t i = 0; i < b->objects.len; i++) {
		struct tables *t = b->objects.data[i];

		if (t == NULL)
			continue;
		if (t->elf != NULL)
			cp_cfi_free(&t->cfi);
		cp_map64_free(&t->by_start);
		cp_vec_free(&t->functions);
		free(t);
	}
	cp_vec_free(&b->objects);
	free(b);
}

static struct tables *
tables_of(struct cp_bounds *b, const struct cp_dso_info *d)
{
	struct tables **t;

	while (b->objects.len < d->pub.id)
		*cp_vec_push(&b->objects) = NULL;
	t = &b->objects.data[d->pub.id - 1];
	if (*t != NULL)
		return *t;
	*t = cp_xcalloc(1, sizeof(**t));
	if (d->pub.kind == CP_DSO_FILE || d->pub.kind == CP_DSO_VDSO)
		(*t)->elf = cp_symbols_runtime(b->symbols, d);
	if ((*t)->elf == NULL)
		return *t;
	cp_cfi_init(&(*t)->cfi, NULL, (*t)->elf);
	cp_exidx_init(&(*t)->exidx, (*t)->elf);
	return *t;
}

/* The range of addresses in the image; false: no table has it. */
static bool
range_of(struct tables *t, uint64_t at, uint64_t *start, uint64_t *end)
{
	struct cp_cfi_fde f;

	if (!cp_cfi_find(&t->cfi, at, &f))
		return cp_exidx_range(&t->exidx, at, start, end);
	*start = f.start;
	*end = f.end;
	return true;
}

/* Makes the function whose first address in the image is `at`. */
static const struct cp_symbol *
function_new(struct cp_bounds *b, const struct cp_dso_info *d, uint64_t at,
    uint64_t first, uint64_t size)
{
	struct cp_symbols *s = b->symbols;
	struct cp_symbol *y = cp_arena_alloc(&s->arena, sizeof(*y));
	struct cp_buf name;

	cp_buf_init(&name, 8192);
	cp_buf_str(&name, cp_strings_get(s->strings, d->pub.short_name));
	cp_buf_printf(&name, "+0x%" PRIx64, at);
	y->name = y->raw =
	    cp_arena_strndup(&s->arena, cp_buf_text(&name), name.len);
	cp_buf_free(&name);
	y->start = first;
	y->end = first + size;
	y->id = ++s->last_id;
	y->dso = d->pub.id;
	y->source = CP_SOURCE_BOUNDS;
	y->trust = CP_TRUST_NONE;
	return y;
}

/* A snapshot has it as the symbol of the frame. */
static const struct cp_symbol *
recorded_function(
    struct cp_symbols *s, struct cp_object *o, size_t row, uint64_t addr)
{
	const struct cp_snapshot_frame *f =
	    cp_snapshot_frame_at(s->snapshot, row, addr);
	const struct cp_symbol *y =
	    f != NULL ? cp_object_recorded_symbol(s, o, f->symbol) : NULL;

	return y != NULL && y->source == CP_SOURCE_BOUNDS ? y : NULL;
}

const struct cp_symbol *
cp_bounds_function(
    struct cp_bounds *b, const struct cp_dso_info *d, uint64_t addr)
{
	struct cp_object *o = cp_object_of(b->symbols, d);
	size_t row = cp_object_recorded(b->symbols, o);
	struct tables *t;
	uint64_t at, start, end;
	uint32_t *i;

	if (row != 0)
		return recorded_function(b->symbols, o, row, addr);
	t = tables_of(b, d);

	if (t->elf == NULL || !cp_elf_vaddr(t->elf, addr, &at) ||
	    !range_of(t, at, &start, &end) || at - start > addr)
		return NULL;
	i = cp_map64_put(&t->by_start, start);
	if (*i == 0) {
		*cp_vec_push(&t->functions) =
		    function_new(b, d, start, addr - (at - start), end - start);
		*i = (uint32_t)t->functions.len;
	}
	return t->functions.data[*i - 1];
}
