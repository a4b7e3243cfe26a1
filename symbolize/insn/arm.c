/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores, jumps and calls, common to ARM and Thumb code.
 */
#include "symbolize/insn/arm.h"

static bool
load_word(struct cp_arm *m, uint32_t at, uint32_t *v)
{
	uint64_t word;

	for (unsigned i = m->stores; i > 0; i--)
		if (m->at[i - 1] == at) {
			*v = m->word[i - 1];
			return (m->stored_known >> (i - 1) & 1) != 0;
		}
	if (at % 4 != 0 || !m->read(m->ctx, at, 4, &word))
		return false;
	*v = (uint32_t)word;
	return true;
}

static bool
store(struct cp_arm *m, uint32_t at, unsigned reg)
{
	if (m->stores == CP_ARM_STORES)
		return false;
	m->at[m->stores] = at;
	m->word[m->stores] = m->v[reg];
	m->stored_known &= ~(UINT64_C(1) << m->stores);
	m->stored_known |= (uint64_t)cp_arm_known(m, reg) << m->stores;
	m->stores++;
	return true;
}

static bool
base_of(const struct cp_arm *m, unsigned reg, uint32_t *at)
{
	if (reg == CP_ARM_PC)
		*at = (m->pc + (m->thumb ? 4 : 8)) & ~UINT32_C(3);
	else
		*at = m->v[reg];
	return reg == CP_ARM_PC || cp_arm_known(m, reg);
}

/*
 * A pc that is loaded, but not from the stack: a tail call, unless it is an
 * entry of this function's jump table.
 */
static enum cp_arm_flow
load_pc_elsewhere(struct cp_arm *m, unsigned base)
{
	return base == CP_ARM_PC && m->condition != CP_ARM_ALWAYS
		   ? CP_ARM_DEAD
		   : cp_arm_branch(m, CP_ARM_LR);
}

static enum cp_arm_flow
transfer_one(struct cp_arm *m, unsigned rt, unsigned base, bool known,
    uint32_t at, bool to_register)
{
	uint32_t v;

	/* A store to other memory than the stack is ignored. */
	if (!to_register)
		return base != CP_ARM_SP || !known || store(m, at, rt)
			   ? CP_ARM_NEXT
			   : CP_ARM_DEAD;
	if (rt == CP_ARM_PC && base != CP_ARM_SP)
		return load_pc_elsewhere(m, base);
	if (!known || !load_word(m, at, &v)) {
		cp_arm_forget(m, rt);
		return rt == CP_ARM_PC ? CP_ARM_DEAD : CP_ARM_NEXT;
	}
	m->to = v;
	if (rt == CP_ARM_PC)
		return CP_ARM_RETURN;
	cp_arm_set(m, rt, v);
	m->loaded |= (uint16_t)(1u << rt);
	return CP_ARM_NEXT;
}

static void
write_back(struct cp_arm *m, const struct cp_arm_address *a)
{
	if (a->write && a->base != CP_ARM_PC)
		cp_arm_add(m, a->base, a->base, (uint32_t)a->offset);
}

enum cp_arm_flow
cp_arm_transfer(struct cp_arm *m, unsigned rt, const struct cp_arm_address *a,
    bool to_register)
{
	uint32_t at = 0;
	bool known = base_of(m, a->base, &at);

	if (a->before)
		at += (uint32_t)a->offset;
	write_back(m, a);
	return transfer_one(m, rt, a->base, known, at, to_register);
}

enum cp_arm_flow
cp_arm_pair(struct cp_arm *m, unsigned rt, unsigned rt2,
    const struct cp_arm_address *a, bool to_register)
{
	uint32_t at = 0;
	bool known = base_of(m, a->base, &at);
	enum cp_arm_flow flow;

	if (a->before)
		at += (uint32_t)a->offset;
	write_back(m, a);
	flow = transfer_one(m, rt, a->base, known, at, to_register);
	return flow != CP_ARM_NEXT
		   ? flow
		   : transfer_one(m, rt2, a->base, known, at + 4, to_register);
}

/* A loaded SP wins over the incremented base. */
enum cp_arm_flow
cp_arm_block(struct cp_arm *m, uint32_t list, const struct cp_arm_address *a,
    bool to_register)
{
	int64_t size = 4 * __builtin_popcount(list);
	struct cp_arm_address whole = *a;
	enum cp_arm_flow flow = CP_ARM_NEXT;
	uint32_t at = 0;
	bool known = base_of(m, a->base, &at), up = a->offset >= 0;

	if (!up)
		at -= (uint32_t)size;
	if (a->before == up)
		at += 4;
	whole.offset = up ? size : -size;
	if (!to_register || !(list >> a->base & 1))
		write_back(m, &whole);
	for (unsigned r = 0; r < 16 && flow == CP_ARM_NEXT; r++) {
		if (!(list >> r & 1))
			continue;
		/*
		 * A block load from the frame pointer counts as one from the
		 * stack.
		 */
		flow = transfer_one(m, r, to_register ? CP_ARM_SP : a->base,
		    known, at, to_register);
		at += 4;
	}
	return flow;
}

enum cp_arm_flow
cp_arm_jump(struct cp_arm *m, uint32_t to, bool thumb)
{
	m->to = to;
	m->to_thumb = thumb;
	return m->condition != CP_ARM_ALWAYS ? CP_ARM_FORK : CP_ARM_JUMP;
}

/*
 * A jump to a register that was loaded from the stack is a return.  Other
 * registers are a tail call if the stack and registers are ready for it; else
 * they may as well be a jump table.
 */
enum cp_arm_flow
cp_arm_branch(struct cp_arm *m, unsigned reg)
{
	if (reg != CP_ARM_LR && !(m->loaded >> reg & 1)) {
		if (!(m->loaded >> CP_ARM_LR & 1))
			return CP_ARM_ASIDE;
		reg = CP_ARM_LR;
	}
	m->to = m->v[reg];
	return cp_arm_known(m, reg) ? CP_ARM_RETURN : CP_ARM_DEAD;
}

enum cp_arm_flow
cp_arm_call(struct cp_arm *m)
{
	static const uint8_t lost[] = { 0, 1, 2, 3, 12, CP_ARM_LR };

	for (size_t i = 0; i < CP_ARRAY_LEN(lost); i++)
		cp_arm_forget(m, lost[i]);
	return CP_ARM_NEXT;
}
