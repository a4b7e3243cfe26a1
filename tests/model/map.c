/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: what a new mapping leaves of the old ones, and when an
 * answer that was given changes.  A random space is compared with an array
 * that knows every address.
 */
#include "model/map.h"

#include "tests/tap.h"

static bool
put_as(struct cp_aspace *a, uint64_t start, uint64_t end, uint64_t delta,
    uint32_t dso, bool code)
{
	const struct cp_map m = { start, end, delta, dso, code };
	bool changed = false;

	if (cp_aspace_insert(a, &m, &changed) != CP_OK)
		printf("# refused\n");
	return changed;
}

static bool
put(struct cp_aspace *a, uint64_t start, uint64_t end, uint64_t delta,
    uint32_t dso)
{
	return put_as(a, start, end, delta, dso, true);
}

/* "10-20:1 20-30:2" */
static const char *
show(const struct cp_aspace *a)
{
	static char text[512];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < a->maps.len; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    "%s%" PRIu64 "-%" PRIu64 ":%" PRIu32, i == 0 ? "" : " ",
		    a->maps.data[i].start, a->maps.data[i].end,
		    a->maps.data[i].dso);
	return text;
}

static void
test_overlap(void)
{
	struct cp_aspace *a = cp_aspace_new();
	const struct cp_map *m;

	put(a, 10, 20, 1000, 1);
	put(a, 30, 40, 2000, 2);
	is_str(show(a), "10-20:1 30-40:2", "mappings apart");
	put(a, 15, 35, 0, 3);
	is_str(show(a), "10-15:1 15-35:3 35-40:2", "a newer one trims both");
	put(a, 0, 100, 500, 4);
	is_str(show(a), "0-100:4", "and covers all");
	put(a, 40, 60, 0, 5);
	is_str(show(a), "0-40:4 40-60:5 60-100:4", "one in the middle splits");
	m = cp_aspace_find(a, 70);
	is_u64(
	    m != NULL ? m->delta : 0, 500, "the right part leads where it led");
	is_u64(cp_aspace_find(a, 40)->dso, 5, "a start is inside");
	is_u64(cp_aspace_find(a, 60)->dso, 4, "an end is not");
	ok(cp_aspace_find(a, 100) == NULL, "nothing behind the last");
	ok(cp_aspace_remove(a, 30, 50), "cutting out says if it did");
	is_str(show(a), "0-30:4 50-60:5 60-100:4", "and leaves the rest");
	ok(!cp_aspace_remove(a, 35, 45), "or if there was nothing");
	put(a, 200, 200, 0, 6);
	put(a, 300, 250, 0, 6);
	is_u64(a->maps.len, 3, "an empty range is no mapping");
	is_u64(cp_aspace_next(a, 31), 50, "the next start behind a gap");
	is_u64(cp_aspace_next(a, 5), 50, "behind the middle of one");
	is_u64(cp_aspace_next(a, 60), 60, "a start itself");
	is_u64(cp_aspace_next(a, 61), UINT64_MAX, "none");
	cp_aspace_unref(a);
}

static void
test_changed(void)
{
	struct cp_aspace *a = cp_aspace_new();

	ok(!put(a, 10, 20, 0, 1), "a new place changes no answer");
	ok(!put(a, 10, 20, 0, 1), "the same again does not");
	ok(!put(a, 20, 30, 0, 2), "a neighbour does not");
	ok(put(a, 10, 20, 5, 1), "another offset does");
	ok(put(a, 25, 35, 0, 3), "an overlap does");
	ok(!put(a, 35, 45, 0, 3), "a place that grows does not");
	ok(cp_aspace_ask(a, 55) == NULL, "a miss");
	ok(!put(a, 60, 65, 0, 4), "a new place elsewhere does not");
	ok(put(a, 50, 60, 0, 4), "a new place there does after a miss");
	cp_aspace_renew(a, 7);
	ok(!put(a, 70, 80, 0, 4), "but not for a new generation");
	for (uint64_t ip = 100; ip < 200; ip++)
		(void)cp_aspace_ask(a, ip);
	ok(put(a, 300, 310, 0, 4), "after many misses every place does");
	cp_aspace_unref(a);
}

