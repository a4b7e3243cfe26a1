/* SPDX-License-Identifier: MIT */
/*
 * fuzz-repair: a damaged capture becomes one that has no damage.
 *
 * What is written has the samples that are counted, and nothing in it is
 * skipped.
 */
#include "config.h" /* memfd_create */

#include "tests/fuzz/reading.h"

#include "readers/rewrite/repair.h"
#include "tests/fuzz/fuzz.h"

static void
read_back(const struct cp_repair *made)
{
	static struct fuzz_reading r;
	struct cp_event ev;
	uint64_t samples = 0;

	FUZZ_ASSERT(fuzz_reading_open(&r, made->fd));
	while (cp_capture_next(&r.capture, &ev))
		samples += ev.type == CP_RECORD_SAMPLE;
	FUZZ_ASSERT(samples == made->samples);
	FUZZ_ASSERT(r.quality.bytes_skipped == 0);
	FUZZ_ASSERT(r.quality.bytes_total == made->size);
	fuzz_reading_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_reading r;
	struct cp_repair made = { .fd = -1 };
	int fd = fuzz_file(data, size);

	if (fuzz_reading_open(&r, fd) && cp_repair(&made, &r.capture) == NULL)
		read_back(&made);
	cp_repair_free(&made);
	fuzz_reading_close(&r);
	close(fd);
	return 0;
}
