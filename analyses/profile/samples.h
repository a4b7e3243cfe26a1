/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/samples.h: the samples of a capture, kept until its end.
 *
 * A sample takes some ten bytes: its fields are varints, and a field that
 * equals that of the sample before is left out.  Blocks of them go to a
 * temporary file.  Rows are read back in the order they were added.
 */
#ifndef CP_ANALYSES_PROFILE_SAMPLES_H
#define CP_ANALYSES_PROFILE_SAMPLES_H

#include <coldperf/profile.h>

enum { CP_PACKED_BLOCK = 256 << 10 };

struct cp_packed {
	struct cp_run *run;
	struct cp_spill *blocks; /* but for the last one */
	uint32_t *used;          /* bytes of each of them */
	uint32_t n_blocks, cap;
	uint8_t *block; /* the last one, which is being filled */
	uint32_t at;
	uint64_t n;
	struct cp_profile_sample last;
	bool ordered; /* by time, as far as there are times */
};

/* Where a reader is. */
struct cp_packed_reader {
	const struct cp_packed *of;
	uint8_t *block;
	uint64_t from;             /* where the block begins */
	uint32_t blocks, used, at; /* blocks: read so far */
	struct cp_profile_sample last;
	bool failed; /* the temporary file cannot be read */
};

void cp_packed_init(struct cp_packed *, struct cp_run *);
/* Removes all rows, for the next of several captures. */
void cp_packed_clear(struct cp_packed *);
void cp_packed_add(struct cp_packed *, const struct cp_profile_sample *);
/* Begins to read, after the last row was added. */
void cp_packed_read(struct cp_packed_reader *, struct cp_packed *);
/* Reads the next row; false: there is none, or `failed' is set. */
bool cp_packed_next(struct cp_packed_reader *, struct cp_profile_sample *);
void cp_packed_end(struct cp_packed_reader *);

#endif
