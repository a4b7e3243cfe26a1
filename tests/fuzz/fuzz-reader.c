/* SPDX-License-Identifier: MIT */
/*
 * fuzz-reader: the input is a capture in a regular file.
 *
 * Bytes parsed and bytes skipped must add up to the file.
 */
#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session.h"

static volatile uint64_t sink;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_session f;
	int fd = memfd_create("capture", MFD_CLOEXEC);
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		exit(2);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fuzz_session_read(&f, path))
		fuzz_check_account(&f, size);
	sink = f.sum;
	fuzz_session_free(&f);
	close(fd);
	return 0;
}
