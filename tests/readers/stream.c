/* SPDX-License-Identifier: MIT */
/*
 * Captures with damage at known places: every intact sample is found, what is
 * skipped is counted to the byte, and records that straddle compressed records
 * come out whole.
 */
#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/limits.h"
#include "readers/list.h"
#include "readers/reader.h"

#include "tests/readers/make.h"
#include "tests/tap.h"

enum {
	HEAD = 104,
	ATTR = 64,
	ENTRY = ATTR + 16,
	DATA = HEAD + ENTRY,
	SAMPLE = 32,
	SAMPLES = 4000
};

static struct make m;
static struct cp_recording rec;
static struct cp_quality quality;
static struct cp_diags diags;
static uint8_t found[SAMPLES];
static uint64_t events;

static void
put_attr(void)
{
	put32(&m, 0), put32(&m, ATTR);
	put64(&m, 0), put64(&m, 4000);
	put64(&m, CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME);
	put64(&m, 0);
	put64(&m, m.swap ? UINT64_C(1) << (63 - CP_ATTR_SAMPLE_ID_ALL)
			 : 1u << CP_ATTR_SAMPLE_ID_ALL);
	put64(&m, 0), put64(&m, 0);
}

static void
put_sample(uint64_t i)
{
	put32(&m, CP_RECORD_SAMPLE), put16(&m, 2), put16(&m, SAMPLE);
	put64(&m, i); /* ip tells which it is */
	put32(&m, 7), put32(&m, 7);
	put64(&m, 1000000 + i * 1000);
}

/* Header and attr of a seekable file whose data are n bytes. */
static void
put_header(bool swap, uint64_t n)
{
	m = make_new(swap);
	put64(&m, UINT64_C(0x32454c4946524550));
	put64(&m, HEAD), put64(&m, ENTRY);
	put64(&m, HEAD), put64(&m, ENTRY);
	put64(&m, DATA), put64(&m, n);
	put64(&m, 0), put64(&m, 0);
	for (int i = 0; i < 4; i++)
		put64(&m, 0);
	put_attr();
	put64(&m, 0), put64(&m, 0);
}

static void
put_file(bool swap)
{
	put_header(swap, (uint64_t)SAMPLES * SAMPLE);
	for (uint64_t i = 0; i < SAMPLES; i++)
		put_sample(i);
}

static size_t
place(size_t sample)
{
	return DATA + sample * SAMPLE;
}

static void
note(const struct cp_event *ev)
{
	events++;
	if (ev->type == CP_RECORD_SAMPLE && ev->u.sample.ip < SAMPLES)
		found[ev->u.sample.ip]++;
}

/* Reads what was put; true if it could be opened. */
static bool
read_all(void)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	struct cp_capture c;
	struct cp_event ev;
	char path[64];
	bool opened;

	memset(found, 0, sizeof(found));
	memset(&quality, 0, sizeof(quality));
	events = 0;
	cp_diags_init(&diags);
	cp_info_init(&rec.info);
	if (fd < 0 || write(fd, m.b.data, m.b.len) != (ssize_t)m.b.len)
		exit(99);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened =
	    cp_capture_open(&c, path, false, &rec, &quality, &diags) == CP_OK;
	while (opened && cp_capture_next(&c, &ev))
		note(&ev);
	cp_capture_close(&c);
	cp_recording_free(&rec);
	close(fd);
	return opened;
}

static size_t
missing(size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = 0; i < SAMPLES; i++)
		n += found[i] != (i < from || i >= to);
	return n;
}

static void
check(const char *what, size_t from, size_t to, uint64_t skipped)
{
	is_u64(missing(from, to), 0, "%s: all intact samples are found", what);
	is_u64(quality.bytes_skipped, skipped, "%s: bytes skipped", what);
	is_u64(
	    quality.bytes_parsed, m.b.len - skipped, "%s: bytes parsed", what);
	is_u64(quality.gaps, skipped != 0, "%s: gaps", what);
}

/* n bytes at `at` become c. */
static void
damage(size_t at, size_t n, int c)
{
	memset(m.b.data + at, c, n);
}

static void
set_size(size_t sample, uint16_t size)
{
	size = cp_load16(&size, m.swap);
	memcpy(m.b.data + place(sample) + 6, &size, sizeof(size));
}

