/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repaired.h: the state of a repair: parts written and parts
 * left out.
 */
#ifndef CP_READERS_REWRITE_REPAIRED_H
#define CP_READERS_REWRITE_REPAIRED_H

#include "base/hash.h"
#include "base/vec.h"

/* A feature of the new file. */
struct cp_repair_feature {
	uint32_t bit;
	uint8_t *data; /* freed by cp_repair_free() */
	size_t size;
};

struct cp_event;
struct cp_repair;

/* Callbacks that change the parts to be written. */
struct cp_repair_filter {
	/*
	 * Changes a record that does not belong to the header.  False: the
	 * record is left out.
	 */
	bool (*record)(void *ctx, struct cp_event *);
	/* Changes the features that were taken. */
	void (*features)(void *ctx, struct cp_repair *);
	void *ctx;
};

struct cp_repair {
	const struct cp_repair_filter *filter; /* NULL: none */
	int fd; /* the new file, which cp_repair_free() closes; -1: none */
	uint64_t size;
	uint64_t records, samples; /* written */
	uint64_t no_event; /* samples left out: their event is not known */
	uint64_t mended;   /* records that got their true size or field */
	uint64_t values;   /* of no event, left out of samples written */
	/* records left out: perf 6.1 would stop at their type, size or content
	 */
	uint64_t formless;
	uint64_t shorter;  /* samples written without counters of branches */
	uint64_t nameless; /* samples written without values that have no id */
	uint64_t deferred; /* chains written that perf 6.1 does not know */
	uint64_t marks;    /* written where bytes were left out */
	uint64_t gaps;     /* gaps before the record being written */
	uint64_t digest;   /* of the samples written, in their order */
	uint64_t layouts;  /* layouts of tracepoints, written again */
	CP_VEC(struct cp_repair_feature) features;
	CP_VEC(uint32_t) damaged;   /* features left out */
	CP_VEC(uint64_t) per_event; /* samples written, by event */
	struct cp_map64 found_ids;  /* of samples: id -> index of event + 1 */
	uint32_t cpus;              /* the highest CPU of a sample, plus 1 */
	bool aux;                   /* a description of AUX data was written */
	bool threads, cpu_map;      /* so were maps of threads and of CPUs */
	bool as_read; /* events keep their layouts, though they differ */
};

#endif
