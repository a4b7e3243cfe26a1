/* SPDX-License-Identifier: MIT */
/*
 * analyses/mem/mem.h: what the files of this room share.
 *
 * This room counts samples for `mem` (count.c) and shows the counts (tables.c);
 * it may use coldperf/plugin.h and analyses/common.  Begin in count.c.
 */
#ifndef CP_ANALYSES_MEM_MEM_H
#define CP_ANALYSES_MEM_MEM_H

#include "analyses/common/data-source.h"

/* count.c: loads and stores, by source, code, data and line. */

/* Bit of sample_type: samples have a data source. */
#define CP_MEM_SAMPLE_SOURCE (UINT64_C(1) << 15)

/* The counts of a row. */
struct cp_mem_sum {
	uint64_t n, latency, loads, stores, hitm, peer, remote;
	uint64_t timed; /* accesses that have a latency: stores may not */
	double latency_sq;
};

struct cp_mem_line {
	struct cp_mem_sum sum;
	uint64_t addr;    /* of the first access, at its beginning */
	cp_frame_id data; /* the same */
	uint32_t threads, cpus;
};

/* Accesses of one place in the code to one byte of a line. */
struct cp_mem_access {
	uint32_t line, offset;
	cp_frame_id code;
	uint64_t n;
	uint64_t place; /* the code's address; set before they are sorted */
};

struct cp_mem {
	struct cp_run *run;
	uint64_t top;
	unsigned shift; /* log2 of a line */
	bool timed, sourced, located;
	struct cp_tally *by_source; /* data source, flags: latency */
	struct cp_tally *by_code;   /* flags, stack: latency */
	struct cp_tally *by_data;   /* flags, frame: latency */
	struct cp_index lines;      /* line, process */
	struct cp_index tids, cpus; /* line number, thread or CPU */
	struct cp_mem_line *line;   /* by number */
	uint32_t line_cap;
	struct cp_index accesses; /* line, offset << 32 | code */
	struct cp_mem_access *access;
	uint32_t access_cap;
	struct cp_mem_sum whole;
	double dispersion; /* of shares */
	uint64_t nothing;  /* samples that tell of no access */
	/* accesses whose line is known by its physical address, and others */
	uint64_t physical, virtual;
	uint32_t reading;
};

void cp_mem_init(struct cp_mem *, struct cp_run *);
void cp_mem_sample(struct cp_mem *, const struct cp_sample *);
/* Ends counting: without any latency, each access weighs the same. */
void cp_mem_end(struct cp_mem *);
/* The latency of a row of a tally, or its accesses if none has a latency. */
uint64_t cp_mem_weight(const struct cp_mem *, const struct cp_tally_row *);
/* Adds n accesses; flags are those in the keys of the tallies. */
void cp_mem_sum_add(struct cp_mem_sum *, uint64_t n, uint64_t latency,
    double latency_sq, unsigned flags);

/* tables.c: sources, code, data, lines of memory. */

void cp_mem_tables(struct cp_mem *, struct cp_report *);

#endif
