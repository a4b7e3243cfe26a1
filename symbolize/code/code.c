/* SPDX-License-Identifier: MIT */
#include "symbolize/code/code.h"

#include <unistd.h>

#include "base/elf.h"
#include "base/limits.h"
#include "base/retry.h"
#include "symbolize/object/object.h"
#include "symbolize/elf/relocation.h"
#include "symbolize/object/text-files.h"

#define JIT_MACHINE 12 /* offset of the machine in a jitdump's header */
#define ARM_FLAGS 36   /* offset of e_flags in a 32-bit ELF header */
#define ARM_BE8 0x00800000u

/* Big-endian ARM code has either byte order; AArch64 code only one. */
static bool
is_big(const struct cp_elf *elf)
{
	bool big = elf->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	if (elf->machine == EM_AARCH64)
		return false;
	if (elf->machine == EM_ARM && elf->content.size >= ARM_FLAGS + 4)
		return big &&
		       (cp_load32(elf->content.data + ARM_FLAGS, elf->swap) &
			   ARM_BE8) == 0;
	return big;
}

/* ------------------------------------------------------------- ELF files */

/* Addresses in a relocatable file count from the start of .text. */
static bool
module_offset(const struct cp_elf *elf, uint64_t addr, uint64_t *offset)
{
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];
		uint64_t base = cp_elf_section_base(elf, s);

		if ((s->flags & SHF_EXECINSTR) == 0 || s->type == SHT_NOBITS ||
		    addr < base || addr - base >= s->size)
			continue;
		*offset = s->offset + (addr - base);
		return true;
	}
	return false;
}

/* True if the bytes touch a page that pack --slim left out. */
static bool
has_hole(const struct cp_elf *elf, uint64_t offset, size_t size)
{
	const uint64_t page = 4096;
	/* A shorter run of zeros may be part of an instruction. */
	const size_t least = 8;
	uint64_t end = offset + size, next;

	for (uint64_t at = offset; at < end; at = next) {
		next = CP_MIN((at / page + 1) * page, end);
		if ((next - at >= least || next - at == size) &&
		    cp_is_zero(elf->content.data + at, (size_t)(next - at)))
			return true;
	}
	return size == 0;
}

static const char *
why_no_file(struct cp_symbols *s, const struct cp_dso_info *d)
{
	if (cp_symbols_state(s, d).mismatch)
		return "only a file of another build was found";
	switch (d->pub.kind) {
	case CP_DSO_KERNEL:
		return "kallsyms has names only; a kernel's code is in its "
		       "vmlinux (--symbols)";
	case CP_DSO_MODULE:
		return "kallsyms has names only; a module's code is in its "
		       ".ko file (--symbols)";
	default: return "the file with its code was not found (--symbols)";
	}
}

static void
take_elf(struct cp_symbols *s, const struct cp_dso_info *d, uint64_t addr,
    size_t size, struct cp_code_bytes *out)
{
	const struct cp_elf *elf = cp_symbols_runtime(s, d);
	uint64_t offset = addr, shown = addr;
	bool ok;

	out->why = why_no_file(s, d);
	if (elf == NULL)
		return;
	out->why = "it is not in the file";
	ok = cp_symbols_vaddr(s, d, addr, &shown);
	if (d->pub.kind == CP_DSO_MODULE)
		ok = ok && module_offset(elf, shown, &offset);
	else
		ok = ok && cp_elf_offset(elf, shown, &offset);
	if (!ok || offset >= elf->content.size)
		return;
	out->size = (size_t)CP_MIN(size, elf->content.size - offset);
	out->why = "the file has zeros instead of code (pack --slim?)";
	if (has_hole(elf, offset, out->size))
		return;
	*out = (struct cp_code_bytes){ .data = elf->content.data + offset,
		.size = out->size,
		.shown = shown,
		.elf = elf,
		.relocatable = elf->type == ET_REL,
		.machine = { elf->machine, elf->wide, is_big(elf) } };
}

/* -------------------------------------------------------------- JIT code */

static bool
read_at(int fd, void *to, size_t n, uint64_t at)
{
	return cp_pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

static void
take_jit(struct cp_symbols *s, const struct cp_dso_info *d, uint64_t addr,
    size_t size, struct cp_code_bytes *out)
{
	int fd = d->path != NULL ? cp_text_file_open(s, d->path) : -1;
	uint8_t head[JIT_MACHINE + 4];

	out->why = "the jitdump cannot be read any more";
	if (fd < 0)
		return;
	out->owned = cp_xmalloc(size + 1);
	if (read_at(fd, head, sizeof(head), 0) &&
	    read_at(fd, out->owned, size, addr)) {
		bool swap = memcmp(head, &(uint32_t){ 0x4a695444 }, 4) != 0;

		out->data = out->owned;
		out->size = size;
		out->shown = addr;
		out->machine.machine =
		    (uint16_t)cp_load32(head + JIT_MACHINE, swap);
		out->machine.wide = true;
		out->machine.big =
		    swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) &&
		    out->machine.machine != EM_AARCH64;
		out->why = NULL;
	}
	close(fd);
}

/* ----------------------------------------------------------------- both */

struct cp_code_bytes
cp_symbols_code(struct cp_symbols *s, const struct cp_dso_info *d,
    uint64_t addr, size_t size)
{
	struct cp_code_bytes out = { 0 };

	switch (d->pub.kind) {
	case CP_DSO_JIT: take_jit(s, d, addr, size, &out); break;
	case CP_DSO_ANON:
		out.why = "a perf map has no code (a jitdump has)";
		break;
	case CP_DSO_BPF:
		out.why = "captures do not hold the code of BPF";
		break;
	default: take_elf(s, d, addr, size, &out);
	}
	return out;
}

void
cp_code_bytes_free(struct cp_code_bytes *c)
{
	free(c->owned);
	*c = (struct cp_code_bytes){ 0 };
}

bool
cp_code_addr(const struct cp_code_bytes *c, const struct cp_dso_info *d,
    uint64_t first, uint64_t shown, uint64_t *addr)
{
	bool inside = shown - c->shown < c->size;

	if (inside || d->pub.kind == CP_DSO_KERNEL) {
		*addr = first + (shown - c->shown);
		return true;
	}
	if (c->elf == NULL || c->relocatable)
		return false;
	return cp_elf_frame(c->elf, shown, addr);
}
