/* SPDX-License-Identifier: MIT */
/*
 * Memory of the sampled process: the stack dump, and read-only mappings of
 * files that are available.
 */
#include "symbolize/unwind/memory.h"

#include "symbolize/unwind/objects.h"

/* Returns n bytes at an address in a mapped file; NULL: not available. */
static const uint8_t *
file_bytes(struct cp_unwind_walk *w, uint64_t at, size_t n)
{
	const struct cp_map *m = cp_aspace_find(w->in->space, at);
	const struct cp_unwind_object *o;
	uint64_t offset;

	if (m == NULL || m->end - at < n)
		return NULL;
	o = cp_walk_object(w, m->dso);
	offset = at + m->delta;
	if (o->runtime == NULL || o->blind)
		return NULL;
	for (size_t i = 0; i < o->runtime->loads.len; i++) {
		const struct cp_elf_segment *l = &o->runtime->loads.data[i];

		if (l->writable || l->hollow || offset < l->mapped ||
		    offset - l->mapped > l->size ||
		    l->size - (offset - l->mapped) < n)
			continue;
		offset += l->offset - l->mapped;
		return offset <= o->runtime->content.size &&
			       o->runtime->content.size - offset >= n
			   ? o->runtime->content.data + offset
			   : NULL;
	}
	return NULL;
}

static uint64_t
read_number(const uint8_t *p, unsigned n, bool swap)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v = v << 8 | p[big ? i : n - 1 - i];
	return v;
}

bool
cp_walk_read(void *walk, uint64_t at, unsigned n, uint64_t *value)
{
	struct cp_unwind_walk *w = walk;
	uint64_t offset = at - w->base;
	const uint8_t *p = NULL;

	if (offset <= w->last + w->arch->word - n && n <= w->arch->word)
		p = w->stack + offset;
	else
		p = file_bytes(w, at, n);
	if (p == NULL)
		return false;
	*value = read_number(p, n, w->swap);
	return true;
}

bool
cp_walk_code(struct cp_unwind_walk *w, uint64_t pc, uint8_t *out, size_t n)
{
	const uint8_t *p = file_bytes(w, pc, n);

	if (p != NULL)
		memcpy(out, p, n);
	return p != NULL;
}
