/* SPDX-License-Identifier: MIT */
/*
 * perf_event_attr of every size that existed and some that did not, in both
 * byte orders.
 */
#include "readers/header/attr-decode.h"

#include "tests/readers/make.h"
#include "tests/tap.h"

static struct cp_diags diags;

static void
put_flags(struct make *m, uint64_t flags)
{
	uint64_t reversed = 0;

	/* A big-endian writer fills bit-fields from the other end. */
	for (int i = 0; i < 64; i++)
		reversed |= (flags >> i & 1) << (63 - i);
	put64(m, m->swap ? reversed : flags);
}

/* Field number n has the value n; what does not fit in size is left out. */
static struct make
attr(uint32_t size, bool swap)
{
	struct make m = make_new(swap);

	put32(&m, 1), put32(&m, size);
	put64(&m, 2), put64(&m, 3), put64(&m, 4), put64(&m, 5);
	put_flags(&m, 1u << CP_ATTR_SAMPLE_ID_ALL | 1u << CP_ATTR_FREQ);
	put32(&m, 6), put32(&m, 7);
	put64(&m, 8), put64(&m, 9), put64(&m, 10), put64(&m, 11);
	put32(&m, 12), put32(&m, 13);
	put64(&m, 14);
	put32(&m, 15), put16(&m, 16), put16(&m, 0);
	put32(&m, 17), put32(&m, 0);
	put64(&m, 18), put64(&m, 19), put64(&m, 20);
	while (m.b.len < 4096 + 8)
		put64(&m, 99);
	return m;
}

/* 0 where the attr is too short. */
static uint64_t
want(uint32_t size, uint32_t ends, uint64_t value)
{
	return size >= ends ? value : 0;
}

static bool
fields_right(const struct cp_attr *a, uint32_t n)
{
	return a->type == 1 && a->config == 2 && a->sample_period == 3 &&
	       a->sample_type == 4 && a->read_format == 5 &&
	       cp_attr_flag(a, CP_ATTR_SAMPLE_ID_ALL) &&
	       cp_attr_flag(a, CP_ATTR_FREQ) &&
	       !cp_attr_flag(a, CP_ATTR_INHERIT) && a->wakeup == 6 &&
	       a->bp_type == 7 && a->config1 == 8 &&
	       a->config2 == want(n, 72, 9) &&
	       a->branch_sample_type == want(n, 80, 10) &&
	       a->regs_user == want(n, 88, 11) &&
	       a->stack_user == want(n, 96, 12) &&
	       (uint32_t)a->clockid == want(n, 96, 13) &&
	       a->regs_intr == want(n, 104, 14) &&
	       a->aux_watermark == want(n, 112, 15) &&
	       a->max_stack == want(n, 112, 16) &&
	       a->aux_sample_size == want(n, 120, 17) &&
	       a->sig_data == want(n, 128, 18) &&
	       a->config3 == want(n, 136, 19) &&
	       a->config4 == want(n, 144, 20) && !a->noise;
}

static void
test_size(uint32_t size, bool swap)
{
	struct make m = attr(size, swap);
	struct cp_bytes b = make_bytes(&m);
	uint32_t used = size != 0 ? size : 64;
	struct cp_attr a;

	memset(&a, 0xff, sizeof(a));
	cp_diags_init(&diags);
	ok(cp_attr_read(&b, &a, &diags) == CP_OK && fields_right(&a, used),
	    "size %u, %s byte order", size, swap ? "foreign" : "native");
	is_u64(m.b.len - cp_bytes_left(&b), used, "%u bytes are taken", used);
	is_u64(diags.count[CP_D_NEWER_ATTR], size > 144,
	    "a newer one is mentioned");
	cp_buf_free(&m.b);
}

static void
test_refused(uint32_t size, size_t there)
{
	struct make m = attr(size, false);
	struct cp_bytes b = cp_bytes_of(m.b.data, there, false);
	struct cp_attr a;

	cp_diags_init(&diags);
	ok(cp_attr_read(&b, &a, &diags) == CP_FAIL &&
		diags.count[CP_D_BAD_ATTR] == 1,
	    "size %u in %zu bytes is refused", size, there);
	cp_buf_free(&m.b);
}

int
main(void)
{
	for (int swap = 0; swap <= 1; swap++) {
		test_size(0, swap != 0);
		for (uint32_t size = 64; size <= 200; size += 8)
			test_size(size, swap != 0);
		test_size(4096, swap != 0);
	}
	test_refused(63, 4096);
	test_refused(68, 4096);
	test_refused(8, 4096);
	test_refused(4104, 4104);
	test_refused(UINT32_MAX, 4096);
	test_refused(UINT32_MAX - 7, 4096);
	test_refused(64, 63);
	test_refused(72, 64);
	test_refused(0, 0);
	return done_testing();
}
