/* SPDX-License-Identifier: MIT */
/*
 * Rules in two forms, packed in 32 bits or in full with an index, and the
 * caches from addresses to rules.
 */
#include "symbolize/unwind/rule.h"

#include "base/elf.h"
#include "base/limits.h"
#include "symbolize/cfi/constants.h"

/* ------------------------------------------------------------------ caches */

void
cp_rule_cache_init(struct cp_rule_cache *c)
{
	c->mask = CP_RULES_FIRST - 1;
	c->len = 0;
	c->slots = cp_xcalloc(CP_RULES_FIRST, sizeof(*c->slots));
}

void
cp_rule_near_init(struct cp_rule_near *n)
{
	n->slots = cp_xcalloc((size_t)1 << CP_NEAR_BITS, sizeof(*n->slots));
}

static struct cp_rule_slot *
slot_for(const struct cp_rule_cache *c, uint32_t space, uint64_t addr)
{
	struct cp_rule_slot *s = cp_rule_first(c, space, addr);

	while (s->rule != 0 && (s->addr != addr || s->space != space))
		s = s == c->slots + c->mask ? c->slots : s + 1;
	return s;
}

static void
grow(struct cp_rule_cache *c)
{
	const uint32_t slots = CP_MIN((c->mask + 1) * 4, CP_MAX_RULES);
	struct cp_rule_cache big = { .mask = slots - 1 };

	big.slots = cp_xcalloc((size_t)big.mask + 1, sizeof(*big.slots));
	big.len = c->len;
	for (size_t i = 0; i <= c->mask; i++)
		if (c->slots[i].rule != 0)
			*slot_for(&big, c->slots[i].space, c->slots[i].addr) =
			    c->slots[i];
	free(c->slots);
	*c = big;
}

void
cp_rule_cache_forget(struct cp_rule_cache *c)
{
	memset(c->slots, 0, ((size_t)c->mask + 1) * sizeof(*c->slots));
	c->len = 0;
}

void
cp_rule_near_forget(struct cp_rule_near *n)
{
	memset(n->slots, 0, sizeof(*n->slots) << CP_NEAR_BITS);
}

/* Clears the cache when it is full. */
void
cp_rule_put(
    struct cp_rule_cache *c, uint32_t space, uint64_t addr, uint32_t rule)
{
	struct cp_rule_slot *s;

	if (c->len > c->mask / 4 * 3) {
		if (c->mask + 1 < CP_MAX_RULES) {
			grow(c);
		} else {
			cp_rule_cache_forget(c);
		}
	}
	s = slot_for(c, space, addr);
	c->len += s->rule == 0;
	*s = (struct cp_rule_slot){ addr, space, rule };
}

/* ------------------------------------------------------------------ packed */

/*
 * The CFA of a PLT stub: sp + 8, and 8 more from byte K of its 16 on, after it
 * pushed a number.  pc is known, so this is a constant.
 */
static bool
plt_cfa(const struct cp_cfi_rule *cfa, uint64_t pc, uint32_t *offset)
{
	static const uint8_t head[] = { DW_OP_breg7, 8, DW_OP_breg16, 0,
		DW_OP_lit15, DW_OP_and };
	static const uint8_t tail[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl,
		DW_OP_plus };
	const uint8_t *e = cfa->u.expression;

	if (cfa->kind != CP_CFI_EXPRESSION || cfa->size != 11 ||
	    memcmp(e, head, sizeof(head)) != 0 ||
	    memcmp(e + 7, tail, sizeof(tail)) != 0 || e[6] < DW_OP_lit0 ||
	    e[6] > DW_OP_lit31)
		return false;
	*offset = (pc & 15) >= (uint64_t)(e[6] - DW_OP_lit0) ? 16 : 8;
	return true;
}

/* Packs kind and CFA.  CP_RULE_NONE: they do not fit. */
static uint32_t
pack_cfa(const struct cp_arch *a, const struct cp_cfi_row *row, uint64_t pc)
{
	uint32_t offset;

	if (a->machine == EM_X86_64 && plt_cfa(&row->cfa, pc, &offset))
		return cp_rule_base(a, a->sp, offset);
	return row->cfa.kind == CP_CFI_OFFSET
		   ? cp_rule_base(a, row->cfa.reg, row->cfa.u.offset)
		   : CP_RULE_NONE;
}

/* Packs the frame pointer's rule.  False: it does not fit. */
static bool
pack_fp(const struct cp_arch *a, const struct cp_cfi_rule *r, uint32_t *saved)
{
	uint64_t below;

	*saved = CP_RULE_THERE;
	if (r->kind == CP_CFI_SAME || r->kind == CP_CFI_UNDEFINED)
		return true;
	if (r->kind != CP_CFI_OFFSET || r->u.offset > 0)
		return false;
	below = (0 - (uint64_t)r->u.offset) / a->word;
	if ((0 - (uint64_t)r->u.offset) % a->word != 0 ||
	    below > CP_RULE_FP_MAX)
		return false;
	*saved |= (CP_RULE_FP_MAX + 1 - (uint32_t)below) << 4;
	return true;
}

