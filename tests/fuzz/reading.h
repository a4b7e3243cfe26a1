/* SPDX-License-Identifier: MIT */
/* tests/fuzz/reading.h: an input, and what was made of it, read as a capture.
 */
#ifndef CP_TESTS_FUZZ_READING_H
#define CP_TESTS_FUZZ_READING_H

#include "tests/fuzz/input.h"
#include "tests/fuzz/session.h"

struct fuzz_reading {
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_diags diags;
	struct cp_capture capture;
};

static inline bool
fuzz_reading_open(struct fuzz_reading *r, int fd)
{
	memset(r, 0, sizeof(*r));
	cp_diags_init(&r->diags);
	cp_info_init(&r->rec.info);
	return cp_capture_open(&r->capture, fuzz_path(fd).text, false, &r->rec,
		   &r->quality, &r->diags) == CP_OK;
}

static inline void
fuzz_reading_close(struct fuzz_reading *r)
{
	cp_capture_close(&r->capture);
	cp_recording_free(&r->rec);
}

#endif
