/* SPDX-License-Identifier: MIT */
/*
 * Runs the call frame program of a function once and keeps the packed rules of
 * all its rows.
 *
 * Addresses of the same function are asked for again and again.  A packed rule
 * needs only the CFA and where frame pointer and return address are: a tenth of
 * a full row, so that remember_state is cheap, which large functions use often.
 * Unusual, damaged and long programs are left to cp_cfi_execute().
 */
#include "symbolize/unwind/function-rules.h"

#include "base/limits.h"
#include "symbolize/cfi/constants.h"
#include "symbolize/cfi/fde-index.h"

enum { FP, RA, FOLLOWED, REMEMBER = 8 };

/* The longest instruction that this interpreter knows. */
enum { LONGEST = 8 };

/* Largest code alignment: its product with 32 bits must not overflow. */
enum { MOST_CODE = 255 };

struct state {
	struct cp_cfi_rule rule[FOLLOWED]; /* kind SAME or OFFSET */
	uint32_t saved; /* these rules, packed; 0: they do not fit */
	uint32_t cfa;
	uint8_t cfa_reg; /* CP_NO_REG: no CFA yet */
};

struct brief {
	const struct cp_arch *arch;
	const struct cp_cfi_cie *cie;
	uint8_t reg[FOLLOWED];
	struct state now, first, kept[REMEMBER];
	unsigned n_kept;
	struct cp_function_row *rows;
	uint32_t n_rows, last; /* number of rows; rule of the last row */
};

/* Reads a ULEB128 of at most 28 bits.  *p becomes NULL if it is longer. */
static inline uint32_t
read_number(const uint8_t **p)
{
	const uint8_t *s = *p;
	uint32_t v = *s & 0x7f;

	for (unsigned shift = 7; CP_UNLIKELY(*s++ & 0x80); shift += 7) {
		if (shift == 28) {
			*p = NULL;
			return 0;
		}
		v |= (uint32_t)(*s & 0x7f) << shift;
	}
	*p = s;
	return v;
}

static void
pack_saved(struct brief *b)
{
	struct state *now = &b->now;

	if (!cp_rule_saved(b->arch, b->cie->ra, &now->rule[FP], &now->rule[RA],
		&now->saved))
		now->saved = CP_RULE_NONE;
}

static inline void
offset_rule(struct brief *b, uint8_t reg, const uint8_t **p)
{
	uint64_t n = read_number(p);

	for (unsigned i = 0; i < FOLLOWED; i++)
		if (reg == b->reg[i]) {
			b->now.rule[i] =
			    (struct cp_cfi_rule){ .kind = CP_CFI_OFFSET };
			b->now.rule[i].u.offset =
			    (int64_t)(n * (uint64_t)b->cie->data_align);
			pack_saved(b);
		}
	if (CP_UNLIKELY(reg == b->arch->sp))
		*p = NULL;
}

static inline void
restore_rule(struct brief *b, uint8_t reg)
{
	for (unsigned i = 0; i < FOLLOWED; i++)
		if (reg == b->reg[i]) {
			b->now.rule[i] = b->first.rule[i];
			pack_saved(b);
		}
}

/* Reads the register of a CFA; its offset follows. */
static inline uint8_t
cfa_register(const struct brief *b, const uint8_t **p)
{
	uint8_t reg = *(*p)++;

	if (reg >= b->arch->regs)
		*p = NULL;
	return reg;
}

/* Instructions with an opcode of their own.  NULL: unknown. */
static inline const uint8_t *
step(struct brief *b, uint8_t op, const uint8_t *p)
{
	struct state *now = &b->now;

	switch (op) {
	case DW_CFA_def_cfa:
		now->cfa_reg = cfa_register(b, &p);
		if (p != NULL)
			now->cfa = read_number(&p);
		return p;
	case DW_CFA_def_cfa_register:
		if (now->cfa_reg == CP_NO_REG)
			return NULL;
		now->cfa_reg = cfa_register(b, &p);
		return p;
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: return p; /* see cfi/program.c */
	case DW_CFA_GNU_args_size: (void)read_number(&p); return p;
	case DW_CFA_remember_state:
		if (b->n_kept == REMEMBER)
			return NULL;
		b->kept[b->n_kept++] = *now;
		return p;
	case DW_CFA_restore_state:
		if (b->n_kept == 0)
			return NULL;
		*now = b->kept[--b->n_kept];
		return p;
	default: return NULL;
	}
}

/*
 * Reads a location advance in code units.  False: another opcode, or truncated.
 */
