/* SPDX-License-Identifier: MIT */
/*
 * repair-check: reads the new file to check it.
 *
 * The reader judges records by their neighbours, which differ in the new file.
 * So its samples are compared with those that were written.
 */
#include "readers/rewrite/repaired.h"

#include <fcntl.h>

#include "base/hash.h"

uint64_t
cp_repair_digest(uint64_t before, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	const uint64_t words[] = { before, ev->evsel, ev->time, ev->pid,
		ev->tid, ev->cpu, s->ip, s->addr, s->period, s->nr };

	return cp_hash_words(words, CP_ARRAY_LEN(words));
}

static bool
walk(const struct cp_repair *r, struct cp_capture *again)
{
	uint64_t samples = 0, digest = 0;
	struct cp_event ev;

	while (cp_capture_next(again, &ev)) {
		if (ev.type != CP_RECORD_SAMPLE)
			continue;
		samples++;
		digest = cp_repair_digest(digest, &ev);
	}
	return samples == r->samples && digest == r->digest;
}

bool
cp_again_open(
    struct cp_again *a, const struct cp_repair *r, const struct cp_capture *src)
{
	int fd = fcntl(r->fd, F_DUPFD_CLOEXEC, 3);

	*a = (struct cp_again){ .rec = cp_xcalloc(1, sizeof(*a->rec)),
		.diags = cp_xcalloc(1, sizeof(*a->diags)) };
	a->capture = (struct cp_capture){ .readers = src->readers,
		.rec = a->rec,
		.quality = &a->quality,
		.diags = a->diags,
		.in.fd = -1 };
	cp_diags_init(a->diags);
	cp_info_init(&a->rec->info);
	return fd >= 0 &&
	       cp_input_adopt(&a->capture.in, fd, src->in.path, a->diags) ==
		   CP_OK &&
	       cp_capture_start(&a->capture) == CP_OK;
}

void
cp_again_close(struct cp_again *a)
{
	cp_capture_close(&a->capture);
	cp_recording_free(a->rec);
	free(a->rec);
	free(a->diags);
}

enum cp_repair_read
cp_repair_reads_back(const struct cp_repair *r, const struct cp_capture *src)
{
	enum cp_repair_read read = CP_REPAIR_OTHER;
	struct cp_again again;

	if (cp_again_open(&again, r, src) && walk(r, &again.capture))
		read = cp_diags_worst(again.diags) < CP_DIAG_PARTIAL
			   ? CP_REPAIR_SOUND
			   : CP_REPAIR_DAMAGED;
	cp_again_close(&again);
	return read;
}
