/* SPDX-License-Identifier: MIT */
/*
 * Relocations in debug sections: absolute words, and the additions and
 * subtractions that RISC-V and LoongArch use.  Other types leave the bytes as
 * they are.
 */
#include "symbolize/elf/relocation.h"

#include "base/elf.h"
#include "base/limits.h"

enum how { SET, ADD, SUB };

static const struct kind {
	uint16_t machine;
	uint8_t bytes, how;
	uint32_t type;
} kinds[] = {
	{ EM_X86_64, 8, SET, R_X86_64_64 },
	{ EM_X86_64, 4, SET, R_X86_64_32 },
	{ EM_X86_64, 4, SET, R_X86_64_32S },
	{ EM_386, 4, SET, R_386_32 },
	{ EM_AARCH64, 8, SET, R_AARCH64_ABS64 },
	{ EM_AARCH64, 4, SET, R_AARCH64_ABS32 },
	{ EM_ARM, 4, SET, R_ARM_ABS32 },
	{ EM_PPC64, 8, SET, R_PPC64_ADDR64 },
	{ EM_PPC64, 4, SET, R_PPC64_ADDR32 },
	{ EM_PPC, 4, SET, R_PPC_ADDR32 },
	{ EM_S390, 8, SET, R_390_64 },
	{ EM_S390, 4, SET, R_390_32 },
	{ EM_MIPS, 4, SET, R_MIPS_32 },
	{ EM_MIPS, 8, SET, R_MIPS_64 },
	{ EM_RISCV, 8, SET, R_RISCV_64 },
	{ EM_RISCV, 4, SET, R_RISCV_32 },
	{ EM_RISCV, 1, ADD, R_RISCV_ADD8 },
	{ EM_RISCV, 2, ADD, R_RISCV_ADD16 },
	{ EM_RISCV, 4, ADD, R_RISCV_ADD32 },
	{ EM_RISCV, 8, ADD, R_RISCV_ADD64 },
	{ EM_RISCV, 1, SUB, R_RISCV_SUB8 },
	{ EM_RISCV, 2, SUB, R_RISCV_SUB16 },
	{ EM_RISCV, 4, SUB, R_RISCV_SUB32 },
	{ EM_RISCV, 8, SUB, R_RISCV_SUB64 },
	{ EM_RISCV, 1, SET, R_RISCV_SET8 },
	{ EM_RISCV, 2, SET, R_RISCV_SET16 },
	{ EM_RISCV, 4, SET, R_RISCV_SET32 },
	/* LoongArch; older elf.h lacks the names. */
	{ 258, 4, SET, 1 },
	{ 258, 8, SET, 2 },
	{ 258, 1, ADD, 47 },
	{ 258, 2, ADD, 48 },
	{ 258, 4, ADD, 50 },
	{ 258, 8, ADD, 51 },
	{ 258, 1, SUB, 52 },
	{ 258, 2, SUB, 53 },
	{ 258, 4, SUB, 55 },
	{ 258, 8, SUB, 56 },
};

struct reloc {
	uint64_t offset, addend;
	uint32_t type, symbol;
	bool has_addend;
};

struct symbols {
	const struct cp_elf *elf;
	struct cp_bytes table;
};

uint64_t
cp_elf_section_base(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	const struct cp_elf_section *text = cp_elf_section(elf, ".text");

	return s->offset - (text != NULL ? text->offset : 0);
}

static const struct cp_elf_section *
relocations_of(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	size_t at = (size_t)(s - elf->sections.data);

	if (elf->type != ET_REL || (s->flags & SHF_ALLOC) != 0)
		return NULL;
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *r = &elf->sections.data[i];

		if ((r->type == SHT_RELA || r->type == SHT_REL) &&
		    r->info == at)
			return r;
	}
	return NULL;
}

bool
cp_elf_is_relocated(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	return relocations_of(elf, s) != NULL;
}