static void
test_damage(bool swap)
{
	static const uint16_t sizes[] = { 0, 1, 7, 8, 24, 33, 40, 64, 320,
		32768, 65528, 65535 };

	put_file(swap);
	ok(read_all(), "the capture is opened");
	check("intact", 0, 0, 0);
	damage(place(100), 8, 0);
	read_all();
	check("a header of zeros", 100, 101, 32);
	cp_buf_free(&m.b);
	put_file(swap);
	damage(place(2000) + 4, 320, 0xff);
	read_all();
	check("ten records of ones", 2000, 2011, 352);
	cp_buf_free(&m.b);
	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		char what[32];

		put_file(swap);
		set_size(1000, sizes[i]);
		read_all();
		snprintf(what, sizeof(what), "size %u", sizes[i]);
		check(what, 0, 0, 8); /* its content tells the size */
		cp_buf_free(&m.b);
	}
	put_file(swap);
	damage(place(10), place(3990) - place(10), 0x41);
	read_all();
	check("a hole of 127,360 bytes", 10, 3990, 3980 * 32);
	cp_buf_free(&m.b);
}

static void
test_ends(void)
{
	put_file(false);
	m.b.len -= 8;
	read_all();
	check("cut in the last record", SAMPLES - 1, SAMPLES, 24);
	is_u64(diags.count[CP_D_TRUNCATED] != 0, 1, "and it is said");
	m.b.len = place(5) + 4;
	read_all();
	is_u64(missing(5, SAMPLES), 0, "cut in a header: what is there");
	is_u64(quality.bytes_skipped, 4, "cut in a header: bytes skipped");
	m.b.len = place(0);
	ok(read_all(), "no records at all");
	is_u64(events, 0, "gives no events");
	m.b.len = HEAD + 8;
	ok(!read_all(), "cut in the attr: not opened");
	ok(cp_diags_worst(&diags) == CP_DIAG_ERROR, "with an error");
	m.b.len = 60;
	ok(!read_all(), "cut in the header: not opened");
	ok(cp_diags_worst(&diags) == CP_DIAG_ERROR, "with an error");
	cp_buf_free(&m.b);
}

/* simpleperf's records have 32 bits of size. */
static void
test_large(void)
{
	static const uint32_t sizes[] = { 16, CP_MAX_RECORD, CP_MAX_RECORD + 8,
		0x7ffffff8, 0xfffffffc };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		put_header(false, 16 + SAMPLES * 32);
		put32(&m, 32778);
		put16(&m, (uint16_t)(sizes[i] >> 16));
		put16(&m, (uint16_t)sizes[i]);
		put64(&m, 0);
		for (uint64_t k = 0; k < SAMPLES; k++)
			put_sample(k);
		read_all();
		is_u64(quality.bytes_parsed + quality.bytes_skipped, m.b.len,
		    "a record of 0x%x bytes is accounted for", sizes[i]);
		if (sizes[i] != CP_MAX_RECORD)
			is_u64(missing(0, 0), 0, "and hides nothing");
		cp_buf_free(&m.b);
	}
}

/* ------------------------------------------------------------ compressed */

struct piece {
	uint8_t bytes[60000];
	size_t n;
};

/* The samples as one zstd stream in slices that end anywhere. */
static size_t
slices(struct piece *out, size_t max, bool new_frames)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	struct make plain = m;
	size_t n = 0, step = 1000 * 32 + 12;

	m = make_new(false);
	for (uint64_t i = 0; i < SAMPLES; i++)
		put_sample(i);
	for (size_t at = 0; at < m.b.len && n < max; at += step, n++) {
		ZSTD_inBuffer in = { m.b.data + at, CP_MIN(step, m.b.len - at),
			0 };
		ZSTD_outBuffer o = { out[n].bytes, sizeof(out[n].bytes), 0 };

		if (ZSTD_compressStream2(z, &o, &in,
			new_frames ? ZSTD_e_end : ZSTD_e_flush) != 0)
			exit(99);
		out[n].n = o.pos;
	}
	cp_buf_free(&m.b);
	m = plain;
	ZSTD_freeCCtx(z);
	return n;
}

/* bad: the slice that is spoiled, or -1. */
static uint64_t
put_compressed(const struct piece *p, size_t n, int bad)
{
	uint64_t spoiled = 0;

	for (size_t i = 0; i < n; i++) {
		put32(&m, CP_RECORD_COMPRESSED), put16(&m, 0);
		put16(&m, (uint16_t)(p[i].n + 8));
		cp_buf_add(&m.b, p[i].bytes, p[i].n);
		if ((int)i == bad) {
			damage(m.b.len - p[i].n, p[i].n, 0xff);
			spoiled = p[i].n + 8;
		}
	}
	return spoiled;
}

