/* SPDX-License-Identifier: MIT */
/*
 * .gnu_debugdata: an xz-compressed ELF file with symbols that stripping
 * removed.  Memory and size are bounded.
 */
#include <lzma.h>

#include "base/limits.h"
#include "base/mem.h"
#include "symbolize/elf/symbols.h"

/* Twice what xz -9 needs. */
#define DECODER_MEMORY ((uint64_t)128 << 20)

static bool
grow(struct cp_content *c, size_t *cap, uint8_t **data)
{
	if (c->size < *cap)
		return true;
	if (*cap >= CP_MAX_SECTION ||
	    !cp_inflated_claim(&c->inflated, *cap * 2))
		return false;
	*cap *= 2;
	*data = cp_xrealloc(*data, *cap, 1);
	return true;
}

static bool
inflate(struct cp_bytes in, struct cp_content *out, bool *over)
{
	lzma_stream z = LZMA_STREAM_INIT;
	size_t cap = (size_t)1 << 20;
	uint8_t *data = cp_xmalloc(cap);
	lzma_ret r = lzma_stream_decoder(&z, DECODER_MEMORY, 0);

	*out =
	    (struct cp_content){ .inflated = { .from = cp_bytes_left(&in) } };
	z.next_in = in.at;
	z.avail_in = cp_bytes_left(&in);
	while (r == LZMA_OK && grow(out, &cap, &data)) {
		z.next_out = data + out->size;
		z.avail_out = cap - out->size;
		r = lzma_code(&z, LZMA_FINISH);
		out->size = cap - z.avail_out;
	}
	lzma_end(&z);
	*over = r == LZMA_OK && out->size == cap;
	out->data = data;
	if (r != LZMA_STREAM_END)
		cp_content_free(out);
	return r == LZMA_STREAM_END;
}

bool
cp_elf_open_debugdata(struct cp_elf *out, const struct cp_elf *elf)
{
	const struct cp_elf_section *s = cp_elf_section(elf, ".gnu_debugdata");
	struct cp_bytes in = cp_elf_bytes(elf, s);
	struct cp_content c;
	bool over, ok;

	if (in.failed)
		return false;
	ok = inflate(in, &c, &over);
	elf->sections.data[s - elf->sections.data].over |= over;
	return ok && cp_elf_init(out, c);
}
