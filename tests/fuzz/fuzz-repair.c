/* SPDX-License-Identifier: MIT */
/*
 * fuzz-repair: a damaged capture becomes one that has no damage.
 *
 * What is written has the samples that are counted, and nothing in it is
 * skipped.
 */
#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "readers/rewrite/repair.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session.h"

struct reading {
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_diags diags;
	struct cp_capture capture;
};

static bool
reading_open(struct reading *r, int fd)
{
	char path[64];

	memset(r, 0, sizeof(*r));
	cp_diags_init(&r->diags);
	cp_info_init(&r->rec.info);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return cp_capture_open(&r->capture, path, false, &r->rec, &r->quality,
		   &r->diags) == CP_OK;
}

static void
reading_close(struct reading *r)
{
	cp_capture_close(&r->capture);
	cp_recording_free(&r->rec);
}

static void
read_back(const struct cp_repair *made)
{
	static struct reading r;
	struct cp_event ev;
	uint64_t samples = 0;

	FUZZ_ASSERT(reading_open(&r, made->fd));
	while (cp_capture_next(&r.capture, &ev))
		samples += ev.type == CP_RECORD_SAMPLE;
	FUZZ_ASSERT(samples == made->samples);
	FUZZ_ASSERT(r.quality.bytes_skipped == 0);
	FUZZ_ASSERT(r.quality.bytes_total == made->size);
	reading_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reading r;
	struct cp_repair made = { .fd = -1 };
	int fd = memfd_create("capture", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		exit(2);
	}
	if (reading_open(&r, fd) && cp_repair(&made, &r.capture) == NULL)
		read_back(&made);
	cp_repair_free(&made);
	reading_close(&r);
	close(fd);
	return 0;
}
