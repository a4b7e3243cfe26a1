/* SPDX-License-Identifier: MIT */
/*
 * fuzz-rewrite: the input is a capture whose stacks become chains.  The last
 * byte says how long these are, and whether empty fields stay.
 *
 * What is written can be read, and no sample has a stack.
 */
#include "config.h" /* memfd_create */

#include "tests/fuzz/reading.h"

#include "readers/rewrite/rewrite.h"
#include "tests/fuzz/fuzz.h"

static size_t
put_chain(void *ctx, const struct cp_event *ev, uint64_t *words, size_t max)
{
	size_t n = *(const uint8_t *)ctx / 2;

	n = CP_MIN(n, max);
	for (size_t i = 0; i < n; i++)
		words[i] = 0x400000 + ev->offset + i;
	return n;
}

static void
read_back(int fd)
{
	static struct fuzz_reading r;
	struct cp_event ev;

	if (fuzz_reading_open(&r, fd))
		while (cp_capture_next(&r.capture, &ev))
			FUZZ_ASSERT(ev.type != CP_RECORD_SAMPLE ||
				    ev.evsel == CP_NO_ID ||
				    ev.u.sample.user_stack_size == 0);
	fuzz_reading_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_reading r;
	uint8_t how = size != 0 ? data[size - 1] : 0;
	struct cp_rewrite made = {
		.chain = put_chain, .ctx = &how, .fields = how & 1
	};
	int fd = fuzz_file(data, size);
	const char *why = "it cannot be read";

	if (fuzz_reading_open(&r, fd))
		why = cp_rewrite(&made, &r.capture);
	for (size_t i = 0; i < made.files.len; i++) {
		if (why == NULL)
			read_back(made.files.data[i]);
		close(made.files.data[i]);
	}
	cp_vec_free(&made.files);
	fuzz_reading_close(&r);
	close(fd);
	return 0;
}
