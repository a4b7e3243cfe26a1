/* SPDX-License-Identifier: MIT */
/*
 * Copies of events that are kept back: they stay as they are until they are
 * dropped, in whatever order, and the memory is used again.
 */
#include "model/order/pool.h"

#include "tests/tap.h"

enum { N = 5000, WINDOW = 700, BIG = 300 << 10 };

static uint8_t
byte_of(size_t number, size_t at)
{
	return (uint8_t)(number * 7 + at);
}

static const uint8_t *
put(struct cp_held *h, size_t number, size_t n)
{
	static uint8_t bytes[BIG];

	for (size_t i = 0; i < n; i++)
		bytes[i] = byte_of(number, i);
	return memcpy(cp_held_take(h, n), bytes, n);
}

static bool
intact(const uint8_t *p, size_t number, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != byte_of(number, i))
			return false;
	return true;
}

static size_t
size_of(size_t number)
{
	return number % 997 == 0 ? BIG : 1 + number * 31 % 900;
}

/* Dropped nearly in order, each pair swapped. */
static void
test_window(void)
{
	struct cp_held h = { 0 };
	const uint8_t *copy[N];
	size_t bad = 0, most = 0;

	for (size_t i = 0; i < N + WINDOW; i++) {
		if (i < N)
			copy[i] = put(&h, i, size_of(i));
		if (h.bytes > most)
			most = h.bytes;
		if (i >= WINDOW) {
			size_t old = (i - WINDOW) ^ 1;

			bad += !intact(copy[old], old, size_of(old));
			cp_held_drop(&h, copy[old], size_of(old));
		}
	}
	ok(bad == 0, "%d copies of 1 byte to 300 KiB stay as they are", N);
	ok(h.bytes == 0 && most > WINDOW * 400, "their bytes are counted");
	ok(h.n_spare > 0 && h.n_spare <= 16, "blocks are used again");
	cp_held_free(&h);
}

static void
test_event(void)
{
	static const uint8_t raw[3] = { 1, 2, 3 };
	struct cp_held h = { 0 };
	struct cp_event ev = { .type = CP_RECORD_SAMPLE, .time = 5 }, *copy;

	ev.u.sample.raw = raw;
	ev.u.sample.raw_size = sizeof(raw);
	copy = cp_held_copy(&h, &ev);
	ok(copy->time == 5 && copy->u.sample.raw != raw &&
		memcmp(copy->u.sample.raw, raw, sizeof(raw)) == 0,
	    "an event comes with what it points to");
	ok(h.bytes == copy->copied && copy->copied > sizeof(ev),
	    "and says its size");
	cp_held_drop(&h, copy, copy->copied);
	ok(h.bytes == 0, "nothing is held when it is dropped");
	cp_held_free(&h);
}

int
main(void)
{
	test_window();
	test_event();
	return done_testing();
}
