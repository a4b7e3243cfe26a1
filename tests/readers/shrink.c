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
#include "readers/record/view.h"
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
	HALF = CP_VIEW_SIZE / 2,
	END = CP_VIEW_SIZE / 4
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

static void
test_window(void)
{
	static uint8_t bytes[2 * CP_VIEW_SIZE];
	struct cp_input in = { .seekable = true, .size = sizeof(bytes) };
	struct cp_window w;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i >> 12 | 1);
	in.fd = file_of(bytes, sizeof(bytes));
	cp_window_pull(&w, &in, 0, sizeof(bytes));
	ok(cp_window_have(&w, CP_WINDOW_MAX) > HALF, "a large view");
	ok(memcmp(w.at, bytes, HALF) == 0, "of what is there");
	ok(!cp_window_torn(&w) && !cp_window_lost(&w), "all of it");
	cp_window_step(&w, 100);
	cut(in.fd, END);
	is_u64(w.at[HALF], 0, "what is gone is zeros");
	is_u64(w.at[0], bytes[100], "what is there is what it was");
	ok(cp_window_torn(&w) && cp_window_lost(&w), "it is noticed");
	ok(cp_window_have(&w, CP_WINDOW_MAX) >= CP_WINDOW_MAX &&
		memcmp(w.at, bytes + 100, CP_WINDOW_MAX) == 0,
	    "and read on from the same place");
	is_u64(cp_window_skip(&w, END - 100), END - 100, "up to the end");
	is_u64(cp_window_have(&w, 1), 0, "that the file has now");
	ok(w.ended && w.error == 0, "and no error");
	cp_window_free(&w);
	close(in.fd);
}

/* The page that the end is in shows zeros without a word. */
static void
test_last_page(void)
{
	static uint8_t bytes[8192];
	struct cp_input in = { .seekable = true, .size = sizeof(bytes) };
	struct cp_window w;

	memset(bytes, 1, sizeof(bytes));
	in.fd = file_of(bytes, sizeof(bytes));
	cp_window_pull(&w, &in, 0, sizeof(bytes));
	is_u64(cp_window_have(&w, 1), sizeof(bytes), "a small file");
	cut(in.fd, 8000);
	is_u64(w.at[8100], 0, "its last page, half gone");
	ok(cp_window_lost(&w), "is noticed");
	is_u64(cp_window_have(&w, 8192), 8000, "and its size is known");
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
	ok(cp_window_have(&w, 1) == sizeof(bytes) && w.view != NULL,
	    "a window with a view");
	cp_window_leave(&w);
	ok(w.view == NULL, "has none when it has been left");
	is_u64(cp_window_have(&w, 1), 0, "and shows nothing more");
	ok(!cp_window_lost(&w) && w.error == 0, "without an error");
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
	/* The one that is cut may have been taken: zeros follow its start. */
	i -= size % 4096 != 0 && (size - DATA) % SAMPLE != 0 &&
	     i > (size - DATA) / SAMPLE && i > n;
	is_u64(i, CP_MAX(n, (size - DATA) / SAMPLE), "those there are found");
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
	test_last_page();
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
