/* SPDX-License-Identifier: MIT */
/*
 * PERF_RECORD_SAMPLE with every field, in both byte orders; each field alone;
 * and the counts in it that must not be believed.
 */
#include "base/limits.h"
#include "model/session.h"
#include "readers/record/decode.h"

#include "tests/readers/make.h"
#include "tests/tap.h"

static struct cp_evsels evsels;
static struct cp_diags diags;
static struct make m;
static struct cp_event ev;

static void
begin(bool swap, uint64_t sample_type, uint64_t read_format)
{
	struct cp_attr a = { .sample_type = sample_type,
		.read_format = read_format,
		.sample_period = 4000,
		.branch_sample_type =
		    1u << CP_BRANCH_HW_INDEX | 1u << CP_BRANCH_COUNTERS,
		.regs_user = 0x7,
		.regs_intr = UINT64_C(1) << 63 };

	cp_diags_init(&diags);
	cp_evsels_id(&evsels, cp_evsels_add(&evsels, &a, &diags), 100);
	m = make_new(swap);
	put32(&m, CP_RECORD_SAMPLE);
	put16(&m, CP_LEVEL_USER);
	put16(&m, 0);
}

static void
end(void)
{
	cp_evsels_free(&evsels);
	cp_buf_free(&m.b);
}

static enum cp_decoded
decode(void)
{
	struct cp_record_head h = { .type = CP_RECORD_SAMPLE,
		.misc = CP_LEVEL_USER,
		.size = (uint32_t)m.b.len };

	return cp_decode(&evsels, (const uint8_t *)m.b.data, &h, m.swap, &ev);
}

static void
put_head(void)
{
	put64(&m, 100);                /* IDENTIFIER */
	put64(&m, 0x1234);             /* IP */
	put32(&m, 7), put32(&m, 8);    /* TID */
	put64(&m, 999);                /* TIME */
	put64(&m, 0xadd);              /* ADDR */
	put64(&m, 100), put64(&m, 55); /* ID, STREAM_ID */
	put32(&m, 3), put32(&m, 0);    /* CPU */
	put64(&m, 5000);               /* PERIOD */
}

static void
put_middle(void)
{
	/* READ: a group of two with id and lost */
	put64(&m, 2), put64(&m, 10), put64(&m, 11);
	for (uint64_t i = 0; i < 6; i++)
		put64(&m, i);
	put64(&m, 3); /* CALLCHAIN */
	put64(&m, CP_CONTEXT_USER), put64(&m, 0x1234), put64(&m, 0x5678);
	put32(&m, 4); /* RAW */
	put32(&m, 0xabcd);
	put64(&m, 1), put64(&m, 9); /* BRANCH_STACK, hw_idx */
	put64(&m, 0x11), put64(&m, 0x22), put64(&m, 0);
	put64(&m, 0x33); /* counters */
}

static void
put_tail(void)
{
	put64(&m, 2); /* REGS_USER */
	put64(&m, 1), put64(&m, 2), put64(&m, 3);
	put64(&m, 16); /* STACK_USER */
	put64(&m, 0xaa), put64(&m, 0xbb);
	put64(&m, 8);
	put64(&m, 21), put64(&m, 22), put64(&m, 23);
	put64(&m, 1), put64(&m, 0xf1a6); /* REGS_INTR */
	put64(&m, 24), put64(&m, 25), put64(&m, 26), put64(&m, 27);
	put64(&m, 8), put64(&m, 0xa0); /* AUX */
}

static void
check_head(void)
{
	const struct cp_ev_sample *s = &ev.u.sample;

	ok(s->ip == 0x1234 && s->addr == 0xadd && s->period == 5000,
	    "ip, addr, period");
	ok(ev.id == 100 && ev.pid == 7 && ev.tid == 8 && ev.time == 999 &&
		ev.cpu == 3 && ev.evsel == 0,
	    "id, pid, tid, time, cpu");
	is_u64(s->read_size, 72, "bytes of counter values");
	ok(s->nr == 3 && s->ips[0] == CP_CONTEXT_USER && s->ips[2] == 0x5678,
	    "chain in host order");
	ok(s->raw_size == 4 && cp_load32(s->raw, m.swap) == 0xabcd, "raw");
	ok(s->branch_nr == 1 && s->branch_hw_idx == 9 &&
		cp_load64(s->branch + 8, m.swap) == 0x22,
	    "branches");
}

static void
check_tail(const struct cp_ev_sample *s)
{
	ok(s->user_abi == 2 && cp_load64(s->user_regs + 16, m.swap) == 3,
	    "user registers");
	ok(s->user_stack_size == 8 && cp_load64(s->user_stack, m.swap) == 0xaa,
	    "user stack");
	ok(s->weight == 21 && s->data_src == 22 && s->transaction == 23,
	    "weight, data source, transaction");
	ok(s->intr_abi == 1 && cp_load64(s->intr_regs, m.swap) == 0xf1a6,
	    "interrupt registers");
	ok(s->phys_addr == 24 && s->cgroup == 25 && s->data_page_size == 26 &&
		s->code_page_size == 27,
	    "address, cgroup, page sizes");
}

