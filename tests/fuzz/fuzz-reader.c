/* SPDX-License-Identifier: MIT */
/*
 * fuzz-reader: the input is a capture in a regular file.
 *
 * Bytes parsed and bytes skipped must add up to the file.
 */
#include "config.h" /* memfd_create */

#include "tests/fuzz/input.h"
#include "tests/fuzz/session.h"

static volatile uint64_t sink;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_session f;
	int fd = fuzz_file(data, size);

	if (fuzz_session_read(&f, fuzz_path(fd).text))
		fuzz_check_account(&f, size);
	sink = f.sum;
	fuzz_session_free(&f);
	close(fd);
	return 0;
}
