/* SPDX-License-Identifier: MIT */
/*
 * bench/capture.h: as much of a perf.data file as the bench programs need.
 *
 * For our own recordings on this machine: a seekable file of host byte order,
 * not compressed, whose events agree on where TIME is.  Everything else is
 * refused.  The file is mapped; nothing here is meant for hostile input.
 */
#ifndef CP_BENCH_CAPTURE_H
#define CP_BENCH_CAPTURE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct record {
	uint32_t type;
	uint16_t misc, size;
};

enum {
	RECORD_FORK = 7,
	RECORD_EXIT = 4,
	RECORD_SAMPLE = 9,
	RECORD_USER = 64,
	RECORD_FINISHED_ROUND = 68,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

enum {
	SAMPLE_IP = 1,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_IDENTIFIER = 1 << 16,
};

struct capture {
	const uint8_t *bytes;
	uint64_t size;
	struct file_header h;
	uint64_t sample_type;
};

static void
die(const char *path, const char *why)
{
	fprintf(stderr, "%s: %s\n", path, why);
	exit(1);
}

static inline uint64_t
load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline struct record
load_record(const uint8_t *p)
{
	struct record r;

	memcpy(&r, p, sizeof(r));
	return r;
}

static inline struct capture
capture_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct capture c = { 0 };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		die(path, "cannot be opened");
	c.size = (uint64_t)st.st_size;
	if (c.size < sizeof(c.h))
		die(path, "too short");
	c.bytes = mmap(NULL, c.size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (c.bytes == MAP_FAILED)
		die(path, "cannot be mapped");
	close(fd);
	memcpy(&c.h, c.bytes, sizeof(c.h));
	if (memcmp(c.h.magic, "PERFILE2", 8) != 0 || c.h.size != sizeof(c.h))
		die(path, "not a seekable perf.data file of this byte order");
	if (c.h.attrs.offset + c.h.attrs.size > c.h.data.offset ||
	    c.h.data.offset + c.h.data.size > c.size || c.h.attr_size < 64)
		die(path, "sections in an order not expected");
	/* perf_event_attr.sample_type */
	c.sample_type = load64(c.bytes + c.h.attrs.offset + 24);
	for (uint64_t at = 0; at < c.h.attrs.size; at += c.h.attr_size)
		if (load64(c.bytes + c.h.attrs.offset + at + 24) !=
		    c.sample_type)
			die(path, "events of different sample types");
	return c;
}

/* Words of a sample before the given field. */
static inline unsigned
words_before(uint64_t sample_type, uint64_t field)
{
	static const uint64_t order[] = { SAMPLE_IDENTIFIER, SAMPLE_IP,
		SAMPLE_TID, SAMPLE_TIME, SAMPLE_ADDR, SAMPLE_ID,
		SAMPLE_STREAM_ID, SAMPLE_CPU, SAMPLE_PERIOD, SAMPLE_READ };
	unsigned n = 0;

	for (size_t i = 0;
	     i < sizeof(order) / sizeof(order[0]) && order[i] != field; i++)
		n += (sample_type & order[i]) != 0;
	return n;
}

#endif
