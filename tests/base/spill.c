/* SPDX-License-Identifier: MIT */
/* Bytes in memory and in a file: what is read is what was added. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/spill/spill.h"
#include "base/tuning.h"
#include "tests/tap.h"

enum { PIECE = 1000 };
static const uint64_t many = 3 * (CP_SPILL_BYTES / PIECE) + 5;

static uint8_t
byte_at(uint64_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

static void
add(struct cp_spill *s, uint64_t pieces)
{
	uint8_t piece[PIECE];

	while (pieces-- != 0) {
		for (size_t i = 0; i < PIECE; i++)
			piece[i] = byte_at(cp_spill_size(s) + i);
		cp_spill_add(s, piece, PIECE);
	}
}

struct reader {
	uint64_t at;
	bool same;
};

static void
compare(void *ctx, const void *data, size_t n)
{
	struct reader *r = ctx;

	for (size_t i = 0; i < n; i++)
		r->same &= ((const uint8_t *)data)[i] == byte_at(r->at++);
}

static void
check(const struct cp_spill *s, uint64_t size, const char *what)
{
	struct reader r = { 0, true };
	uint8_t got[3 * PIECE];
	uint64_t at;

	is_u64(cp_spill_size(s), size, "%s: its size", what);
	ok(cp_spill_each(s, compare, &r), "%s: all of it is read", what);
	ok(r.same && r.at == size, "%s: it is what was added", what);
	at = s->stored > PIECE ? s->stored - PIECE : 0;
	ok(cp_spill_read(s, at, got, sizeof(got)), "%s: a part", what);
	r = (struct reader){ at, true };
	compare(&r, got, sizeof(got));
	ok(r.same, "%s: the part is what was added", what);
}

static void
test_few(void)
{
	struct cp_spill s;

	cp_spill_init(&s);
	ok(cp_spill_each(&s, compare, NULL), "of nothing, nothing is read");
	add(&s, 10);
	check(&s, 10 * PIECE, "few");
	ok(s.fd < 0, "few bytes need no file");
	cp_spill_free(&s);
}

static void
test_many(void)
{
	struct cp_spill s;

	cp_spill_init(&s);
	add(&s, many);
	check(&s, many * PIECE, "many");
	ok(s.stored != 0 && s.rest.len < CP_SPILL_BYTES, "most are in a file");
	cp_spill_clear(&s);
	is_u64(cp_spill_size(&s), 0, "none is left");
	add(&s, many + 3);
	check(&s, (many + 3) * PIECE, "others");
	cp_spill_free(&s);
}

/* The file takes the first bytes only. */
static void
test_stuck(void)
{
	struct rlimit old, limit;
	struct cp_spill s;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = (struct rlimit){ 2 * CP_SPILL_BYTES, old.rlim_max };
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
		skip("no limit can be set: %s", strerror(errno));
		return;
	}
	cp_spill_init(&s);
	add(&s, many);
	setrlimit(RLIMIT_FSIZE, &old);
	ok(s.stuck && s.stored != 0, "a file that takes no more");
	check(&s, many * PIECE, "a full disk");
	cp_spill_free(&s);
}

static void
test_lost(void)
{
	struct reader r = { 0, true };
	struct cp_spill s;

	cp_spill_init(&s);
	add(&s, many);
	ok(ftruncate(s.fd, 10) == 0, "the file becomes shorter");
	ok(!cp_spill_each(&s, compare, &r), "that is told");
	cp_spill_free(&s);
}

int
main(void)
{
	test_few();
	test_many();
	test_stuck();
	test_lost();
	return done_testing();
}