static bool
pack_lr(const struct cp_arch *a, const struct cp_cfi_rule *lr,
    const struct cp_cfi_rule *fp, uint32_t *saved)
{
	if (lr->kind == CP_CFI_SAME)
		return true;
	if (lr->kind != CP_CFI_OFFSET || !cp_rule_saves_fp(*saved) ||
	    lr->u.offset != fp->u.offset + a->word)
		return false;
	*saved |= CP_RULE_LR;
	return true;
}

bool
cp_rule_saved(const struct cp_arch *a, uint8_t ra,
    const struct cp_cfi_rule *fp_rule, const struct cp_cfi_rule *ra_rule,
    uint32_t *saved)
{
	if (!pack_fp(a, fp_rule, saved))
		return false;
	if (a->lr != CP_NO_REG)
		return ra == a->lr && pack_lr(a, ra_rule, fp_rule, saved);
	return ra == a->pc && (ra_rule->kind == CP_CFI_SAME ||
				  (ra_rule->kind == CP_CFI_OFFSET &&
				      ra_rule->u.offset == -a->word));
}

uint32_t
cp_rule_pack(const struct cp_arch *a, const struct cp_cfi_row *row, uint64_t pc)
{
	const struct cp_cfi_rule *ra = &row->reg[row->ra % CP_REGS];
	const struct cp_cfi_rule *sp = &row->reg[a->sp];
	uint32_t rule, saved;

	if (!a->packed || row->signal || row->ra >= a->regs)
		return CP_RULE_NONE;
	if (ra->kind == CP_CFI_UNDEFINED)
		return CP_RULE_END;
	if (sp->kind != CP_CFI_SAME &&
	    (sp->kind != CP_CFI_VAL_OFFSET || sp->u.offset != 0))
		return CP_RULE_NONE;
	rule = pack_cfa(a, row, pc);
	if (rule == CP_RULE_NONE ||
	    !cp_rule_saved(a, row->ra, &row->reg[a->fp], ra, &saved))
		return CP_RULE_NONE;
	return rule | saved;
}

/* -------------------------------------------------------------------- full */

static bool
rule_equal(const struct cp_cfi_rule *a, const struct cp_cfi_rule *b)
{
	return a->kind == b->kind && a->reg == b->reg && a->size == b->size &&
	       a->u.offset == b->u.offset;
}

static bool
full_equal(const struct cp_full_rule *a, const struct cp_full_rule *b)
{
	bool same = a->n == b->n && a->ra == b->ra && a->signal == b->signal &&
		    a->body == b->body && a->swap == b->swap &&
		    rule_equal(&a->cfa, &b->cfa);

	for (size_t i = 0; same && i < a->n; i++)
		same = a->saved[i].reg == b->saved[i].reg &&
		       rule_equal(&a->saved[i].rule, &b->saved[i].rule);
	return same;
}

static uint64_t
rule_hash(uint64_t h, uint64_t reg, const struct cp_cfi_rule *r)
{
	h = cp_mix(h, reg << 40 | (uint64_t)r->reg << 32 | r->kind);
	return cp_mix(h ^ r->size, (uint64_t)r->u.offset);
}

static struct cp_full_rule *
full_make(struct cp_arena *arena, const struct cp_arch *a,
    const struct cp_cfi_row *row, uint64_t *hash)
{
	struct cp_full_rule *f;
	unsigned n = 0;

	for (unsigned i = 0; i < a->regs; i++)
		n += row->reg[i].kind != CP_CFI_SAME;
	f = cp_arena_alloc(arena, sizeof(*f) + n * sizeof(f->saved[0]));
	f->cfa = row->cfa;
	f->ra = row->ra;
	f->signal = row->signal;
	f->body = row->body;
	f->swap = row->swap;
	*hash = rule_hash(row->ra, row->signal, &row->cfa);
	for (unsigned i = 0; i < a->regs; i++) {
		if (row->reg[i].kind == CP_CFI_SAME)
			continue;
		f->saved[f->n].reg = (uint8_t)i;
		f->saved[f->n++].rule = row->reg[i];
		*hash = rule_hash(*hash, i, &row->reg[i]);
	}
	return f;
}

uint32_t
cp_full_intern(struct cp_full_rules *t, const struct cp_arch *a,
    const struct cp_cfi_row *row)
{
	struct cp_arena scratch = { 0 };
	uint64_t hash;
	struct cp_full_rule *f, *kept;
	uint32_t *at;

	if (t->all.len >= CP_MAX_FULL_RULES)
		return 0;
	if (t->all.len == 0)
		*cp_vec_push(&t->all) = NULL;
	f = full_make(&scratch, a, row, &hash);
	at = cp_map64_put(&t->by_hash, hash);
	if (*at == 0 || !full_equal(t->all.data[*at], f)) {
		size_t n = sizeof(*f) + f->n * sizeof(f->saved[0]);

		kept = cp_arena_alloc(&t->arena, n);
		memcpy(kept, f, n);
		*at = (uint32_t)t->all.len;
		*cp_vec_push(&t->all) = kept;
	}
	cp_arena_free(&scratch);
	return *at;
}

void
cp_full_free(struct cp_full_rules *t)
{
	cp_vec_free(&t->all);
	cp_map64_free(&t->by_hash);
	cp_arena_free(&t->arena);
}
