/* SPDX-License-Identifier: MIT */
/*
 * readers/header/feature-bpf.c: BPF programs that were loaded when recording
 * ended.
 *
 * Takes from each struct bpf_prog_info what is needed to name addresses: id,
 * tag, name and the addresses of its compiled parts.  Skips instructions, maps
 * and line tables; only counts BTF.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "readers/header/feature-read.h"

/* Offsets in struct bpf_prog_info (linux/bpf.h). */
enum {
	INFO_TYPE = 0,
	INFO_ID = 4,
	INFO_TAG = 8,
	INFO_NAME = 64, /* 16 bytes */
	INFO_NR_KSYMS = 104,
	INFO_NR_LENS = 108,
	INFO_KSYMS = 112, /* an offset into the data, as perf writes it */
	INFO_LENS = 120,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_SIZE_NAME = 80, /* a struct of this size has the name */
	/* Bits of the word that says which arrays follow. */
	HAS_KSYMS = 1 << 3,
	HAS_LENS = 1 << 4,
	HAS_TAGS = 1 << 8,
};

struct bpf_parts {
	const uint8_t *info, *data;
	uint32_t info_len, data_len;
	uint64_t arrays;
	bool swap;
};

/* Older kernels have a shorter struct: missing fields are 0. */
static uint32_t
info_u32(const struct bpf_parts *p, size_t at)
{
	return at + 4 <= p->info_len ? cp_load32(p->info + at, p->swap) : 0;
}

/* Returns the array that info points to, NULL if it is not complete. */
static const uint8_t *
array_at(
    const struct bpf_parts *p, uint32_t has, size_t at, uint64_t n, size_t size)
{
	uint64_t offset;

	if (n == 0 || (p->arrays & has) == 0 || at + 8 > p->info_len)
		return NULL;
	offset = cp_load64(p->info + at, p->swap);
	if (offset > p->data_len || n > (p->data_len - offset) / size)
		return NULL;
	return p->data + offset;
}

static void
add_ksyms(struct cp_fx *x, struct cp_bpf_prog *prog, const struct bpf_parts *p)
{
	uint32_t n = info_u32(p, INFO_NR_KSYMS);
	const uint8_t *addrs = array_at(p, HAS_KSYMS, INFO_KSYMS, n, 8);
	const uint8_t *lens = array_at(p, HAS_LENS, INFO_LENS, n, 4);
	const uint8_t *tags = NULL;

	if (addrs == NULL || lens == NULL || info_u32(p, INFO_NR_LENS) != n)
		return;
	if (info_u32(p, INFO_NR_TAGS) == n)
		tags = array_at(p, HAS_TAGS, INFO_TAGS, n, 8);
	prog->ksyms = cp_arena_alloc(&x->info->arena, n * sizeof(*prog->ksyms));
	prog->n_ksyms = n;
	for (uint32_t i = 0; i < n; i++) {
		struct cp_bpf_ksym *k = &prog->ksyms[i];

		k->addr = cp_load64(addrs + 8 * (size_t)i, p->swap);
		k->len = cp_load32(lens + 4 * (size_t)i, p->swap);
		memcpy(k->tag, tags != NULL ? tags + 8 * (size_t)i : prog->tag,
		    sizeof(k->tag));
	}
}

static void
bpf_prog(struct cp_fx *x, const struct bpf_parts *p)
{
	struct cp_bpf_prog prog = { 0 };

	prog.type = info_u32(p, INFO_TYPE);
	prog.id = info_u32(p, INFO_ID);
	memcpy(prog.tag, p->info + INFO_TAG, sizeof(prog.tag));
	if (p->info_len >= INFO_SIZE_NAME)
		memcpy(prog.name, p->info + INFO_NAME, 16);
	add_ksyms(x, &prog, p);
	*cp_vec_push(&x->info->bpf_progs) = prog;
	cp_fx_fact(x, "bpf-program",
	    "%" PRIu32 ": %s, tag %016" PRIx64 ", %" PRIu32 " parts", prog.id,
	    prog.name,
	    cp_load64(prog.tag, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
	    prog.n_ksyms);
}

/* perf 6.17 reserves the section even if it writes nothing into it. */
static uint32_t
count(struct cp_fx *x, size_t min)
{
	return cp_bytes_left(&x->b) == 0 ? 0
					 : cp_fx_count(x, min, CP_MAX_ITEMS);
}

void
cp_fx_bpf_progs(struct cp_fx *x)
{
	uint32_t n = count(x, 16);

	for (uint32_t i = 0; i < n; i++) {
		struct bpf_parts p = { .swap = x->b.swap };

		p.info_len = cp_bytes_u32(&x->b);
		p.data_len = cp_bytes_u32(&x->b);
		p.arrays = cp_bytes_u64(&x->b);
		p.info = cp_bytes_take(&x->b, p.info_len);
		p.data = cp_bytes_take(&x->b, p.data_len);
		if (x->b.failed)
			return;
		if (p.info_len < INFO_TAG + 8) {
			cp_fx_bad(x, "a program is too short");
			return;
		}
		bpf_prog(x, &p);
	}
}

void
cp_fx_bpf_btf(struct cp_fx *x)
{
	uint32_t n = count(x, 8);

	for (uint32_t i = 0; i < n; i++) {
		cp_bytes_u32(&x->b);
		cp_bytes_take(&x->b, cp_bytes_u32(&x->b));
		if (x->b.failed)
			break;
		x->info->n_btf++;
	}
	cp_fx_fact(x, "bpf-btf", "%" PRIu32, x->info->n_btf);
}
