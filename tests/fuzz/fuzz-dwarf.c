/* SPDX-License-Identifier: MIT */
/*
 * fuzz-dwarf: debug information of an ELF file.
 *
 * Addresses from all over the ranges that the file claims are looked up, once
 * in a batch and then a few by themselves.  The file stands for its own
 * supplement, split units and package, too.
 */
#include "symbolize/dwarf/dwarf.h"
#include "symbolize/dwarf/internal.h"
#include "tests/fuzz/fuzz.h"

#define ADDRESSES 256

static volatile size_t sink; /* keeps the reads */

struct input {
	const uint8_t *data;
	size_t size;
	struct cp_elf elf;
};

static bool
again(const struct input *in, struct cp_elf *out)
{
	uint8_t *p = cp_xmalloc(in->size);

	memcpy(p, in->data, in->size);
	return cp_elf_init(
	    out, (struct cp_content){ .data = p, .size = in->size });
}

static const struct cp_elf *
find_alt(void *arg)
{
	return &((struct input *)arg)->elf;
}

static bool
open_dwo(void *arg, const char *path, unsigned n, struct cp_elf *out)
{
	sink += strlen(path);
	return n < 2 && again(arg, out);
}

static bool
open_dwp(void *arg, unsigned n, struct cp_elf *out)
{
	return n < 2 && again(arg, out);
}

static int
ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t
choose(struct cp_dwarf *d, uint64_t *addr)
{
	size_t n = 0, ranges, each;

	dw_index_build(d);
	ranges = CP_MIN(d->index.len, ADDRESSES);
	each = ranges != 0 ? ADDRESSES / ranges : 0;
	for (size_t i = 0; i < ranges; i++) {
		const struct dw_range *r = &d->index.data[i];
		uint64_t step = (r->hi - r->lo) / each + 1;

		for (size_t k = 0; k < each; k++)
			addr[n++] = r->lo + k * step;
	}
	qsort(addr, n, sizeof(*addr), ascending);
	return n;
}

static void
check(const struct cp_dwarf *d, const struct cp_dwarf_result *r,
    const struct cp_dwarf_place *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < p[i].n; k++) {
			const struct cp_dwarf_frame *f =
			    &r->frames.data[p[i].first + k];

			sink += strlen(cp_dwarf_string(d, f->name));
			sink += strlen(cp_dwarf_string(d, f->file));
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .size = size };
	const struct cp_dwarf_files files = {
		.arg = &in, .alt = find_alt, .dwo = open_dwo, .dwp = open_dwp
	};
	struct cp_dwarf_result r = { 0 };
	struct cp_dwarf_place place[ADDRESSES];
	uint64_t addr[ADDRESSES];
	struct cp_dwarf *d;
	size_t n;

	if (size == 0 || !again(&in, &in.elf))
		return 0;
	d = cp_dwarf_open(&in.elf, &files);
	if (d != NULL) {
		n = choose(d, addr);
		cp_dwarf_lookup(d, addr, n, &r, place);
		check(d, &r, place, n);
		for (size_t i = 0; i < n; i += 64) {
			cp_dwarf_lookup(d, addr + i, 1, &r, place);
			check(d, &r, place, 1);
		}
	}
	cp_dwarf_free(d);
	cp_vec_free(&r.frames);
	cp_elf_free(&in.elf);
	return 0;
}
