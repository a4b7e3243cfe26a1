/* SPDX-License-Identifier: MIT */
/*
 * frameless: has a function set up its frame at an address?
 *
 * It has if the CFA is found by the frame pointer.  Otherwise the register
 * still has the caller's, or another value.  Three things are not in tables:
 * x86 code that keeps a frame and does not say so, Go, whose tables have sizes
 * only, and on arm64 the step from the record to the register, because there
 * the CFA stays with the stack pointer.
 */

#include "symbolize/callers/frameless.h"
#include "base/elf.h"
#include "symbolize/elf/elf-file.h"

const uint8_t *
cp_row_code(const struct cp_elf *e, uint64_t at, size_t n)
{
	uint64_t offset;

	if (e == NULL || !cp_elf_offset(e, at, &offset) ||
	    offset > e->content.size || e->content.size - offset < n)
		return NULL;
	return e->content.data + offset;
}

static bool
code_is(const struct cp_unwind_row *r, uint64_t at, const char *bytes, size_t n)
{
	const uint8_t *p = cp_row_code(r->elf, at, n);

	return p != NULL && memcmp(p, bytes, n) == 0;
}

/* Does an expression begin with the frame pointer? */
static bool
by_pointer(const struct cp_unwind_row *r)
{
	enum { BREG0 = 0x70 }; /* DW_OP_breg0 */
	const struct cp_cfi_rule *cfa = &r->row.cfa;

	return cfa->kind == CP_CFI_OFFSET
		   ? cfa->reg == r->arch->fp
		   : cfa->size != 0 &&
			 cfa->u.expression[0] == BREG0 + r->arch->fp;
}

/*
 * Does the code before the address begin with push %rbp; mov %rsp,%rbp?  Then
 * it has a frame of which its table tells nothing, as in OCaml.
 */
static bool
x86_untold(const struct cp_unwind_row *r)
{
	uint64_t at = r->start;

	if (code_is(r, at, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		at += 4;
	if (!code_is(r, at, "\x55", 1))
		return false;
	return r->at >= at + 4 && (code_is(r, at + 1, "\x48\x89\xe5", 3) ||
				      code_is(r, at + 1, "\x48\x8b\xec", 3));
}

/* Between push %rbp and mov %rsp,%rbp of Go; before 1.21 it was mov and lea. */
static bool
x86_go_prologue(const struct cp_unwind_row *r)
{
	return code_is(r, r->at, "\x48\x89\xe5", 3) ||
	       code_is(r, r->at, "\x48\x89\x6c\x24", 4) ||
	       code_is(r, r->at, "\x48\x89\xac\x24", 4) ||
	       code_is(r, r->at, "\x48\x8d\x6c\x24", 4) ||
	       code_is(r, r->at, "\x48\x8d\xac\x24", 4);
}

static bool
x86_frameless(const struct cp_unwind_row *r)
{
	const struct cp_cfi_rule *cfa = &r->row.cfa;

	if (by_pointer(r))
		return false;
	if (cfa->kind == CP_CFI_OFFSET && cfa->reg == r->arch->sp &&
	    cfa->u.offset == r->arch->word)
		return true;
	return r->go ? x86_go_prologue(r) : !x86_untold(r);
}

/* mov x29, sp or add x29, sp, #n: the next instruction has the frame. */
static bool
arm64_prologue(const struct cp_unwind_row *r)
{
	const uint8_t *p = cp_row_code(r->elf, r->at, 4);

	return p != NULL &&
	       (cp_load32(p, r->elf->swap) & 0xffc003ff) == 0x910003fd;
}

bool
cp_row_frameless(const struct cp_unwind_row *r)
{
	const struct cp_arch *a = r->arch;
	const struct cp_cfi_row *row = &r->row;
	const struct cp_cfi_rule *ra =
	    row->ra < CP_REGS ? &row->reg[row->ra] : NULL;

	if (row->signal || row->cfa.kind == CP_CFI_SAME ||
	    (ra != NULL && ra->kind == CP_CFI_UNDEFINED))
		return false;
	if (a->machine == EM_X86_64 || a->machine == EM_386)
		return x86_frameless(r);
	if (a->lr == CP_NO_REG || by_pointer(r))
		return false;
	if (row->reg[a->fp].kind == CP_CFI_SAME &&
	    (!r->go || row->cfa.u.offset == 0))
		return true;
	return a->machine == EM_AARCH64 && !r->go && arm64_prologue(r);
}