static void
test_all(bool swap)
{
	uint64_t st = CP_SAMPLE_KNOWN & ~(uint64_t)CP_SAMPLE_WEIGHT_STRUCT;
	struct cp_event *copy;

	begin(swap, st, 31);
	put_head();
	put_middle();
	put_tail();
	is_u64(decode(), CP_DECODED_EXACT, "all fields, %s byte order",
	    swap ? "foreign" : "native");
	check_head();
	check_tail(&ev.u.sample);
	is_u64(ev.u.sample.aux_size, 8, "AUX");
	copy = cp_event_copy(&ev);
	memset(m.b.data, 0xff, m.b.len);
	diag("a copy stays when the bytes have gone");
	check_tail(&copy->u.sample);
	free(copy);
	end();
}

/* Every cut of it and every count in it that is too large is noticed. */
static void
test_cuts(bool swap)
{
	uint64_t st = CP_SAMPLE_KNOWN & ~(uint64_t)CP_SAMPLE_WEIGHT_STRUCT;
	size_t n, believed = 0;

	begin(swap, st, 31);
	put_head();
	put_middle();
	put_tail();
	n = m.b.len;
	for (m.b.len = 8; m.b.len < n; m.b.len += 4)
		believed += decode() != CP_DECODED_BAD;
	is_u64(believed, 0, "%zu cuts are noticed", (n - 8) / 4);
	m.b.len = n;
	put64(&m, 0);
	is_u64(decode(), CP_DECODED_SLACK, "and so are 8 bytes too many");
	is_u64(ev.slack, 8, "which are counted");
	end();
}

static void
test_counts(bool swap)
{
	static const uint64_t evil[] = { UINT64_MAX, UINT64_MAX / 8,
		UINT64_MAX / 8 + 1, UINT64_MAX / 24 + 1, UINT32_MAX,
		CP_MAX_CHAIN + 1, UINT64_C(1) << 63 };
	static const uint64_t types[] = { CP_SAMPLE_READ, CP_SAMPLE_CALLCHAIN,
		CP_SAMPLE_RAW, CP_SAMPLE_BRANCH_STACK, CP_SAMPLE_STACK_USER,
		CP_SAMPLE_AUX, CP_SAMPLE_REGS_USER };
	size_t believed = 0;

	for (size_t t = 0; t < CP_ARRAY_LEN(types); t++)
		for (size_t i = 0; i < CP_ARRAY_LEN(evil); i++) {
			begin(swap, types[t], CP_FORMAT_GROUP);
			if (types[t] == CP_SAMPLE_RAW)
				put32(&m, (uint32_t)evil[i] | 0x80000000);
			else
				put64(&m, evil[i]);
			for (int w = 0; w < 6; w++)
				put64(&m, 0);
			believed += decode() != CP_DECODED_BAD;
			end();
		}
	is_u64(believed, 0, "impossible counts are not believed");
}

static void
test_ids(bool swap)
{
	struct cp_attr a = { .sample_type = CP_SAMPLE_IP | CP_SAMPLE_ID };

	begin(swap, CP_SAMPLE_IP | CP_SAMPLE_ID, 0);
	cp_evsels_id(&evsels, cp_evsels_add(&evsels, &a, &diags), 200);
	put64(&m, 0x10), put64(&m, 200);
	is_u64(decode(), CP_DECODED_EXACT, "of the second event");
	is_u64(ev.evsel, 1, "by its id");
	is_u64(ev.u.sample.period, 0, "with its fixed period");
	m.b.len = 8;
	put64(&m, 0x10), put64(&m, 0);
	decode();
	is_u64(ev.evsel, 0, "id 0 is the first event");
	m.b.len = 8;
	put64(&m, 0x10), put64(&m, 300);
	decode();
	is_u64(ev.evsel, CP_NO_ID, "an id of no event");
	end();
	begin(swap, CP_SAMPLE_IP, 0);
	put64(&m, 0x10);
	is_u64(decode(), CP_DECODED_EXACT, "one event needs no id");
	is_u64(ev.u.sample.period, 4000, "the period is the attr's");
	is_u64(ev.time, CP_NO_TIME, "and no time is none");
	end();
}

int
main(void)
{
	for (int swap = 0; swap <= 1; swap++) {
		test_all(swap != 0);
		test_cuts(swap != 0);
		test_counts(swap != 0);
		test_ids(swap != 0);
	}
	return done_testing();
}
