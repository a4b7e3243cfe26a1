/* SPDX-License-Identifier: MIT */
/* tests/fuzz/reading.h: an input, and what was made of it, read as a capture.
 */
#ifndef CP_TESTS_FUZZ_READING_H
#define CP_TESTS_FUZZ_READING_H

#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/session.h"

struct fuzz_reading {
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_diags diags;
	struct cp_capture capture;
};

static inline int
fuzz_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		exit(2);
	}
	return fd;
}

static inline bool
fuzz_reading_open(struct fuzz_reading *r, int fd)
{
	char path[64];

	memset(r, 0, sizeof(*r));
	cp_diags_init(&r->diags);
	cp_info_init(&r->rec.info);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return cp_capture_open(&r->capture, path, false, &r->rec, &r->quality,
		   &r->diags) == CP_OK;
}

static inline void
fuzz_reading_close(struct fuzz_reading *r)
{
	cp_capture_close(&r->capture);
	cp_recording_free(&r->rec);
}

#endif
