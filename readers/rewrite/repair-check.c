/* SPDX-License-Identifier: MIT */
/*
 * repair-check: reads what was written once more.
 *
 * The reader judges records by their neighbours, which are others in the new
 * file.  So its samples are compared with those that were written.
 */
#include "readers/rewrite/repair-check.h"

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
cp_repair_reads_back(const struct cp_repair *r, const struct cp_capture *src)
{
	struct cp_recording *rec = cp_xcalloc(1, sizeof(*rec));
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_quality quality = { 0 };
	struct cp_capture again = { .readers = src->readers,
		.rec = rec,
		.quality = &quality,
		.diags = diags,
		.in.fd = -1 };
	int fd = fcntl(r->fd, F_DUPFD_CLOEXEC, 3);
	bool same = false;

	cp_diags_init(diags);
	cp_info_init(&rec->info);
	if (fd >= 0 &&
	    cp_input_adopt(&again.in, fd, src->in.path, diags) == CP_OK &&
	    cp_capture_start(&again) == CP_OK)
		same = walk(r, &again);
	cp_capture_close(&again);
	cp_recording_free(rec);
	free(rec);
	free(diags);
	return same;
}
