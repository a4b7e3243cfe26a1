/* SPDX-License-Identifier: MIT */
/*
 * damage: spoils a capture in a known way and says what is still intact.
 *
 * It has a walk of its own over the good capture and shares no code with
 * readers/, which it is there to test.  The good capture is trusted.
 */
#ifndef DAMAGE_H
#define DAMAGE_H

#include "base/buf.h"
#include "base/vec.h"

#define DG_MAX_FILE (256u << 20)

struct dg_range {
	uint64_t at, len;
};

struct dg_record {
	uint64_t at, len; /* with what follows the record */
	uint32_t type;
};

struct dg_sample {
	uint64_t at, len; /* in the file; of compressed ones: the chunk's */
	uint64_t time;
	uint32_t event;
	int64_t chunk; /* the last one it needs, -1: not compressed */
};

struct dg_event {
	uint64_t sample_type;
	CP_VEC(uint64_t) ids;
};

/* Bytes of the good capture that stand elsewhere in the bad one. */
struct dg_move {
	struct dg_range from;
	uint64_t to;
};

/* A capture and where its parts are. */
struct dg {
	struct cp_buf good, bad;
	bool swap, pipe;
	struct dg_range attrs, data, features;
	CP_VEC(struct dg_range) ids;
	CP_VEC(struct dg_range) names;       /* EVENT_DESC, EVENT_UPDATE */
	CP_VEC(struct dg_range) description; /* what decoding needs */
	CP_VEC(struct dg_range) sections;    /* payloads of features */
	CP_VEC(struct dg_range) tracing;
	CP_VEC(struct dg_record) records;
	CP_VEC(struct dg_range) chunks; /* compressed records */
	CP_VEC(struct dg_event) events;
	CP_VEC(struct dg_sample) samples;
	CP_VEC(struct dg_move) moves; /* none: all is where it was */
	struct dg_range again;        /* bytes that are there twice */
	uint64_t seed, random;
};

uint64_t dg_u64(const struct dg *, uint64_t at);

/* damage-walk.c; false if the capture cannot be walked. */
bool dg_walk(struct dg *);

/* damage-kinds.c: damages dg->bad; false if the kind does not apply. */
bool dg_damage(struct dg *, const char *kind);
void dg_kinds(void);
/* A number below n. */
uint64_t dg_below(struct dg *, uint64_t n);

/* damage-moves.c: kinds that move bytes. */
bool dg_gap(struct dg *);
bool dg_extra(struct dg *);
bool dg_dup(struct dg *);
bool dg_head(struct dg *);

#endif
