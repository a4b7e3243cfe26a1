/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/samples.h: the samples of a capture, kept until its end.
 *
 * A sample takes some ten bytes: its fields are varints, and a field that
 * equals that of the sample before is left out.  Rows are read back in the
 * order they were added.
 */
#ifndef CP_ANALYSES_PROFILE_SAMPLES_H
#define CP_ANALYSES_PROFILE_SAMPLES_H

#include <coldperf/profile.h>

struct cp_packed_chunk {
	uint8_t *data;
	uint32_t used;
};

struct cp_packed {
	struct cp_run *run;
	struct cp_packed_chunk *chunk;
	uint32_t chunks, cap;
	uint64_t n;
	struct cp_profile_sample last;
	bool ordered; /* by time, as far as there are times */
};

/* Where a reader is. */
struct cp_packed_at {
	uint32_t chunk, byte;
	struct cp_profile_sample last;
};

void cp_packed_init(struct cp_packed *, struct cp_run *);
void cp_packed_add(struct cp_packed *, const struct cp_profile_sample *);
/* Reads the next row; false: there is none. */
bool cp_packed_next(const struct cp_packed *, struct cp_packed_at *,
    struct cp_profile_sample *);
/* The same for the last time: frees what was read. */
bool cp_packed_take(
    struct cp_packed *, struct cp_packed_at *, struct cp_profile_sample *);

#endif
