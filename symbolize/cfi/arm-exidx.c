/* SPDX-License-Identifier: MIT */
#include "symbolize/cfi/arm-exidx.h"

#include "base/elf.h"
#include "base/leb128.h"

enum { R4 = 4, SP = 13, LR = 14, PC = 15, CANTUNWIND = 1, CODES = 1024 };

void
cp_exidx_init(struct cp_exidx *x, const struct cp_elf *elf)
{
	const struct cp_elf_section *s =
	    elf->machine == EM_ARM ? cp_elf_section_of_type(elf, SHT_ARM_EXIDX)
				   : NULL;

	*x = (struct cp_exidx){ .elf = elf, .table = { .failed = true } };
	if (s == NULL)
		return;
	x->table = cp_elf_bytes(elf, s);
	x->addr = s->addr;
}

/* Reads a prel31 word: 31 bits, signed, relative to its own address. */
static uint64_t
prel31(uint32_t word, uint64_t at)
{
	int32_t offset = (int32_t)(word << 1) >> 1;

	return (uint32_t)(at + (uint64_t)(int64_t)offset);
}

/* Returns the bytes at an address, up to the end of the file. */
static struct cp_bytes
image_at(const struct cp_exidx *x, uint64_t addr)
{
	const struct cp_content *c = &x->elf->content;
	uint64_t offset;

	if (!cp_elf_offset(x->elf, addr, &offset) || offset > c->size)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(c->data + offset, c->size - offset, x->elf->swap);
}

/* ------------------------------------------------------------------ codes */

/*
 * The machine of the ARM EHABI.  The virtual stack pointer is base + offset.
 * Rules of popped registers are relative to it, and to the CFA at the end.
 */
struct machine {
	struct cp_cfi_row *row;
	uint8_t code[CODES];
	size_t n, at;
	int64_t offset;
	bool popped, failed;
};

static uint8_t
next(struct machine *m)
{
	return m->at < m->n ? m->code[m->at++] : 0xb0;
}

static void
pop(struct machine *m, unsigned mask)
{
	for (unsigned r = 0; r < 16; r++) {
		if (!(mask >> r & 1))
			continue;
		m->row->reg[r] = (struct cp_cfi_rule){ .kind = CP_CFI_OFFSET };
		m->row->reg[r].u.offset = m->offset;
		m->offset += 4;
		m->popped = true;
	}
}

/*
 * Opcodes from 0x80.  Pops of floating-point registers only move the pointer.
 */
static void
step_high(struct machine *m, uint8_t op)
{
	unsigned mask;

	if (op < 0x90) {
		mask = ((op & 0xfu) << 8 | next(m)) << R4;
		m->failed |= mask == 0; /* opcode "refuse to unwind" */
		pop(m, mask);
	} else if (op < 0xa0) {
		/* SP and PC are reserved. */
		m->failed |= m->popped || m->offset != 0 || (op & 0xd) == 0xd;
		m->row->cfa.reg = op & 0xf;
	} else if (op < 0xb0) {
		mask = ((2u << (op & 7)) - 1) << R4;
		pop(m, op & 8 ? mask | 1u << LR : mask);
	} else if (op == 0xb1) {
		pop(m, next(m) & 0xf);
	} else if (op == 0xb3) {
		m->offset += 8 * ((next(m) & 0xf) + 1) + 4;
	} else if (op >= 0xb8 && op < 0xc0) {
		m->offset += 8 * ((op & 7) + 1) + 4;
	} else if (op == 0xc6 || op == 0xc8 || op == 0xc9) {
		m->offset += 8 * ((next(m) & 0xf) + 1);
	} else if (op == 0xc7) {
		m->offset += 4 * __builtin_popcount(next(m) & 0xf);
	} else if ((op >= 0xc0 && op < 0xc6) || (op >= 0xd0 && op < 0xd8)) {
		m->offset += 8 * ((op & 7) + 1);
	} else {
		m->failed = true;
	}
}

static int64_t
large_step(struct machine *m)
{
	struct cp_bytes b = cp_bytes_of(m->code + m->at, m->n - m->at, false);
	uint64_t n = cp_bytes_uleb(&b);

	m->failed |= b.failed || n > UINT32_MAX;
	m->at = m->n - cp_bytes_left(&b);
	return 0x204 + (int64_t)(n & UINT32_MAX) * 4;
}

