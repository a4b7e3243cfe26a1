/* SPDX-License-Identifier: MIT */
/*
 * fuzz-tracing: the tracing data, and payloads read by what they describe.
 *
 * A perf.data file gives its blob; anything else is a blob itself.  The input
 * also serves as the payload that every field is read from.
 */
#include "readers/header/features.h"
#include "readers/header/tracing.h"
#include "tests/fuzz/fuzz.h"
#include "tests/readers/sections.h"

static volatile size_t sink; /* keeps the reads */

struct target {
	struct cp_tracepoints tp;
	struct cp_diags diags;
};

static void
section(void *arg, uint32_t bit, struct cp_bytes payload)
{
	struct target *t = arg;

	if (bit == CP_FEATURE_TRACING_DATA)
		cp_tracing_read(&t->tp, payload, &t->diags);
}

static size_t
touch(const struct cp_tp_event *e, const uint8_t *raw, size_t size)
{
	size_t sum = strlen(e->name) + strlen(e->system) + strlen(e->print_fmt);

	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		const char *s;
		uint64_t v;
		size_t n;

		sum += strlen(f->name) + strlen(f->type);
		if (cp_tp_u64(f, raw, size, i & 1, &v))
			sum += v & 1;
		if (cp_tp_text(f, raw, size, i & 1, &s, &n) && n != 0)
			sum += (unsigned char)s[0] + (unsigned char)s[n - 1];
	}
	return sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct target t;

	cp_diags_init(&t.diags);
	if (!sections_each(data, size, section, &t))
		cp_tracing_read(
		    &t.tp, cp_bytes_of(data, size, false), &t.diags);
	for (size_t i = 0; i < t.tp.events.len; i++)
		sink += touch(&t.tp.events.data[i], data, CP_MIN(size, 64));
	for (size_t i = 0; i < t.tp.comms.len; i++)
		sink += strlen(t.tp.comms.data[i].comm);
	cp_tracepoints_free(&t.tp);
	return 0;
}