static struct reloc
next_reloc(const struct cp_elf *elf, struct cp_bytes *b, bool has_addend)
{
	struct reloc r = { .has_addend = has_addend };
	uint64_t info;

	if (elf->wide) {
		r.offset = cp_bytes_u64(b);
		info = cp_bytes_u64(b);
		r.type = (uint32_t)ELF64_R_TYPE(info);
		r.symbol = (uint32_t)ELF64_R_SYM(info);
		if (elf->machine == EM_MIPS) {
			/*
			 * MIPS: the word is a symbol and four bytes, the last
			 * of which is the type.
			 */
			bool big = b->swap ==
				   (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

			r.symbol = (uint32_t)(big ? info >> 32 : info);
			r.type = (uint32_t)(big ? info : info >> 56) & 0xff;
		}
		if (has_addend)
			r.addend = cp_bytes_u64(b);
	} else {
		r.offset = cp_bytes_u32(b);
		info = cp_bytes_u32(b);
		r.type = (uint32_t)ELF32_R_TYPE(info);
		r.symbol = (uint32_t)ELF32_R_SYM(info);
		if (has_addend)
			r.addend = cp_bytes_u32(b);
	}
	return r;
}

static bool
symbol_value(const struct symbols *s, uint32_t symbol, uint64_t *value)
{
	size_t size = s->elf->wide ? CP_ELF64_SYM : CP_ELF32_SYM;
	struct cp_bytes b = s->table;
	uint16_t shndx;

	if (symbol > cp_bytes_left(&b) / size)
		return false;
	cp_bytes_take(&b, symbol * size);
	if (s->elf->wide) {
		cp_bytes_take(&b, 6);
		shndx = cp_bytes_u16(&b);
		*value = cp_bytes_u64(&b);
	} else {
		cp_bytes_take(&b, 4);
		*value = cp_bytes_u32(&b);
		cp_bytes_take(&b, 6);
		shndx = cp_bytes_u16(&b);
	}
	if (b.failed)
		return false;
	/* A symbol in a debug section means its offset, in code its address. */
	if (shndx != 0 && shndx < s->elf->sections.len &&
	    (s->elf->sections.data[shndx].flags & SHF_ALLOC) != 0)
		*value +=
		    cp_elf_section_base(s->elf, &s->elf->sections.data[shndx]);
	return true;
}

static const struct kind *
kind_of(uint16_t machine, uint32_t type)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

static uint64_t
load(const uint8_t *at, unsigned bytes, bool swap)
{
	switch (bytes) {
	case 1: return *at;
	case 2: return cp_load16(at, swap);
	case 4: return cp_load32(at, swap);
	default: return cp_load64(at, swap);
	}
}

static void
store(uint8_t *at, uint64_t v, unsigned bytes, bool swap)
{
	bool big = swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(v >> 8 * (big ? bytes - 1 - i : i));
}

static void
apply(
    const struct symbols *s, const struct reloc *r, uint8_t *data, size_t size)
{
	const struct kind *k = kind_of(s->elf->machine, r->type);
	uint64_t old, value;

	if (k == NULL || r->offset > size || size - r->offset < k->bytes ||
	    !symbol_value(s, r->symbol, &value))
		return;
	old = load(data + r->offset, k->bytes, s->elf->swap);
	value += r->has_addend ? r->addend : old;
	if (k->how == ADD)
		value += old;
	else if (k->how == SUB)
		value = old - value;
	store(data + r->offset, value, k->bytes, s->elf->swap);
}

void
cp_elf_relocate(const struct cp_elf *elf, const struct cp_elf_section *sec,
    uint8_t *data, size_t size)
{
	const struct cp_elf_section *rs = relocations_of(elf, sec);
	struct symbols syms = { .elf = elf };
	struct cp_bytes b;

	if (rs == NULL || rs->link >= elf->sections.len)
		return;
	b = cp_elf_bytes(elf, rs);
	syms.table = cp_elf_bytes(elf, &elf->sections.data[rs->link]);
	if (syms.table.failed)
		return;
	for (;;) {
		struct reloc r = next_reloc(elf, &b, rs->type == SHT_RELA);

		if (b.failed)
			return;
		apply(&syms, &r, data, size);
	}
}
