/* SPDX-License-Identifier: MIT */
/*
 * mkperf: samples, field by field in the order of the format.
 *
 * A field is written if the event's sample_type has its bit; what the
 * statement does not say is zero or empty.  A key for a field that the event
 * does not have is a mistake.
 */
#include "mkperf.h"

struct sample {
	struct mk *mk;
	const struct mk_event *e;
	struct cp_buf b;
};

static bool
has(const struct sample *s, enum mk_st bit)
{
	return s->e->sample_type >> bit & 1;
}

static void
word(struct sample *s, enum mk_st bit, const char *key, uint64_t fallback)
{
	if (has(s, bit))
		mk_put(s->mk, &s->b, 8, mk_num(s->mk, key, fallback));
}

static void
pair(struct sample *s, const char *first, const char *second, bool same)
{
	uint64_t a = mk_num(s->mk, first, 0);
	uint64_t b = second != NULL ? mk_num(s->mk, second, same ? a : 0) : 0;

	mk_put(s->mk, &s->b, 4, a);
	mk_put(s->mk, &s->b, 4, b);
}

static void
put_head(struct sample *s)
{
	uint64_t id = s->e->ids.len != 0 ? s->e->ids.data[0] : 0;

	word(s, ST_IDENTIFIER, "id", id);
	word(s, ST_IP, "ip", 0);
	if (has(s, ST_TID))
		pair(s, "pid", "tid", true);
	word(s, ST_TIME, "time", 0);
	word(s, ST_ADDR, "addr", 0);
	word(s, ST_ID, "id", id);
	word(s, ST_STREAM_ID, "stream", mk_num(s->mk, "id", id));
	if (has(s, ST_CPU))
		pair(s, "cpu", NULL, false);
	word(s, ST_PERIOD, "period", s->e->period);
}

/* read= holds all words of the field, as they stand in the record. */
static void
put_read(struct sample *s)
{
	const char *v = mk_key(s->mk, "read");
	uint64_t f = s->e->read_format;
	unsigned words = 1 + (f & 1) + (f >> 1 & 1);

	if (v != NULL) {
		mk_list(s->mk, &s->b, v, 8);
		return;
	}
	if (!(f & 8))
		words += (f >> 2 & 1) + (f >> 4 & 1);
	mk_zeros(&s->b, 8 * words);
}

static void
put_chain(struct sample *s)
{
	const char *v = mk_key(s->mk, "chain");
	uint64_t n = v != NULL ? mk_elements(v) : 0;

	mk_put(s->mk, &s->b, 8, mk_num(s->mk, "chain_nr", n));
	if (v != NULL)
		mk_list(s->mk, &s->b, v, 8);
}

/* u32 size, data; filled up so that the field is a multiple of 8. */
static void
put_raw(struct sample *s)
{
	const char *v = mk_key(s->mk, "raw");
	struct cp_buf data;

	cp_buf_init(&data, 1u << 20);
	if (v != NULL)
		mk_items(s->mk, &data, v, 0);
	while ((data.len + 4) % 8 != 0)
		cp_buf_char(&data, 0);
	mk_put(s->mk, &s->b, 4, mk_num(s->mk, "raw_size", data.len));
	cp_buf_add(&s->b, data.data, data.len);
	cp_buf_free(&data);
}

/* The flags are a bit-field; a big-endian writer fills it from the top. */
static uint64_t
branch_flags(const struct mk *mk, uint64_t v)
{
	static const unsigned char width[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3 };
	uint64_t out = 0;
	unsigned at = 0;

	if (!mk->big)
		return v;
	for (size_t i = 0; i < CP_ARRAY_LEN(width); i++) {
		uint64_t f = v >> at & ((UINT64_C(1) << width[i]) - 1);

		at += width[i];
		out |= f << (64 - at);
	}
	return out;
}

/* One branch: from:to[:flags]. */
static void
put_branch(struct sample *s, const char *v, size_t n)
{
	for (unsigned part = 0; part < 3; part++) {
		size_t len = 0;
		uint64_t w;

		while (len < n && v[len] != ':')
			len++;
		w = len != 0 ? mk_expr(s->mk, v, len) : 0;
		mk_put(s->mk, &s->b, 8, part == 2 ? branch_flags(s->mk, w) : w);
		len += len < n;
		v += len;
		n -= len;
	}
}

