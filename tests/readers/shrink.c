/* SPDX-License-Identifier: MIT */
/*
 * A capture that is cut while it is read: whatever was intact is found, what
 * is gone is missed and said, and nobody is killed.
 */
#include "config.h" /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "readers/list.h"
#include "readers/reader.h"
#include "readers/record/window.h"

#include "tests/readers/make.h"
#include "tests/tap.h"

enum {
	HEAD = 104,
	ATTR = 64,
	ENTRY = ATTR + 16,
	DATA = HEAD + ENTRY,
	SAMPLE = 32,
	SAMPLES = 200000,
	MIB = 1 << 20,
};

static int
file_of(const void *p, size_t n)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		exit(99);
	return fd;
}

static void
cut(int fd, size_t n)
{
	if (ftruncate(fd, (off_t)n) != 0)
		exit(99);
}

/* ----------------------------------------------------------------- windows */

/* What was read before the cut stays what it was; then the new end counts. */
static void
test_window(void)
{
	enum { SIZE = 8 * CP_WINDOW_MAX, CUT = 3 * CP_WINDOW_MAX };
	static uint8_t bytes[SIZE];
	struct cp_input in = { .seekable = true, .size = SIZE };
	struct cp_window w;
	size_t had;

	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(i >> 12 | 1);
	in.fd = file_of(bytes, SIZE);
	cp_window_pull(&w, &in, 0, SIZE);
	had = cp_window_have(&w, CP_WINDOW_MAX);
	ok(had >= CP_WINDOW_MAX && had < CUT, "a part of a file");
	cp_window_step(&w, 100);
	cut(in.fd, CUT);
	ok(memcmp(w.at, bytes + 100, had - 100) == 0, "stays what it was");
	ok(cp_window_have(&w, CP_WINDOW_MAX) >= CP_WINDOW_MAX &&
		memcmp(w.at, bytes + 100, CP_WINDOW_MAX) == 0,
	    "and goes on with what the file has yet");
	is_u64(w.offset, 100, "from the same place");
	while (cp_window_have(&w, CP_WINDOW_MAX) >= CP_WINDOW_MAX)
		cp_window_step(&w, CP_WINDOW_MAX / 2);
	is_u64(w.offset + cp_window_have(&w, CP_WINDOW_MAX), CUT,
	    "up to its new end");
	ok(memcmp(w.at, bytes + w.offset, CUT - w.offset) == 0,
	    "which is what it was");
	ok(w.ended && w.error == 0, "and no error");
	cp_window_free(&w);
	close(in.fd);
}

static void
test_leave(void)
{
	static const uint8_t bytes[8192];
	struct cp_input in = { .seekable = true, .size = sizeof(bytes) };
	struct cp_window w;

	in.fd = file_of(bytes, sizeof(bytes));
	cp_window_pull(&w, &in, 0, sizeof(bytes));
	ok(cp_window_have(&w, 1) == sizeof(bytes) && w.mem != NULL,
	    "a window with memory");
	cp_window_leave(&w);
	ok(w.mem == NULL, "has none when it has been left");
	is_u64(cp_window_have(&w, 1), 0, "and shows nothing more");
	ok(w.error == 0, "without an error");
	cp_window_free(&w);
	close(in.fd);
}

/* ---------------------------------------------------------------- captures */

static void
put_capture(struct make *m)
{
	put64(m, UINT64_C(0x32454c4946524550));
	put64(m, HEAD), put64(m, ENTRY);
	put64(m, HEAD), put64(m, ENTRY);
	put64(m, DATA), put64(m, (uint64_t)SAMPLES * SAMPLE);
	for (int i = 0; i < 6; i++)
		put64(m, 0);
	put32(m, 0), put32(m, ATTR);
	put64(m, 0), put64(m, 4000);
	put64(m, CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME);
	put64(m, 0), put64(m, 1u << CP_ATTR_SAMPLE_ID_ALL);
	put64(m, 0), put64(m, 0);
	put64(m, 0), put64(m, 0);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		put32(m, CP_RECORD_SAMPLE), put16(m, 2), put16(m, SAMPLE);
		put64(m, i + 1); /* ip tells which it is */
		put32(m, 7), put32(m, 7);
		put64(m, 1000000 + i * 1000);
	}
}

/* The first n are read before the file is cut to that size. */
static void
test_capture(const struct make *m, uint64_t n, size_t size)
{
	static struct cp_recording rec;
	struct cp_quality quality = { 0 };
	struct cp_diags diags;
	struct cp_capture c;
	struct cp_event ev;
	char path[64];
	uint64_t i = 0, wrong = 0;
	int fd = file_of(m->b.data, m->b.len);

	cp_diags_init(&diags);
	cp_info_init(&rec.info);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ok(cp_capture_open(&c, path, false, &rec, &quality, &diags) == CP_OK,
	    "a capture, to be cut to %zu bytes after %" PRIu64 " samples", size,
	    n);
	while (cp_capture_next(&c, &ev)) {
		if (++i == n)
			cut(fd, size);
		wrong += ev.u.sample.ip != i;
	}
	is_u64(wrong, 0, "no sample is another");
	/* Those read ahead of the cut were intact. */
	ok(i >= (size - DATA) / SAMPLE && i >= n && i < SAMPLES,
	    "those there are found");
	ok(diags.count[CP_D_TRUNCATED] + diags.count[CP_D_READ] != 0,
	    "and it is said that it was cut");
	cp_capture_close(&c);
	cp_recording_free(&rec);
	close(fd);
}

int
main(void)
{
	struct make m = { .swap = false };

	cp_buf_init(&m.b, 8 * MIB);
	test_window();
	test_leave();
	put_capture(&m);
	test_capture(&m, 1000, 1 * MIB);
	test_capture(&m, 1000, 1 * MIB + 777);
	test_capture(&m, 1000, 3 * MIB);
	test_capture(&m, 1000, 5 * MIB);
	test_capture(&m, 100000, 0x1000);
	cp_buf_free(&m.b);
	return done_testing();
}