static inline bool
advances(uint8_t op, const uint8_t **p, bool swap, uint64_t *delta)
{
	const uint8_t *s = *p;

	switch (op) {
	case DW_CFA_advance_loc1:
		*delta = *s;
		*p = s + 1;
		return true;
	case DW_CFA_advance_loc2:
		*delta = cp_load16(s, swap);
		*p = s + 2;
		return true;
	case DW_CFA_advance_loc4:
		*delta = cp_load32(s, swap);
		*p = s + 4;
		return true;
	default: return false;
	}
}

/* Adds a row at loc with this rule. */
static inline void
add_row(struct brief *b, uint64_t loc, uint32_t rule)
{
	if (rule == b->last)
		return;
	b->rows[b->n_rows++] =
	    (struct cp_function_row){ .at = (uint32_t)loc, .rule = rule };
	b->last = rule;
}

static inline uint32_t
pack(const struct brief *b)
{
	const struct state *now = &b->now;
	uint32_t cfa = now->saved == CP_RULE_NONE
			   ? CP_RULE_NONE
			   : cp_rule_base(b->arch, now->cfa_reg, now->cfa);

	return cfa == CP_RULE_NONE ? CP_RULE_NONE : cfa | now->saved;
}

/*
 * Runs the whole program.  Returns false at an instruction this interpreter
 * does not know.  Row offsets have 32 bits; later rows are ignored.
 */
static bool
run_program(struct brief *b, struct cp_bytes program)
{
	const uint8_t *p = program.at, *end = program.end;
	const uint64_t code = b->cie->code_align;
	uint64_t loc = 0, delta;

	while (p < end) {
		const uint64_t from = loc;
		uint8_t op = *p++, low = op & 0x3f;

		/* The most frequent instructions first. */
		if ((op & 0xc0) == DW_CFA_advance_loc) {
			add_row(b, loc, pack(b));
			loc += low * code;
		} else if (op == DW_CFA_def_cfa_offset &&
			   b->now.cfa_reg != CP_NO_REG) {
			b->now.cfa = read_number(&p);
		} else if ((op & 0xc0) == DW_CFA_offset) {
			offset_rule(b, low, &p);
		} else if ((op & 0xc0) == DW_CFA_restore) {
			restore_rule(b, low);
		} else if (advances(op, &p, program.swap, &delta)) {
			add_row(b, loc, pack(b));
			loc += delta * code;
			if (CP_UNLIKELY(loc > UINT32_MAX) && p <= end)
				return true;
		} else {
			p = step(b, op, p);
		}
		if (CP_UNLIKELY(p == NULL || p > end)) {
			add_row(b, from, CP_RULE_NONE);
			return false;
		}
	}
	add_row(b, loc, pack(b));
	return true;
}

static bool
is_usual(const struct cp_arch *a, const struct cp_cfi_fde *f)
{
	return a->packed && !f->cie.signal && f->cie.ra < a->regs &&
	       f->cie.ra != a->fp && f->cie.ra != a->sp &&
	       f->cie.code_align <= MOST_CODE &&
	       f->limit - f->program.end >= LONGEST &&
	       f->limit - f->cie.program.end >= LONGEST &&
	       cp_bytes_left(&f->program) + cp_bytes_left(&f->cie.program) <=
		   CP_MAX_CHEAP_RULE;
}

/* Finds all rows of a function; returns how many. */
static uint32_t
find_rows(const struct cp_arch *a, const struct cp_cfi_fde *f,
    struct cp_function_row *rows)
{
	struct brief b;

	if (!is_usual(a, f))
		return 0;
	b.arch = a;
	b.cie = &f->cie;
	b.rows = rows;
	b.reg[FP] = a->fp;
	b.reg[RA] = f->cie.ra;
	b.now = (struct state){ .cfa_reg = CP_NO_REG };
	pack_saved(&b);
	b.first = b.now;
	b.n_rows = b.n_kept = 0;
	b.last = CP_RULE_NONE;
	if (!run_program(&b, f->cie.program))
		return 0;
	b.first = b.now;
	/* rows of the CIE start again with the function */
	b.n_rows = b.n_kept = 0;
	b.last = CP_RULE_NONE;
	(void)run_program(&b, f->program);
	return b.n_rows;
}

/* ------------------------------------------------------------ what is kept */

void
cp_function_rules_free(struct cp_function_rules *k)
{
	cp_vec_free(&k->functions);
	cp_map64_free(&k->by_fde);
	cp_arena_free(&k->arena);
	free(k->scratch);
	free(k->recent);
	k->scratch = NULL;
	k->recent = NULL;
}

static inline bool
covers(const struct cp_function *f, uint64_t addr)
{
	return addr >= f->from && addr < f->to;
}

/*
 * Makes a direct-mapped table of recent functions, by block of code.  Its size
 * is half the number of functions, within limits.
 */
