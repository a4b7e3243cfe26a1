/* SPDX-License-Identifier: MIT */
/*
 * Buckets of time: nothing of a span is lost when they get wider, and neither
 * a long capture nor many keys make more rows than there may be.
 */
#include "analyses/common/time-buckets.h"
#include "tests/analyses/host.h"
#include "tests/tap.h"

#define MOST 600u
#define LONG (MOST * UINT64_C(1000))

/* Weight of all rows; counts the keys that have all of theirs. */
static uint64_t
sum_of(const struct cp_buckets *b, uint64_t each, uint64_t *whole, size_t *n)
{
	struct cp_tally_row *rows;
	uint64_t sum = 0, of_key = 0;

	*n = cp_buckets_rows(b, &rows);
	*whole = 0;
	for (size_t i = 0; i < *n; i++) {
		bool last = i + 1 == *n || rows[i + 1].a != rows[i].a;

		sum += rows[i].weight;
		of_key += rows[i].weight;
		*whole += last && of_key == each;
		of_key = last ? 0 : of_key;
	}
	return sum;
}

static void
test_keys(uint64_t keys, uint64_t most_rows, uint32_t buckets, const char *what)
{
	struct cp_run *run = host_new();
	struct cp_buckets b;
	uint64_t sum, whole;
	size_t n;

	cp_buckets_init(&b, run, MOST, 1000);
	for (uint64_t k = 0; k < keys; k++)
		cp_buckets_span(&b, k, 0, LONG - 1);
	sum = sum_of(&b, LONG - 1, &whole, &n);
	ok(sum == keys * (LONG - 1) && whole == keys, "%s: all is there", what);
	ok(n <= most_rows && b.most == buckets, "%s: in %zu rows of %u", what,
	    n, b.most);
	host_free(run);
}

static void
test_length(void)
{
	struct cp_run *run = host_new();
	struct cp_buckets b;
	uint64_t sum, whole;
	size_t n;

	cp_buckets_init(&b, run, MOST, 1);
	cp_buckets_add(&b, 1, 0, 5);
	cp_buckets_add(&b, 1, UINT64_C(1) << 61, 6);
	cp_buckets_span(&b, 1, 3, LONG);
	sum = sum_of(&b, LONG - 3 + 11, &whole, &n);
	ok(sum == LONG - 3 + 11 && whole == 1 && n == 2,
	    "seconds and a century");
	host_free(run);
}

int
main(void)
{
	test_length();
	test_keys(100, 100 * MOST, MOST, "a hundred keys");
	test_keys(
	    16000, CP_BUCKETS_ROWS + CP_BUCKETS_ROWS / 8, 150, "16,000 keys");
	return done_testing();
}