static uint64_t
compressed(bool new_frames, int bad)
{
	static struct piece pieces[8];
	size_t n = slices(pieces, 8, new_frames), size = 0;

	for (size_t i = 0; i < n; i++)
		size += pieces[i].n + 8;
	put_header(false, size);
	return put_compressed(pieces, n, bad);
}

static void
test_compressed(void)
{
	uint64_t lost;

	compressed(false, -1);
	read_all();
	check("one stream in slices", 0, 0, 0);
	is_u64(events, SAMPLES, "compressed records are no events");
	cp_buf_free(&m.b);
	compressed(true, -1);
	read_all();
	check("a frame in each record", 0, 0, 0);
	cp_buf_free(&m.b);
	lost = compressed(true, 1);
	read_all();
	/* Records 1000 and 2000 stand across the edges of the lost slice. */
	is_u64(missing(1000, 2001), 0, "a spoiled frame: the others are read");
	is_u64(quality.bytes_skipped, lost, "a spoiled frame: its bytes");
	is_u64(diags.count[CP_D_BAD_COMPRESSION], 1, "a spoiled frame: said");
	cp_buf_free(&m.b);
	compressed(false, 1);
	read_all();
	is_u64(missing(1000, SAMPLES), 0,
	    "a spoiled slice of a stream: the rest of it is lost");
	is_u64(quality.bytes_parsed + quality.bytes_skipped, m.b.len,
	    "a spoiled slice of a stream: the account");
	cp_buf_free(&m.b);
}

/* --------------------------------------------------------- wrapped sizes */

enum { FLUSH_HALF = SAMPLES / 2, FLUSH_MAX = 65519, FLUSH_HEAD = 16 };

/* A frame that says nothing, then one of samples: size bytes in all. */
static void
flush_data(struct cp_buf *out, uint64_t first, size_t size)
{
	struct make plain = m, skip = make_new(false);
	char frame[30000];
	size_t n;

	m = make_new(false);
	for (uint64_t i = 0; i < FLUSH_HALF; i++)
		put_sample(first + i);
	n = ZSTD_compress(frame, sizeof(frame), m.b.data, m.b.len, 1);
	if (ZSTD_isError(n) || n + 8 > size)
		exit(99);
	cp_buf_free(&m.b);
	m = plain;
	put32(&skip, ZSTD_MAGIC_SKIPPABLE_START);
	put32(&skip, (uint32_t)(size - n - 8));
	while (skip.b.len < size - n)
		put8(&skip, 83); /* looks like a record's type */
	cp_buf_add(&skip.b, frame, n);
	*out = skip.b;
}

/* What perf 6.16 writes for a flush that takes `total` bytes. */
static void
put_flush(uint64_t first, size_t total)
{
	size_t records =
	    (total + FLUSH_HEAD + FLUSH_MAX - 1) / (FLUSH_HEAD + FLUSH_MAX);
	struct cp_buf b;

	flush_data(&b, first, total - records * FLUSH_HEAD);
	for (size_t at = 0; at < b.len; at += FLUSH_MAX) {
		size_t n = CP_MIN(b.len - at, (size_t)FLUSH_MAX);

		put32(&m, CP_RECORD_COMPRESSED2), put16(&m, 0);
		put16(&m,
		    (uint16_t)(at == 0 ? cp_align8(total) : n + FLUSH_HEAD));
		put64(&m, at == 0 ? total - FLUSH_HEAD : 1);
		cp_buf_add(&m.b, b.data + at, n);
	}
	cp_buf_free(&b);
}

static void
test_wrapped(void)
{
	static const size_t totals[] = { 65529, 65535, 65552, 65600, 70000,
		131069, 131071 + FLUSH_HEAD, 300000 };

	for (size_t i = 0; i < CP_ARRAY_LEN(totals); i++) {
		char what[40];
		uint64_t size;

		put_header(false, 0);
		put_flush(0, totals[i]);
		put_flush(FLUSH_HALF, 40000);
		size = m.b.len - DATA;
		memcpy(m.b.data + 48, &size, sizeof(size));
		read_all();
		snprintf(what, sizeof(what), "a flush of %zu bytes", totals[i]);
		check(what, 0, 0, 0);
		m.b.len -= 1;
		read_all();
		is_u64(quality.bytes_parsed + quality.bytes_skipped, m.b.len,
		    "%s, then cut: the account", what);
		cp_buf_free(&m.b);
	}
}

int
main(void)
{
	test_damage(false);
	test_damage(true);
	test_ends();
	test_large();
	test_compressed();
	test_wrapped();
	return done_testing();
}
