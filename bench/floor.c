/* SPDX-License-Identifier: MIT */
/*
 * bench/floor: the least that reading a capture can cost.
 *
 *	floor CAPTURE              reads it in pieces of 1 MiB, walks the record
 *	                           headers, hashes the bytes of every record
 *	floor --distinct CAPTURE   counts samples and what is distinct of them
 *
 * The first is what tools are compared with: nobody can group samples with
 * less than a look at each of their bytes.  XXH3 if its header is installed,
 * else a multiplying hash of 8 bytes a step.
 */
#include "capture.h"

#if __has_include(<xxhash.h>)
#define XXH_INLINE_ALL
#include <xxhash.h>
#define HASH "XXH3"

static uint64_t
hash(const uint8_t *p, size_t n)
{
	return XXH3_64bits(p, n);
}
#else
#define HASH "multiply"

static uint64_t
hash(const uint8_t *p, size_t n)
{
	uint64_t h = n;

	for (; n >= 8; n -= 8, p += 8) {
		h = (h ^ load64(p)) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}
#endif

#define PIECE ((size_t)1 << 20)
#define LONGEST ((size_t)1 << 16) /* of a record */

/* Hashes the whole records in p[0 ... n); the bytes of them. */
static size_t
walk(const uint8_t *p, size_t n, uint64_t *sum, uint64_t *records)
{
	size_t at = 0;

	while (n - at >= sizeof(struct record)) {
		struct record r = load_record(p + at);

		if (r.size < sizeof(r))
			die("floor", "a damaged record");
		if (r.size > n - at)
			break;
		*sum ^= hash(p + at, r.size);
		++*records;
		at += r.size;
	}
	return at;
}

static void
scan(const char *path)
{
	uint8_t *buf = malloc(PIECE + LONGEST);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t sum = 0, records = 0, left;
	struct file_header h;
	size_t have = 0, used;

	if (buf == NULL || fd < 0 ||
	    read(fd, &h, sizeof(h)) != (ssize_t)sizeof(h))
		die(path, "cannot be read");
	lseek(fd, (off_t)h.data.offset, SEEK_SET);
	for (left = h.data.size; left > 0;) {
		size_t want = left < PIECE ? (size_t)left : PIECE;
		ssize_t got = read(fd, buf + have, want);

		if (got <= 0)
			die(path, "ends early");
		left -= (size_t)got;
		have += (size_t)got;
		used = walk(buf, have, &sum, &records);
		have -= used;
		memmove(buf, buf + used, have);
	}
	printf("%s %016llx records %llu\n", HASH, (unsigned long long)sum,
	    (unsigned long long)records);
	free(buf);
	close(fd);
}

struct set {
	uint64_t *slot; /* 0: empty */
	size_t mask, n;
};

static bool
set_add(struct set *s, uint64_t key)
{
	size_t i = key & s->mask;

	while (s->slot[i] != 0 && s->slot[i] != key)
		i = (i + 1) & s->mask;
	if (s->slot[i] == key)
		return false;
	s->slot[i] = key;
	s->n++;
	return true;
}

/* Chains of one process are distinct by their bytes. */
static void
distinct(const char *path)
{
	struct capture c = capture_open(path);
	unsigned tid = words_before(c.sample_type, SAMPLE_TID);
	unsigned chain = words_before(c.sample_type, SAMPLE_CALLCHAIN);
	struct set set = { .mask = ((size_t)1 << 26) - 1 };
	const uint8_t *p = c.bytes + c.h.data.offset;
	const uint8_t *end = p + c.h.data.size;
	uint64_t samples = 0, bytes = 0;
	struct record r;

	if (c.sample_type & SAMPLE_READ || !(c.sample_type & SAMPLE_CALLCHAIN))
		die(path, "needs call chains, and no read values");
	set.slot = calloc(set.mask + 1, sizeof(*set.slot));
	if (set.slot == NULL)
		die(path, "out of memory");
	for (; p < end; p += r.size) {
		const uint8_t *at = p + sizeof(r) + 8 * (size_t)chain;
		uint64_t key;

		r = load_record(p);
		if (r.type != RECORD_SAMPLE)
			continue;
		samples++;
		key = hash(at, (load64(at) + 1) * 8) ^
		      hash(p + sizeof(r) + 8 * (size_t)tid, 4);
		if (set.n < set.mask / 2 && set_add(&set, key | 1))
			bytes += (load64(at) + 1) * 8;
	}
	printf("samples %llu distinct %zu bytes %llu\n",
	    (unsigned long long)samples, set.n, (unsigned long long)bytes);
	free(set.slot);
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--distinct") == 0)
		distinct(argv[2]);
	else if (argc == 2)
		scan(argv[1]);
	else
		die("usage", "floor [--distinct] CAPTURE");
	return 0;
}