static bool
run(struct machine *m)
{
	struct cp_cfi_row *row = m->row;

	while (!m->failed && m->at < m->n) {
		uint8_t op = next(m);

		if (op == 0xb0)
			break;
		if (op < 0x40)
			m->offset += (op & 0x3f) * 4 + 4;
		else if (op < 0x80)
			m->offset -= (op & 0x3f) * 4 + 4;
		else if (op == 0xb2)
			m->offset += large_step(m);
		else
			step_high(m, op);
	}
	row->cfa.u.offset = m->offset;
	for (unsigned r = 0; r < 16; r++)
		if (row->reg[r].kind == CP_CFI_OFFSET)
			row->reg[r].u.offset -= m->offset;
	if (row->reg[PC].kind == CP_CFI_OFFSET) {
		row->ra = PC;
		/* A pop that restores SP too belongs to a signal frame. */
		row->signal = row->reg[SP].kind == CP_CFI_OFFSET;
	}
	return !m->failed;
}

/* Takes the bytes of words, highest first, after `skip` bytes of the first. */
static void
take_words(struct machine *m, struct cp_bytes *b, uint32_t first, unsigned skip,
    unsigned more)
{
	for (unsigned i = skip; i < 4; i++)
		m->code[m->n++] = (uint8_t)(first >> (24 - 8 * i));
	for (; more > 0 && m->n + 4 <= CODES; more--) {
		uint32_t w = cp_bytes_u32(b);

		for (unsigned i = 0; i < 4; i++)
			m->code[m->n++] = (uint8_t)(w >> (24 - 8 * i));
	}
	m->failed |= b->failed;
}

static void
take_extab(struct machine *m, struct cp_bytes b)
{
	uint32_t word = cp_bytes_u32(&b);

	/* generic model: a personality routine, then its data */
	if (!(word >> 31)) {
		word = cp_bytes_u32(&b);
		take_words(m, &b, word, 1, word >> 24);
	} else if ((word >> 24 & 0xf) == 0) {
		take_words(m, &b, word, 1, 0);
	} else {
		take_words(m, &b, word, 2, word >> 16 & 0xff);
	}
}

static uint64_t
entry_start(const struct cp_exidx *x, size_t i)
{
	return prel31(
	    cp_load32(x->table.at + 8 * i, x->table.swap), x->addr + 8 * i);
}

/* Finds the last entry with start <= addr; false: there is none. */
static bool
find_entry(const struct cp_exidx *x, uint64_t addr, size_t *i)
{
	size_t lo = 0, n = cp_bytes_left(&x->table) / 8;

	if (x->table.failed || n == 0)
		return false;
	while (n > 1) {
		size_t half = n / 2;

		lo = entry_start(x, lo + half) <= addr ? lo + half : lo;
		n -= half;
	}
	*i = lo;
	return entry_start(x, lo) <= addr;
}

bool
cp_exidx_range(
    const struct cp_exidx *x, uint64_t addr, uint64_t *start, uint64_t *end)
{
	size_t i;

	if (!find_entry(x, addr, &i) || i + 1 == cp_bytes_left(&x->table) / 8)
		return false;
	*start = entry_start(x, i);
	*end = entry_start(x, i + 1);
	return *end > addr;
}

bool
cp_exidx_row(const struct cp_exidx *x, uint64_t addr, struct cp_cfi_row *row)
{
	struct machine m = { .row = row };
	uint32_t word;
	uint64_t at;
	size_t i;

	if (!find_entry(x, addr, &i))
		return false;
	at = x->addr + 8 * i;
	word = cp_load32(x->table.at + 8 * i + 4, x->table.swap);
	if (word == CANTUNWIND) /* outermost frames, and code without a table */
		return false;
	memset(row, 0, sizeof(*row));
	row->cfa.kind = CP_CFI_OFFSET;
	row->cfa.reg = SP;
	row->ra = LR;
	row->body = true;
	if (word >> 31)
		take_words(&m, &(struct cp_bytes){ 0 }, word, 1, 0);
	else
		take_extab(&m, image_at(x, prel31(word, at + 4)));
	return run(&m);
}
