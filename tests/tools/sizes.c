/* SPDX-License-Identifier: MIT */
/*
 * sizes: flips every bit of the size of every record, one at a time, and makes
 * it end where the first, second, fourth or eighth record after it ends.
 *
 *	sizes CAPTURE [FLIPS [SEED]]
 *	sizes types CAPTURE [FLIPS [SEED]]
 *
 * The second makes each sample a record of each other type.  Both
 * read each such capture to its end and compare it with the good one.
 * About FLIPS of them are tried; 0: all.  A flip that loses an event although
 * nothing says so, loses bytes that are not counted, or makes a sample that
 * was not there is printed; the last line counts what was tried.
 */
#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "readers/list.h"
#include "readers/reader.h"
#include "tests/tools/damage.h"

enum { BITS = 16, SIZES = BITS + 4, TYPES = 90, SAMPLE = 9 };

struct seen {
	uint64_t samples, others, sum;
	uint64_t skipped;
	bool opened, partial;
	CP_VEC(uint64_t) each; /* what tells samples apart, sorted */
};

static struct dg dg;
static struct seen good, bad;
static int file;

static uint64_t
fingerprint(const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	uint64_t words[] = { ev->time, ev->id, ev->pid, ev->tid, ev->cpu, s->ip,
		s->period };
	uint64_t hash = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		hash = cp_hash64(hash ^ words[i]);
	return hash;
}

static int
word_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool
is_partial(const struct cp_diags *diags)
{
	return cp_diags_worst(diags) >= CP_DIAG_PARTIAL;
}

static void
read_all(struct seen *seen)
{
	static struct cp_recording rec;
	static struct cp_quality quality;
	static struct cp_diags diags;
	struct cp_capture c;
	struct cp_event ev;
	char path[64];

	cp_diags_init(&diags);
	cp_info_init(&rec.info);
	quality = (struct cp_quality){ 0 };
	seen->samples = seen->others = 0;
	seen->each.len = 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	seen->opened =
	    cp_capture_open(&c, path, false, &rec, &quality, &diags) == CP_OK;
	while (seen->opened && cp_capture_next(&c, &ev)) {
		if (ev.type != CP_RECORD_SAMPLE) {
			seen->others++;
			continue;
		}
		if (ev.evsel == CP_NO_ID)
			continue;
		seen->samples++;
		*cp_vec_push(&seen->each) = fingerprint(&ev);
	}
	if (seen->each.len != 0)
		qsort(seen->each.data, seen->each.len, 8, word_order);
	seen->partial = !seen->opened || is_partial(&diags);
	seen->skipped = quality.bytes_skipped;
	cp_capture_close(&c);
	cp_recording_free(&rec);
}

/* Samples of b that are not in a. */
static uint64_t
not_in(const struct seen *a, const struct seen *b)
{
	size_t i = 0, n = 0;

	for (size_t j = 0; j < b->each.len; j++) {
		while (i < a->each.len && a->each.data[i] < b->each.data[j])
			i++;
		if (i < a->each.len && a->each.data[i] == b->each.data[j])
			i++;
		else
			n++;
	}
	return n;
}

static uint64_t
judge(const struct dg_record *r, const char *is, unsigned now)
{
	uint64_t lost = not_in(&bad, &good), made = not_in(&good, &bad);
	bool fewer = bad.samples + bad.others < good.samples + good.others;
	const char *what = NULL;

	if (made != 0)
		what = "invented";
	else if ((lost != 0 || fewer) && !bad.partial)
		what = "silent";
	else if ((lost != 0 || fewer) && bad.skipped == good.skipped)
		what = "not counted";
	if (what != NULL)
		printf("%s: type %" PRIu32 " at %" PRIu64 " of %" PRIu64
		       " bytes, now %s %u: %" PRIu64 " samples lost, %" PRIu64
		       " made, %" PRIu64 " other events of %" PRIu64 "\n",
		    what, r->type, r->at, r->len, is, now, lost, made,
		    bad.others, good.others);
	return lost;
}

/* The damaged size; 0: there is none. */
static unsigned
other_size(size_t record, unsigned way)
{
	const struct dg_record *r = &dg.records.data[record], *last;
	uint64_t end,
	    now = cp_load16((uint8_t *)dg.good.data + r->at + 6, dg.swap);

	if (way < BITS)
		return (unsigned)now ^ 1u << way;
	record += (size_t)1 << (way - BITS);
	if (record >= dg.records.len)
		return 0;
	last = &dg.records.data[record];
	end = last->at + last->len;
	return end - r->at <= UINT16_MAX ? (unsigned)(end - r->at) : 0;
}

/* The damaged type; 0: there is none. */
static unsigned
other_type(size_t record, unsigned type)
{
	bool sample = dg.records.data[record].type == SAMPLE;

	return sample && type != SAMPLE ? type : 0;
}

static bool
put(uint64_t at, unsigned width, unsigned v)
{
	uint8_t bytes[4];

	for (unsigned i = 0; i < width; i++)
		bytes[dg.swap ? width - 1 - i : i] = (uint8_t)(v >> 8 * i);
	return pwrite(file, bytes, width, (off_t)at) == width;
}

static bool
restore(const struct dg_record *r)
{
	return pwrite(file, dg.good.data + r->at, 8, (off_t)r->at) == 8;
}

/* Spoils one record and reads all.  False: nothing to do. */
static bool
tried(size_t record, unsigned way, bool types, uint64_t *lost)
{
	const struct dg_record *r = &dg.records.data[record];
	unsigned v = types ? other_type(record, way) : other_size(record, way);

	if (v == 0)
		return false;
	if (!put(types ? r->at : r->at + 6, types ? 4 : 2, v))
		exit(2);
	read_all(&bad);
	if (!restore(r))
		exit(2);
	*lost += judge(r, types ? "type" : "size", v);
	return true;
}

static bool
slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	char room[1 << 16];
	size_t n;

	if (f == NULL)
		return false;
	cp_buf_init(&dg.good, DG_MAX_FILE);
	while ((n = fread(room, 1, sizeof(room), f)) != 0)
		cp_buf_add(&dg.good, room, n);
	fclose(f);
	file = memfd_create("capture", MFD_CLOEXEC);
	return !dg.good.full && file >= 0 &&
	       write(file, dg.good.data, dg.good.len) == (ssize_t)dg.good.len;
}

int
main(int argc, char **argv)
{
	bool types = argc > 1 && strcmp(argv[1], "types") == 0;
	unsigned ways = types ? TYPES : SIZES;
	uint64_t flips, every, random, n = 0, lost = 0;

	argv += types, argc -= types;
	flips = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	random = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	if (argc < 2 || !slurp(argv[1]) || !dg_walk(&dg)) {
		fprintf(stderr, "sizes: no capture that can be walked\n");
		return 2;
	}
	read_all(&good);
	every = types ? dg.samples.len : dg.records.len;
	every = flips != 0 ? every * ways / flips + 1 : 1;
	for (size_t i = 0; i < dg.records.len; i++)
		for (unsigned way = 0; way < ways; way++)
			if ((random = cp_hash64(random + 1)) % every == 0)
				n += tried(i, way, types, &lost);
	printf("%" PRIu64 " flips, %" PRIu64 " samples lost\n", n, lost);
	return 0;
}