static void
test_code(void)
{
	struct cp_aspace *a = cp_aspace_new();

	ok(cp_aspace_is_code(a, 15), "without mappings all can be code");
	put_as(a, 10, 30, 0, 1, true);
	ok(cp_aspace_is_code(a, 15), "what is mapped executable is code");
	ok(!cp_aspace_is_code(a, 35), "what is not mapped is none");
	ok(put_as(a, 20, 30, 0, 1, false), "the same as data is a change");
	ok(!cp_aspace_is_code(a, 25), "data is no code");
	ok(cp_aspace_is_code(a, 19), "the rest is still");
	cp_aspace_unref(a);
}

static void
test_sharing(void)
{
	struct cp_aspace *parent = cp_aspace_new(), *child;

	put(parent, 10, 20, 0, 1);
	child = cp_aspace_ref(parent);
	ok(child == parent, "a child shares");
	child = cp_aspace_own(child);
	ok(child != parent, "until it wants its own");
	put(child, 15, 30, 0, 2);
	is_str(show(child), "10-15:1 15-30:2", "its own changes");
	is_str(show(parent), "10-20:1", "the parent's does not");
	ok(cp_aspace_own(child) == child, "who is alone has it already");
	cp_aspace_unref(child);
	cp_aspace_unref(parent);
}

static void
test_edges(void)
{
	struct cp_aspace *a = cp_aspace_new();

	put(a, 0, UINT64_MAX, 0, 1);
	put(a, UINT64_MAX - 8, UINT64_MAX, 0, 2);
	is_u64(cp_aspace_find(a, UINT64_MAX - 1)->dso, 2, "the last address");
	is_u64(cp_aspace_find(a, 0)->dso, 1, "the first");
	ok(cp_aspace_remove(a, 0, UINT64_MAX), "everything goes");
	is_u64(a->maps.len, 0, "everything went");
	cp_aspace_unref(a);
}

enum { WORLD = 200, ROUNDS = 20000 };

static uint64_t
next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

static bool
agree(const struct cp_aspace *a, const uint32_t *world)
{
	for (uint64_t ip = 0; ip < WORLD; ip++) {
		const struct cp_map *m = cp_aspace_find(a, ip);

		if ((m != NULL ? m->dso : 0) != world[ip])
			return false;
		if (m != NULL && m->delta != m->dso * 7)
			return false;
	}
	return true;
}

/* "changed" may not be missing when an address means something else. */
static void
test_random(void)
{
	struct cp_aspace *a = cp_aspace_new();
	uint32_t world[WORLD] = { 0 };
	uint64_t state = 7;
	size_t wrong = 0, silent = 0, idle = 0;

	for (uint32_t r = 0; r < ROUNDS; r++) {
		uint64_t start = next(&state) % WORLD;
		uint64_t end = start + next(&state) % (WORLD - start) % 40;
		uint32_t dso = 1 + (uint32_t)(next(&state) % 5);
		bool remove = next(&state) % 4 == 0, other = false, changed;

		for (uint64_t ip = start; ip < end; ip++) {
			other |= world[ip] != 0 && world[ip] != dso;
			other |= world[ip] != 0 && remove;
			world[ip] = remove ? 0 : dso;
		}
		changed = remove ? cp_aspace_remove(a, start, end)
				 : put(a, start, end, dso * 7, dso);
		silent += other && !changed;
		idle += start >= end && changed;
		wrong += !agree(a, world);
	}
	is_u64(wrong, 0, "%d random changes give the right answers", ROUNDS);
	is_u64(silent, 0, "every other answer was said to be one");
	is_u64(idle, 0, "nothing changes nothing");
	cp_aspace_unref(a);
}

int
main(void)
{
	test_overlap();
	test_changed();
	test_code();
	test_sharing();
	test_edges();
	test_random();
	return done_testing();
}
