/* SPDX-License-Identifier: MIT */
/*
 * bench/multiply N IN OUT: a capture N times as long that holds nothing new.
 *
 * Samples and rounds are repeated with their times moved on, so every copy
 * follows the one before.  What describes the recording or its processes
 * (mappings, names, forks) is written once, exits with the last copy: the
 * processes just live longer.  Features are copied, the time of the last
 * sample is corrected.  perf reads the result.
 */
#include "capture.h"

#define FEATURE_SAMPLE_TIME 21

struct job {
	struct capture c;
	const char *path;
	FILE *out;
	uint64_t written;     /* bytes of records */
	uint64_t first, last; /* times */
	uint64_t last_sample;
	unsigned time_word; /* of a sample, from the header's end */
	unsigned time_end;  /* words from a trailer's TIME to its end */
};

static void
put(struct job *j, const void *p, size_t n)
{
	if (fwrite(p, 1, n, j->out) != n)
		die(j->path, "cannot be written");
}

/* Offset of a record's time, 0 if it has none. */
static size_t
time_offset(const struct job *j, const struct record *r)
{
	size_t end = 8 * (size_t)j->time_end;

	if (r->type == RECORD_SAMPLE)
		return sizeof(*r) + 8 * (size_t)j->time_word;
	return r->type < RECORD_USER && r->size >= sizeof(*r) + end
		   ? r->size - end
		   : 0;
}

static uint64_t
time_of(const struct job *j, const uint8_t *p, const struct record *r)
{
	size_t at = time_offset(j, r);

	return at != 0 ? load64(p + at) : 0;
}

static void
find_span(struct job *j)
{
	const uint8_t *p = j->c.bytes + j->c.h.data.offset;
	const uint8_t *end = p + j->c.h.data.size;
	struct record r;

	j->first = UINT64_MAX;
	for (; p < end; p += r.size) {
		uint64_t t;

		r = load_record(p);
		if (r.size < sizeof(r) || r.size > end - p)
			die(j->path, "a damaged record");
		if (r.type == RECORD_COMPRESSED || r.type == RECORD_COMPRESSED2)
			die(j->path, "compressed records are not supported");
		t = time_of(j, p, &r);
		if (t == 0)
			continue;
		j->first = t < j->first ? t : j->first;
		j->last = t > j->last ? t : j->last;
		if (r.type == RECORD_SAMPLE && t > j->last_sample)
			j->last_sample = t;
	}
	if (j->last == 0)
		die(j->path, "no times");
}

static void
put_moved(
    struct job *j, const uint8_t *p, const struct record *r, uint64_t shift)
{
	uint8_t copy[1 << 16];
	size_t at = time_offset(j, r);
	uint64_t t = load64(p + at) + shift;

	memcpy(copy, p, r->size);
	memcpy(copy + at, &t, sizeof(t));
	/* These hold the time in their body too. */
	if (r->type == RECORD_FORK || r->type == RECORD_EXIT)
		memcpy(copy + 24, &t, sizeof(t));
	put(j, copy, r->size);
}

/* Whether a record belongs into copy number of n. */
static bool
belongs(uint32_t type, unsigned number, unsigned n)
{
	if (type == RECORD_SAMPLE || type == RECORD_FINISHED_ROUND)
		return true;
	return type == RECORD_EXIT ? number == n - 1 : number == 0;
}

static void
put_copy(struct job *j, unsigned number, unsigned n, uint64_t shift)
{
	const uint8_t *p = j->c.bytes + j->c.h.data.offset;
	const uint8_t *end = p + j->c.h.data.size;
	struct record r;

	for (; p < end; p += r.size) {
		r = load_record(p);
		if (!belongs(r.type, number, n))
			continue;
		if (number == 0 || time_of(j, p, &r) == 0)
			put(j, p, r.size);
		else
			put_moved(j, p, &r, shift * number);
		j->written += r.size;
	}
}

static unsigned
count_features(const struct file_header *h)
{
	unsigned n = 0;

	for (unsigned bit = 0; bit < 256; bit++)
		n += (h->features[bit / 64] >> bit % 64) & 1;
	return n;
}

/* The table is as long as perf made it; what follows moves by delta. */
static void
put_features(struct job *j, uint64_t delta, uint64_t last)
{
	const struct file_header *h = &j->c.h;
	uint64_t table = h->data.offset + h->data.size;
	unsigned n = count_features(h), at = 0;
	uint8_t *tail;
	size_t size = j->c.size - table;

	if (size < n * sizeof(struct section))
		die(j->path, "no room for the feature table");
	tail = malloc(size + 1);
	if (tail == NULL)
		die(j->path, "out of memory");
	memcpy(tail, j->c.bytes + table, size);
	for (unsigned bit = 0; bit < 256; bit++) {
		struct section s;

		if (!((h->features[bit / 64] >> bit % 64) & 1))
			continue;
		memcpy(&s, tail + at * sizeof(s), sizeof(s));
		if (bit == FEATURE_SAMPLE_TIME && s.size == 16 &&
		    s.offset >= table && s.offset - table + 16 <= size)
			memcpy(
			    tail + (s.offset - table) + 8, &last, sizeof(last));
		s.offset += delta;
		memcpy(tail + at++ * sizeof(s), &s, sizeof(s));
	}
	put(j, tail, size);
	free(tail);
}

static void
multiply(struct job *j, unsigned n)
{
	struct file_header h = j->c.h;
	uint64_t shift;

	find_span(j);
	shift = j->last - j->first + 1000000;
	put(j, j->c.bytes, h.data.offset);
	for (unsigned i = 0; i < n; i++)
		put_copy(j, i, n, shift);
	put_features(
	    j, j->written - h.data.size, j->last_sample + shift * (n - 1));
	h.data.size = j->written;
	if (fseeko(j->out, 0, SEEK_SET) != 0)
		die(j->path, "cannot be written");
	put(j, &h, sizeof(h));
}

int
main(int argc, char **argv)
{
	static const uint64_t trailer[] = { SAMPLE_ID, SAMPLE_STREAM_ID,
		SAMPLE_CPU, SAMPLE_IDENTIFIER };
	struct job j = { 0 };
	unsigned n = argc == 4 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

	if (n == 0)
		die("usage", "multiply N IN OUT");
	j.path = argv[3];
	j.c = capture_open(argv[2]);
	if (!(j.c.sample_type & SAMPLE_TIME))
		die(argv[2], "samples have no time");
	j.time_word = words_before(j.c.sample_type, SAMPLE_TIME);
	j.time_end = 1;
	for (size_t i = 0; i < sizeof(trailer) / sizeof(trailer[0]); i++)
		j.time_end += (j.c.sample_type & trailer[i]) != 0;
	j.out = fopen(argv[3], "wb");
	if (j.out == NULL)
		die(argv[3], "cannot be written");
	setvbuf(j.out, NULL, _IOFBF, 1 << 20);
	multiply(&j, n);
	if (fclose(j.out) != 0)
		die(argv[3], "cannot be written");
	return 0;
}
