/* SPDX-License-Identifier: MIT */
/* readers/formats/machine.h: the stack of values of eval.c and its helpers. */
#ifndef CP_READERS_FORMATS_MACHINE_H
#define CP_READERS_FORMATS_MACHINE_H

#include "base/bytes.h"
#include "readers/formats/expr.h"

struct cp_machine {
	struct cp_payload_view *v;
	struct cp_value stack[CP_EXPR_STACK];
	size_t depth;
	bool failed;
};

static inline struct cp_value *
cp_machine_push(struct cp_machine *m)
{
	if (m->depth == CP_EXPR_STACK) {
		m->failed = true;
		return &m->stack[0];
	}
	m->stack[m->depth] = (struct cp_value){ 0 };
	return &m->stack[m->depth++];
}

/* Returns the value n below the top. */
static inline struct cp_value *
cp_machine_top(struct cp_machine *m, size_t n)
{
	if (m->depth <= n) {
		m->failed = true;
		return &m->stack[0];
	}
	return &m->stack[m->depth - 1 - n];
}

static inline bool
cp_machine_inside(const struct cp_payload_view *v, uint64_t at, uint64_t n)
{
	return at <= v->size && n <= v->size - at;
}

static inline uint64_t
cp_machine_resize(uint64_t x, unsigned size, bool is_signed)
{
	switch (size) {
	case 1: return is_signed ? (uint64_t)(int8_t)x : (uint8_t)x;
	case 2: return is_signed ? (uint64_t)(int16_t)x : (uint16_t)x;
	case 4: return is_signed ? (uint64_t)(int32_t)x : (uint32_t)x;
	default: return x;
	}
}

/* Reads a number; false: it lies outside, or has no such size. */
static inline bool
cp_machine_load(const struct cp_payload_view *v, uint64_t at, unsigned size,
    bool is_signed, uint64_t *out)
{
	if (!cp_machine_inside(v, at, size))
		return false;
	switch (size) {
	case 1: *out = v->raw[at]; break;
	case 2: *out = cp_load16(v->raw + at, v->swap); break;
	case 4: *out = cp_load32(v->raw + at, v->swap); break;
	case 8: *out = cp_load64(v->raw + at, v->swap); break;
	default: return false;
	}
	*out = cp_machine_resize(*out, size, is_signed);
	return true;
}

/* helpers.c: runs a helper, as __print_flags(). */
void cp_machine_helper(struct cp_machine *, const struct cp_instr *);

#endif