static void
put_branches(struct sample *s)
{
	const char *v = mk_key(s->mk, "branch");
	const char *c = mk_key(s->mk, "counters");
	uint64_t n = v != NULL ? mk_elements(v) : 0;

	mk_put(s->mk, &s->b, 8, mk_num(s->mk, "branch_nr", n));
	if (s->e->branch_type >> 17 & 1)
		mk_put(s->mk, &s->b, 8, mk_num(s->mk, "hw_idx", 0));
	while (v != NULL && *v != '\0') {
		size_t len = mk_element(v);

		put_branch(s, v, len);
		v += len;
		v += *v == ',';
	}
	if (c != NULL)
		mk_list(s->mk, &s->b, c, 8);
}

/* regs_user=ABI,value...: the values of the set bits of the mask. */
static void
put_regs(struct sample *s, const char *key, uint64_t mask)
{
	const char *v = mk_key(s->mk, key);
	size_t n = v != NULL ? mk_elements(v) : 0;
	size_t want = 1 + (size_t)__builtin_popcountll(mask);

	if (n == 0)
		mk_put(s->mk, &s->b, 8, 0);
	else if (n != want && n != 1)
		mk_die(
		    s->mk, "%s: %zu values, the mask wants %zu", key, n, want);
	else
		mk_list(s->mk, &s->b, v, 8);
}

static void
put_stack(struct sample *s)
{
	const char *v = mk_key(s->mk, "stack");
	struct cp_buf data;
	uint64_t size, dyn;

	cp_buf_init(&data, 1u << 20);
	if (v != NULL)
		mk_items(s->mk, &data, v, 0);
	dyn = mk_num(s->mk, "stack_dyn", data.len);
	size = mk_num(s->mk, "stack_size", cp_align8(data.len));
	mk_put(s->mk, &s->b, 8, size);
	if (size > data.len && size <= 65535)
		mk_zeros(&data, size - data.len);
	if (size != 0) {
		cp_buf_add(&s->b, data.data, data.len);
		mk_put(s->mk, &s->b, 8, dyn);
	}
	cp_buf_free(&data);
}

static void
put_aux(struct sample *s)
{
	const char *v = mk_key(s->mk, "aux");
	struct cp_buf data;

	cp_buf_init(&data, 1u << 20);
	if (v != NULL)
		mk_items(s->mk, &data, v, 0);
	mk_align(&data, 0, 8);
	mk_put(s->mk, &s->b, 8, mk_num(s->mk, "aux_size", data.len));
	cp_buf_add(&s->b, cp_buf_text(&data), data.len);
	cp_buf_free(&data);
}

static void
put_body(struct sample *s)
{
	if (has(s, ST_READ))
		put_read(s);
	if (has(s, ST_CALLCHAIN))
		put_chain(s);
	if (has(s, ST_RAW))
		put_raw(s);
	if (has(s, ST_BRANCH_STACK))
		put_branches(s);
	if (has(s, ST_REGS_USER))
		put_regs(s, "regs_user", s->e->regs_user);
	if (has(s, ST_STACK_USER))
		put_stack(s);
}

static void
put_foot(struct sample *s)
{
	word(s, has(s, ST_WEIGHT) ? ST_WEIGHT : ST_WEIGHT_STRUCT, "weight", 0);
	word(s, ST_DATA_SRC, "data_src", 0);
	word(s, ST_TRANSACTION, "transaction", 0);
	if (has(s, ST_REGS_INTR))
		put_regs(s, "regs_intr", s->e->regs_intr);
	word(s, ST_PHYS_ADDR, "phys_addr", 0);
	word(s, ST_CGROUP, "cgroup", 0);
	word(s, ST_DATA_PAGE_SIZE, "data_page_size", 0);
	word(s, ST_CODE_PAGE_SIZE, "code_page_size", 0);
	if (has(s, ST_AUX))
		put_aux(s);
}

/* sample [EVENT] key=value...; user mode unless ip is in the upper half. */
void
mk_sample(struct mk *mk)
{
	struct sample s = { .mk = mk, .e = mk_event(mk, mk_next(mk)) };
	uint64_t ip = mk_num(mk, "ip", 0);

	cp_buf_init(&s.b, MK_MAX_FILE);
	put_head(&s);
	put_body(&s);
	put_foot(&s);
	mk_emit(mk, 9, ip >> 63 ? 1 : 2, &s.b);
	cp_buf_free(&s.b);
}
