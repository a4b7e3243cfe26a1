/* SPDX-License-Identifier: MIT */
#include "analyses/precision/seen.h"

#include <string.h>

#define CHUNK 256u
#define CHUNKS_OF_PIECE (CP_SEEN_PIECE / CHUNK)
/* A thread's lane, where no CPU was recorded. */
#define LANE_THREAD 0x80000000u

static struct cp_seen *
place(const struct cp_seen_log *log, uint32_t i)
{
	return &log->chunk[i / CHUNK][i % CHUNK];
}

const struct cp_seen *
cp_seen_at(const struct cp_seen_log *log, uint32_t i)
{
	return place(log, i);
}

/* Drops every second piece; their chunks are reused. */
static void
thin(struct cp_seen_log *log)
{
	for (uint32_t i = 1; i < log->n / CP_SEEN_PIECE / 2; i++)
		for (uint32_t k = 0; k < CHUNKS_OF_PIECE; k++) {
			struct cp_seen **to =
			    &log->chunk[i * CHUNKS_OF_PIECE + k];
			struct cp_seen **from =
			    &log->chunk[2 * i * CHUNKS_OF_PIECE + k];
			struct cp_seen *chunk = *to;

			*to = *from;
			*from = chunk;
		}
	log->n /= 2;
	log->stride *= 2;
}

static void
chunk_new(struct cp_seen_log *log, struct cp_run *run)
{
	if (log->n_chunks == log->cap_chunks) {
		uint32_t cap = log->cap_chunks != 0 ? 2 * log->cap_chunks : 8;
		struct cp_seen **all = cp_run_alloc(run, cap * sizeof(*all));

		if (log->n_chunks != 0)
			memcpy(all, log->chunk, log->n_chunks * sizeof(*all));
		log->chunk = all;
		log->cap_chunks = cap;
	}
	log->chunk[log->n_chunks++] =
	    cp_run_alloc(run, CHUNK * sizeof(struct cp_seen));
}

void
cp_seen_add(struct cp_seen_log *log, struct cp_run *run,
    const struct cp_sample *s, uint32_t group)
{
	uint64_t piece = log->count++ / CP_SEEN_PIECE;

	if (log->stride == 0)
		log->stride = 1;
	if (piece % log->stride != 0)
		return;
	/* A piece with an even number begins here: it stays. */
	if (log->n == CP_SEEN_LIMIT)
		thin(log);
	if (log->n / CHUNK == log->n_chunks)
		chunk_new(log, run);
	*place(log, log->n++) = (struct cp_seen){ .time = s->time,
		.stack = s->stack,
		.group = group,
		.lane = s->cpu != CP_NO_ID ? s->cpu : s->tid | LANE_THREAD };
}
