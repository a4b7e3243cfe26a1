/* SPDX-License-Identifier: MIT */
#include "readers/header/attr-decode.h"

#include "base/limits.h"
#include "readers/rules.h"

uint64_t
cp_attr_flags(uint64_t v, bool swap)
{
	const uint16_t one = 1;
	bool big = (*(const uint8_t *)&one == 0) != swap;
	uint64_t r = 0;

	if (!big)
		return v;
	for (int i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

static void
attr_fields(struct cp_bytes *b, struct cp_attr *a)
{
	a->type = cp_bytes_u32(b);
	a->size = cp_bytes_u32(b);
	a->config = cp_bytes_u64(b);
	a->sample_period = cp_bytes_u64(b);
	a->sample_type = cp_bytes_u64(b);
	a->read_format = cp_bytes_u64(b);
	a->flags = cp_attr_flags(cp_bytes_u64(b), b->swap);
	a->wakeup = cp_bytes_u32(b);
	a->bp_type = cp_bytes_u32(b);
	a->config1 = cp_bytes_u64(b);
	a->config2 = cp_bytes_u64(b);
	a->branch_sample_type = cp_bytes_u64(b);
	a->regs_user = cp_bytes_u64(b);
	a->stack_user = cp_bytes_u32(b);
	a->clockid = (int32_t)cp_bytes_u32(b);
	a->regs_intr = cp_bytes_u64(b);
	a->aux_watermark = cp_bytes_u32(b);
	a->max_stack = cp_bytes_u16(b);
	(void)cp_bytes_u16(b);
	a->aux_sample_size = cp_bytes_u32(b);
	(void)cp_bytes_u32(b);
	a->sig_data = cp_bytes_u64(b);
	a->config3 = cp_bytes_u64(b);
	a->config4 = cp_bytes_u64(b);
}

/* Kernels add one bit in some years; 24 is the last one today. */
enum { LAST_SAMPLE_BIT = 39 };

int
cp_attr_read(struct cp_bytes *in, struct cp_attr *out, struct cp_diags *diags)
{
	uint8_t whole[CP_ATTR_SIZE_KNOWN] = { 0 };
	struct cp_bytes b = cp_bytes_of(whole, sizeof(whole), in->swap);
	const uint8_t *p = in->at;
	uint32_t size;

	if (cp_bytes_left(in) < CP_ATTR_SIZE_VER0) {
		cp_found(diags, CP_R_ATTR_SIZE, diags->at_offset,
		    "only %zu byte%s left", cp_bytes_left(in),
		    cp_s(cp_bytes_left(in)));
		return CP_FAIL;
	}
	size = cp_load32(p + 4, in->swap);
	if (size == 0)
		size = CP_ATTR_SIZE_VER0;
	if (size < CP_ATTR_SIZE_VER0 || size > CP_MAX_ATTR_SIZE ||
	    size % 8 != 0 || cp_bytes_take(in, size) == NULL) {
		cp_found(diags, CP_R_ATTR_SIZE, diags->at_offset,
		    "size %" PRIu32, size);
		return CP_FAIL;
	}
	if (size > CP_ATTR_SIZE_KNOWN)
		cp_diag(diags, CP_D_NEWER_ATTR, "size %" PRIu32, size);
	memcpy(whole, p, CP_MIN(size, (uint32_t)CP_ATTR_SIZE_KNOWN));
	*out = (struct cp_attr){ 0 };
	attr_fields(&b, out);
	out->size = size;
	if (out->sample_type >> LAST_SAMPLE_BIT > 1)
		cp_found(diags, CP_R_ATTR_BITS, diags->at_offset,
		    "sample_type %#" PRIx64, out->sample_type);
	return CP_OK;
}

bool
cp_attr_clear_noise(struct cp_attr *a, struct cp_diags *diags)
{
	const uint64_t known = CP_SAMPLE_KNOWN, st = a->sample_type;

	if (__builtin_popcountll(st & ~known) <= 1 ||
	    ((st & known) != 0 && st >> LAST_SAMPLE_BIT <= 1))
		return true;
	a->sample_type = st & known;
	a->noise = true;
	cp_found(diags, CP_R_ATTR_NOISE, diags->at_offset,
	    "sample_type %#" PRIx64 " has noise", st);
	return a->sample_type != 0;
}
