/* SPDX-License-Identifier: MIT */
/*
 * fuzz-sample: one record, of an event that the first bytes describe.
 *
 * Layout: u8 (bit 0 byte order, bit 1 two events, bit 2 sample_id_all), u64
 * sample_type, read_format, branch_sample_type, regs_user, regs_intr; the rest
 * is the record.  It is decoded where it ends at the end of the memory.
 */
#include "base/limits.h"
#include "readers/record/decode.h"
#include "readers/record/window.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session.h"

static volatile uint64_t sink;

static void
evsels_make(struct cp_evsels *e, struct cp_bytes *b, struct cp_diags *diags)
{
	uint8_t flags = cp_bytes_u8(b);
	struct cp_attr a = { 0 };

	b->swap = (flags & 1) != 0;
	a.sample_type = cp_bytes_u64(b);
	a.read_format = cp_bytes_u64(b);
	a.branch_sample_type = cp_bytes_u64(b);
	a.regs_user = cp_bytes_u64(b);
	a.regs_intr = cp_bytes_u64(b);
	a.flags = (uint64_t)(flags >> 2 & 1) << CP_ATTR_SAMPLE_ID_ALL;
	cp_evsels_id(e, cp_evsels_add(e, &a, diags), 1);
	if (flags & 2) {
		a.sample_type ^= CP_SAMPLE_PERIOD;
		cp_evsels_id(e, cp_evsels_add(e, &a, diags), 2);
	}
}

static uint64_t
touch(struct fuzz_session *f, const struct cp_event *ev)
{
	struct cp_event *copy;

	if (ev->type == CP_RECORD_SAMPLE) {
		fuzz_touch_payload(f, ev);
		for (uint64_t i = 0; i < ev->u.sample.nr; i++)
			f->sum += ev->u.sample.ips[i];
		f->sum += fuzz_touch(ev->u.sample.aux, ev->u.sample.aux_size);
	}
	copy = cp_event_copy(ev);
	FUZZ_ASSERT(copy->copied <= sizeof(*copy) + ev->size + 128);
	if (ev->type == CP_RECORD_SAMPLE)
		fuzz_touch_payload(f, copy);
	free(copy);
	return f->sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_session f;
	struct cp_evsels evsels = { 0 };
	struct cp_bytes b = cp_bytes_of(data, size, false);
	struct cp_record_head h;
	struct cp_event ev = { 0 };
	bool known;

	cp_diags_init(&f.diags);
	evsels_make(&evsels, &b, &f.diags);
	if (cp_bytes_left(&b) >= CP_HEAD_SIZE) {
		h = cp_head_read(b.at, b.swap);
		if (cp_bytes_left(&b) <= CP_WINDOW_MAX) {
			h.size = (uint32_t)cp_bytes_left(&b);
			h.misc = h.type < 0x8000 ? h.misc : 0;
		}
		if (cp_head_plausible(&h, &known) &&
		    h.size <= cp_bytes_left(&b) &&
		    cp_decode(&evsels, b.at, &h, b.swap, &ev) != CP_DECODED_BAD)
			sink = touch(&f, &ev);
	}
	cp_evsels_free(&evsels);
	return 0;
}
