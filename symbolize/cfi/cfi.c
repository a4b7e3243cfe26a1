/* SPDX-License-Identifier: MIT */
#include "symbolize/cfi/cfi.h"

#include "symbolize/cfi/fde-index.h"
#include "symbolize/cfi/fde.h"
#include "symbolize/elf/section-data.h"

/* Copies inflated bytes, which others may release. */
static void
keep_bytes(struct cp_cfi_section *s, const struct cp_elf *elf)
{
	const uint8_t *image = elf->content.data;
	size_t n = cp_bytes_left(&s->bytes);

	if (s->bytes.failed || n == 0 ||
	    (s->bytes.at >= image && s->bytes.at < image + elf->content.size))
		return;
	s->copy = cp_xmalloc(n);
	memcpy(s->copy, s->bytes.at, n);
	s->bytes = cp_bytes_of(s->copy, n, s->bytes.swap);
}

static uint64_t
section_addr(const struct cp_elf *elf, const char *name)
{
	const struct cp_elf_section *s = cp_elf_section(elf, name);

	return s != NULL ? s->addr : 0;
}

static void
section_init(struct cp_cfi_section *s, const struct cp_elf *elf,
    const char *name, bool debug)
{
	*s = (struct cp_cfi_section){ .debug = debug, .wide = elf->wide };
	s->bytes = cp_elf_data_of(elf, name);
	s->addr = section_addr(elf, name);
	s->text = section_addr(elf, ".text");
	s->data = section_addr(elf, ".got");
	keep_bytes(s, elf);
}

void
cp_cfi_init(
    struct cp_cfi *c, const struct cp_arch *arch, const struct cp_elf *runtime)
{
	*c = (struct cp_cfi){ .arch = arch, .table = { .failed = true } };
	section_init(&c->eh, runtime, ".eh_frame", false);
	section_init(&c->debug[0], runtime, ".debug_frame", true);
	c->debug[1].bytes.failed = true;
	if (!c->eh.bytes.failed)
		cp_cfi_table_init(c, runtime);
}

void
cp_cfi_add_debug(struct cp_cfi *c, const struct cp_elf *debug)
{
	section_init(&c->debug[1], debug, ".debug_frame", true);
}

void
cp_cfi_free(struct cp_cfi *c)
{
	free(c->some);
	cp_vec_free(&c->eh.index);
	cp_vec_free(&c->debug[0].index);
	cp_vec_free(&c->debug[1].index);
	free(c->eh.copy);
	free(c->debug[0].copy);
	free(c->debug[1].copy);
}

bool
cp_cfi_row_at(
    struct cp_cfi *c, uint64_t addr, struct cp_cfi_row *row, uint32_t *steps)
{
	struct cp_cfi_fde f;

	return cp_cfi_find(c, addr, &f) &&
	       cp_cfi_execute(c->arch, &f, addr, row, steps);
}
