/* SPDX-License-Identifier: MIT */
/*
 * JIT code over time: random loads, moves and new mappings, compared with a
 * model that keeps the owner of every single address.
 */
#include "model/jit.h"
#include "tests/tap.h"

enum { LOADS = 300, SPACE = 2000, ROUNDS = 60 };

/* xorshift: the same in every run. */
static uint64_t state = 88172645463325252u;

static uint64_t
draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void
make_loads(struct cp_jit *j)
{
	for (uint32_t i = 0; i < LOADS; i++) {
		struct cp_jit_load l = { .time = draw(1000), .number = i };

		l.start = draw(SPACE);
		l.end = l.start + 1 + draw(60);
		l.offset = i;
		*cp_vec_push(&j->loads) = l;
	}
	cp_jit_settle(j);
}

/* The owner of each address; 0: none.  What a load hits is gone behind it. */
static void
model_clear(uint32_t *owner, uint64_t start, uint64_t end)
{
	for (uint64_t a = start; a < end; a++) {
		uint32_t gone = owner[a];

		for (uint64_t b = a; gone != 0 && b < SPACE + 64; b++)
			if (owner[b] == gone)
				owner[b] = 0;
	}
}

static void
model_put(uint32_t *owner, const struct cp_jit_load *l)
{
	model_clear(owner, l->start, l->end);
	for (uint64_t a = l->start; a < l->end; a++)
		owner[a] = (uint32_t)l->offset + 1;
}

static bool
same_as_model(struct cp_jit *j, const uint32_t *owner)
{
	for (uint64_t a = 0; a < SPACE + 64; a++) {
		const struct cp_jit_load *l = cp_jit_find(j, a);

		if ((l != NULL ? (uint32_t)l->offset + 1 : 0) != owner[a])
			return false;
	}
	return true;
}

/* An answer that changes must change the version. */
static bool
version_tells(struct cp_jit *j, const uint32_t *before, const uint32_t *owner,
    uint32_t version)
{
	return memcmp(before, owner, (SPACE + 64) * sizeof(*owner)) == 0 ||
	       j->version != version;
}

static bool
round_of(void)
{
	uint32_t owner[SPACE + 64] = { 0 }, before[SPACE + 64];
	struct cp_jit j = { 0 };
	bool good = true;
	size_t next = 0;

	make_loads(&j);
	good &= same_as_model(&j, owner); /* all asked, in vain */
	for (uint64_t t = 0; t <= 1000; t += 1 + draw(40)) {
		uint32_t version = j.version;
		uint64_t gone = draw(SPACE);

		memcpy(before, owner, sizeof(owner));
		cp_jit_advance(&j, t);
		while (next < LOADS && j.loads.data[next].time <= t)
			model_put(owner, &j.loads.data[next++]);
		good &= version_tells(&j, before, owner, version);
		if (draw(4) == 0) {
			cp_jit_forget(&j, gone, gone + 50);
			model_clear(owner, gone, gone + 50);
		}
		good &= same_as_model(&j, owner);
	}
	cp_jit_advance(&j, UINT64_MAX - 1);
	good &= cp_jit_next(&j) == UINT64_MAX;
	cp_jit_free(&j);
	return good;
}

static void
test_versions(void)
{
	struct cp_jit j = { 0 };
	uint32_t v;

	*cp_vec_push(&j.loads) = (struct cp_jit_load){
		.time = 10, .start = 0x1000, .end = 0x1010, .offset = 1
	};
	*cp_vec_push(&j.loads) = (struct cp_jit_load){
		.time = 20, .start = 0x9000, .end = 0x9010, .offset = 2
	};
	*cp_vec_push(&j.loads) = (struct cp_jit_load){
		.time = 30, .start = 0x1008, .end = 0x1020, .offset = 3
	};
	cp_jit_settle(&j);
	ok(cp_jit_find(&j, 0x1000) == NULL, "before the first load: nothing");
	is_u64(cp_jit_next(&j), 10, "the time of the first load is known");
	v = j.version;
	cp_jit_advance(&j, 10);
	ok(j.version != v, "an answer changes: the version does");
	is_u64(cp_jit_find(&j, 0x100f)->offset, 1, "the load is in force");
	v = j.version;
	cp_jit_advance(&j, 20);
	ok(j.version == v, "a load that nobody asked for changes nothing");
	cp_jit_advance(&j, 30);
	ok(j.version != v, "a load over another one does");
	is_u64(cp_jit_find(&j, 0x1007)->offset, 1, "what lies before stays");
	is_u64(cp_jit_find(&j, 0x1008)->offset, 3, "the rest is new");
	cp_jit_free(&j);
}

int
main(void)
{
	unsigned good = 0;

	test_versions();
	for (unsigned i = 0; i < ROUNDS; i++)
		good += round_of();
	is_u64(good, ROUNDS, "every address has the owner of the model");
	return done_testing();
}
