/* SPDX-License-Identifier: MIT */
/*
 * Unwind tables of JIT code, from its jitdump.
 *
 * An unwinding record holds an .eh_frame and an .eh_frame_hdr for the function
 * that is loaded next.  Its addresses are relative to where the table would be
 * in the ELF file that perf inject makes of the function: after the code, at
 * the next multiple of 8.  The search table is not needed for one function.
 *
 * LLVM writes those of a module, the header first, which has the address that
 * the .eh_frame's addresses are relative to.
 */
#include "symbolize/unwind/jit.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "symbolize/object/text-files.h"
#include "symbolize/unwind/objects.h"

enum { HEAD = CP_JIT_TABLE_HEAD };

static bool
read_at(int fd, void *p, size_t n, uint64_t at)
{
	return at <= INT64_MAX && cp_pread(fd, p, n, (off_t)at) == (ssize_t)n;
}

/*
 * Reads the .eh_frame of the record at that offset; NULL: none.  Also sets
 * where it was in memory, if the record has that.
 */
static uint8_t *
read_table(int fd, uint64_t at, bool swap, size_t *n, uint64_t *addr)
{
	uint8_t head[HEAD], shared[CP_JIT_SHARED], *table;
	uint64_t size, hdr;

	if (!read_at(fd, head, sizeof(head), at))
		return NULL;
	size = cp_load64(head + 16, swap);
	hdr = cp_load64(head + 24, swap);
	if (cp_load32(head + 4, swap) < HEAD ||
	    size > cp_load32(head + 4, swap) - HEAD ||
	    size > CP_MAX_JIT_TABLE || hdr >= size)
		return NULL;
	*n = (size_t)(size - hdr);
	at += HEAD;
	if (hdr == sizeof(shared) && read_at(fd, shared, sizeof(shared), at) &&
	    cp_jit_is_shared(shared)) {
		*addr = cp_load64(shared + 4, swap);
		at += hdr;
	}
	table = cp_xmalloc(*n);
	if (read_at(fd, table, *n, at))
		return table;
	free(table);
	return NULL;
}

/* Keeps the dump open: opening a bundle's member means inflating it. */
static int
open_dump(struct cp_unwind_walk *w, const struct cp_dso_info *d)
{
	struct cp_unwind_object *o = cp_walk_object(w, d->pub.id);

	if (o->dump == 0)
		o->dump = d->path != NULL
			      ? cp_text_file_open(w->u->symbols, d->path)
			      : -1;
	return o->dump;
}

static struct cp_cfi *
read_load(struct cp_unwind_walk *w, int fd, const struct cp_jit_load *l)
{
	struct cp_cfi *c = cp_xcalloc(1, sizeof(*c));
	struct cp_cfi_section *eh = &c->eh;
	uint64_t addr = l->start + cp_align8(l->end - l->start);
	size_t n = 0;

	c->arch = w->arch;
	c->table.failed = true;
	c->debug[0].bytes.failed = c->debug[1].bytes.failed = true;
	eh->bytes.failed = true;
	eh->wide = w->arch->word == 8;
	if (fd >= 0)
		eh->copy = read_table(fd, l->unwinding, w->swap, &n, &addr);
	eh->addr = addr - l->start; /* the function is at 0 */
	if (eh->copy != NULL)
		eh->bytes = cp_bytes_of(eh->copy, n, w->swap);
	return c;
}

bool
cp_walk_jit(struct cp_unwind_walk *w, uint64_t pc, struct cp_walk_place *out)
{
	struct cp_jit *j = w->in->jit;

	out->load = cp_jit_search(&j, pc);
	if (out->load == NULL)
		return false;
	out->dump = j->dso;
	out->dso = j->dso->pub.id;
	out->addr = out->load->offset + (pc - out->load->start);
	return true;
}

bool
cp_walk_jit_row(struct cp_unwind_walk *w, const struct cp_walk_place *at,
    struct cp_cfi_row *row)
{
	const struct cp_jit_load *l = at->load;
	uint32_t *i;

	if (l->unwinding == 0 || cp_walk_object(w, at->dso)->given_up)
		return false;
	i = cp_map64_put(
	    &w->u->jit_by_load, cp_mix(l->offset, (uint64_t)at->dso << 32 | 1));
	if (*i == 0) {
		*cp_vec_push(&w->u->jit) =
		    read_load(w, open_dump(w, at->dump), l);
		*i = (uint32_t)w->u->jit.len;
	}
	return cp_cfi_row_at(
	    w->u->jit.data[*i - 1], at->addr - l->offset, row, &w->steps);
}

void
cp_unwind_jit_free(struct cp_unwinder *u)
{
	for (size_t i = 0; i < u->objects.len; i++)
		if (u->objects.data[i] != NULL && u->objects.data[i]->dump > 0)
			close(u->objects.data[i]->dump);
	for (size_t i = 0; i < u->jit.len; i++) {
		cp_cfi_free(u->jit.data[i]);
		free(u->jit.data[i]);
	}
	cp_vec_free(&u->jit);
	cp_map64_free(&u->jit_by_load);
}