static void
recent_make(struct cp_function_rules *k, size_t functions)
{
	uint32_t n = CP_FUNCTIONS_LEAST;

	while (n < CP_FUNCTIONS_MOST && n < functions / 2)
		n *= 2;
	k->recent = cp_xcalloc(n, sizeof(*k->recent));
	k->recent_mask = n - 1;
}

static inline uint32_t *
recent_of(const struct cp_function_rules *k, uint64_t addr)
{
	return &k->recent[addr / CP_FUNCTIONS_BLOCK & k->recent_mask];
}

/* Enters the function in all its blocks, up to a limit. */
static void
recent_fill(
    struct cp_function_rules *k, const struct cp_function *f, uint32_t number)
{
	uint64_t at = f->from;

	for (unsigned n = 0; n < 64 && at < f->to; n++) {
		*recent_of(k, at) = number;
		at = (at / CP_FUNCTIONS_BLOCK + 1) * CP_FUNCTIONS_BLOCK;
		if (at == 0)
			break;
	}
}

/*
 * Finds a function whose rows are kept.  NULL: it is new, and *e is its entry
 * in the search table (e->at is UINT64_MAX if there is none).
 */
static const struct cp_function *
known_function(const struct cp_function_rules *k, struct cp_cfi *c,
    uint64_t addr, struct cp_cfi_entry *e)
{
	const struct cp_function *all = k->functions.data;
	uint32_t i;

	if (k->recent != NULL) {
		i = *recent_of(k, addr);
		if (i != 0 && covers(&all[i - 1], addr))
			return &all[i - 1];
	}
	if (!cp_cfi_table_entry(c, addr, e))
		return NULL;
	i = cp_map64_get(&k->by_fde, (uintptr_t)c->eh.bytes.at + e->at);
	if (i == 0 || !covers(&all[i - 1], addr))
		return NULL;
	if (e->alone)
		*recent_of(k, addr) = i;
	return &all[i - 1];
}

/* An instruction adds at most one row, the end adds one. */
enum { MOST_ROWS = CP_MAX_CHEAP_RULE + 1 };

static void
keep_rows(struct cp_arena *arena, struct cp_function *f,
    const struct cp_function_row *rows, uint32_t n)
{
	struct cp_function_row *own = cp_arena_alloc(arena, n * sizeof(*rows));

	memcpy(own, rows, n * sizeof(*rows));
	f->rows = own;
	f->n = n;
}

/*
 * Adds a function.  Only with a sorted search table are all its addresses
 * certain to be its own; otherwise a part may belong to another FDE that was
 * not looked up yet.
 */
static const struct cp_function *
add_function(struct cp_function_rules *k, const struct cp_cfi *c,
    const struct cp_cfi_fde *fde, const struct cp_cfi_entry *e)
{
	struct cp_function *f;
	uint32_t *i;

	if (k->arena.used >= CP_MAX_CFI_ROWS)
		cp_function_rules_free(k);
	if (k->scratch == NULL) {
		k->scratch = cp_xmalloc(MOST_ROWS * sizeof(*k->scratch));
		recent_make(k, c->table_len);
	}
	i = cp_map64_put(&k->by_fde, (uintptr_t)fde->at);
	if (*i != 0)
		return &k->functions.data[*i - 1];
	f = cp_vec_push(&k->functions);
	*i = (uint32_t)k->functions.len;
	f->start = f->from = fde->start;
	f->to = fde->end;
	keep_rows(
	    &k->arena, f, k->scratch, find_rows(c->arch, fde, k->scratch));
	if (e != NULL && e->alone) {
		f->from = CP_MAX(f->from, e->from);
		f->to = CP_MIN(f->to, e->to);
		recent_fill(k, f, *i);
	}
	return f;
}

uint32_t
cp_function_rule(struct cp_function_rules *k, struct cp_cfi *c, uint64_t addr)
{
	struct cp_cfi_entry e = { .at = UINT64_MAX };
	const struct cp_function *f = known_function(k, c, addr, &e);
	const struct cp_function_row *row;
	struct cp_cfi_fde fde;
	uint64_t at;

	if (f == NULL) {
		bool there =
		    e.at != UINT64_MAX && cp_cfi_entry_fde(c, &e, addr, &fde);

		if (!there && !cp_cfi_find(c, addr, &fde))
			return CP_RULE_NONE;
		f = add_function(k, c, &fde, there ? &e : NULL);
	}
	at = addr - f->start;
	if (f->n == 0 || at > UINT32_MAX)
		return CP_RULE_NONE;
	row = f->rows;
	/* last row at or before the address */
	for (uint32_t n = f->n; n > 1;) {
		uint32_t half = n / 2;

		row = row[half].at <= at ? row + half : row;
		n -= half;
	}
	return row->at <= at ? row->rule : CP_RULE_NONE;
}
