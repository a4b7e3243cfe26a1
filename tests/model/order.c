/* SPDX-License-Identifier: MIT */
/*
 * Events in order of time: perf's rules by examples worked out by hand, and
 * the sort against a simple one.  pid tells the events apart.
 */
#include <coldperf/samples.h>

#include "model/order/order.h"

#include "tests/tap.h"

static struct cp_evsels evsels;
static struct cp_chains chains;
static struct cp_quality quality;
static struct cp_diags diags;
static struct cp_order order;
static char got[512]; /* the pids as they were delivered */
static int answer;    /* the sink's */

static int
sink(void *ctx, const struct cp_queued *q)
{
	size_t n = strlen(got);

	(void)ctx;
	if (n < sizeof(got) - 12)
		snprintf(
		    got + n, sizeof(got) - n, n == 0 ? "%u" : " %u", q->pid);
	return answer;
}

static void
begin(bool sample_id_all)
{
	struct cp_attr a = { .sample_type = CP_SAMPLE_TID | CP_SAMPLE_TIME };

	cp_diags_init(&diags);
	memset(&quality, 0, sizeof(quality));
	got[0] = '\0';
	answer = CP_OK;
	a.flags = (uint64_t)sample_id_all << CP_ATTR_SAMPLE_ID_ALL;
	cp_evsels_add(&evsels, &a, &diags);
	cp_chains_init(&chains);
	cp_order_init(&order, &evsels, &chains, &quality, &diags, sink, NULL);
}

static void
end(void)
{
	cp_order_free(&order);
	cp_chains_free(&chains);
	cp_evsels_free(&evsels);
}

static int
push(uint32_t pid, uint64_t time)
{
	const struct cp_event ev = {
		.type = CP_RECORD_SAMPLE, .size = 8, .time = time, .pid = pid
	};

	return cp_order_push(&order, &ev);
}

static int
finished(uint64_t time)
{
	const struct cp_event ev = {
		.type = CP_RECORD_FINISHED_ROUND, .size = 8, .time = time
	};

	return cp_order_push(&order, &ev);
}

static void
test_stable(void)
{
	begin(true);
	push(1, 50);
	push(2, 10);
	push(3, 50);
	push(4, 10);
	push(5, 30);
	is_str(got, "", "nothing is delivered before its time");
	cp_order_end(&order);
	is_str(got, "2 4 5 1 3", "sorted, equal times as they arrived");
	is_u64(quality.out_of_order, 0, "nothing was out of order");
	end();
}

/* A round releases what was the youngest at the round before. */
static void
test_rounds(void)
{
	begin(true);
	push(1, 30);
	push(2, 10);
	finished(CP_NO_TIME);
	is_str(got, "", "the first round releases nothing");
	push(3, 20);
	push(4, 40);
	finished(CP_NO_TIME);
	is_str(got, "2 3 1", "the second what is not younger than 30");
	push(5, 35);
	finished(CP_NO_TIME);
	is_str(got, "2 3 1 5 4", "the third what is not younger than 40");
	is_u64(quality.out_of_order, 0, "nothing was out of order");
	push(6, 34);
	is_u64(quality.out_of_order, 1, "older than what was delivered");
	is_u64(diags.count[CP_D_OUT_OF_ORDER], 1, "and said");
	push(7, 60);
	push(8, 50);
	cp_order_end(&order);
	is_str(got, "2 3 1 5 4 6 8 7", "it comes where it fits best");
	end();
}

static void
test_at_once(void)
{
	begin(true);
	push(1, 30);
	push(2, 0);
	push(3, CP_NO_TIME);
	is_str(got, "2 3", "what has no time is delivered at once");
	push(4, UINT64_MAX - 1);
	cp_order_end(&order);
	is_str(got, "2 3 1 4", "the largest time is the last");
	end();
	begin(false);
	push(1, 30);
	push(2, 10);
	is_str(got, "1 2", "without sample_id_all it is file order");
	end();
}

static void
test_explicit(void)
{
	begin(true);
	push(1, 30);
	push(2, 10);
	push(3, 20);
	finished(20);
	is_str(got, "2 3", "a round that names its time releases up to it");
	push(4, 25);
	finished(29);
	is_str(got, "2 3 4", "exactly");
	cp_order_end(&order);
	is_str(got, "2 3 4 1", "the rest at the end");
	end();
}

static void
test_failure(void)
{
	begin(true);
	push(1, 10);
	push(2, 20);
	push(3, 30);
	answer = CP_FAIL;
	is_u64(cp_order_end(&order) != CP_OK, 1, "a failure is passed on");
	is_str(got, "1", "and stops the delivery");
	end();
}

/* Copies are given back: the bytes kept are those of what waits. */
static void
test_copies(void)
{
	struct cp_event comm = { .type = CP_RECORD_COMM,
		.size = 32,
		.time = 10,
		.pid = 1,
		.u.comm = { 1, 1, "a name" } };

	begin(true);
	for (int i = 0; i < 100; i++) {
		comm.time += 10;
		cp_order_push(&order, &comm);
		finished(CP_NO_TIME);
	}
	ok(order.held.bytes > 0 && order.held.bytes < 4096,
	    "two events wait, %zu bytes", order.held.bytes);
	cp_order_end(&order);
	is_u64(order.held.bytes, 0, "none at the end");
	end();
}

/* Without rounds the window moves on by halves. */
static void
test_window(void)
{
	size_t n = CP_ORDER_WINDOW;

	begin(true);
	for (size_t i = 0; i < n; i++)
		push(1, i % 2 == 0 ? i + 2 : i);
	is_u64(order.waiting.len + order.arrived.len, n / 2,
	    "half of a full window waits");
	is_u64(diags.count[CP_D_NO_ROUNDS], 1, "and it is said");
	is_u64(order.delivered, n / 2, "the older half was delivered");
	cp_order_end(&order);
	is_u64(quality.out_of_order, 0, "in order");
	end();
}

/* ------------------------------------------------------------------- sort */

static uint64_t
next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

/* Insertion sort: stable, and too simple to be wrong. */
static void
simple_sort(struct cp_order_key *k, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0 && k[j].time < k[j - 1].time; j--) {
			struct cp_order_key t = k[j];

			k[j] = k[j - 1];
			k[j - 1] = t;
		}
}

static bool
same_as_simple(size_t n, uint64_t times, uint64_t *state)
{
	struct cp_order_key a[300], b[300], scratch[300];

	for (size_t i = 0; i < n; i++)
		a[i] = (struct cp_order_key){ next(state) % times,
			(struct cp_slot *)(uintptr_t)i };
	memcpy(b, a, n * sizeof(*a));
	memmove(a, cp_order_sort(a, n, scratch), n * sizeof(*a));
	simple_sort(b, n);
	for (size_t i = 0; i < n; i++)
		if (a[i].time != b[i].time || a[i].slot != b[i].slot)
			return false;
	return true;
}

static void
test_sort(void)
{
	uint64_t state = 1;
	size_t bad = 0;

	for (size_t n = 0; n <= 300; n++)
		for (uint64_t times = 1; times <= 1000; times *= 10)
			bad += !same_as_simple(n, times, &state);
	is_u64(bad, 0, "1,204 sorts are those of a simple one");
}

int
main(void)
{
	test_stable();
	test_rounds();
	test_at_once();
	test_explicit();
	test_failure();
	test_copies();
	test_window();
	test_sort();
	return done_testing();
}
