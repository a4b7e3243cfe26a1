/* SPDX-License-Identifier: MIT */
/*
 * fuzz-features: header features.
 *
 * A perf.data file gives all its features; anything else is one payload
 * behind a byte for the feature and a byte for the byte order.
 */
#include "readers/header/features.h"
#include "tests/fuzz/fuzz.h"
#include "tests/readers/sections.h"

static volatile size_t sink; /* keeps the reads */

struct target {
	struct cp_info info;
	struct cp_diags diags;
};

static void
section(void *arg, uint32_t bit, struct cp_bytes payload)
{
	struct target *t = arg;

	cp_feature_read(&t->info, bit, payload, &t->diags);
}

/* Reads what was made: every text ends, every array is there. */
static size_t
touch(const struct cp_info *in)
{
	size_t n = 0;
	uint64_t ns;

	for (size_t i = 0; i < in->facts.len; i++)
		n += strlen(in->facts.data[i].value);
	for (size_t i = 0; i < in->events.len; i++)
		for (uint32_t k = 0; k < in->events.data[i].n_ids; k++)
			n += in->events.data[i].ids[k] & 1;
	for (size_t i = 0; i < in->build_ids.len; i++)
		n += strlen(in->build_ids.data[i].filename);
	for (size_t i = 0; i < in->sp_files.len; i++)
		for (size_t k = 0; k < in->sp_files.data[i].symbols.len; k++)
			n += strlen(in->sp_files.data[i].symbols.data[k].name);
	n += cp_info_wall_clock(in, 12345, &ns);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct target t;

	cp_info_init(&t.info);
	cp_diags_init(&t.diags);
	if (!sections_each(data, size, section, &t) && size >= 2) {
		/* The number of CPUs is needed by the topology. */
		t.info.nr_cpus_avail = data[1] >> 1;
		cp_feature_read(&t.info, data[0],
		    cp_bytes_of(data + 2, size - 2, data[1] & 1), &t.diags);
	}
	sink = touch(&t.info);
	cp_info_free(&t.info);
	return 0;
}
