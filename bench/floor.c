/* SPDX-License-Identifier: MIT */
/*
 * bench/floor: the least that reading a capture can cost.
 *
 *	floor CAPTURE
 *
 * Reads it in pieces of 1 MiB, walks the record headers, and hashes the bytes
 * of every record: nobody can group samples with less than a look at each of
 * their bytes.  XXH3 if its header is installed, else a
 * multiplying hash of 8 bytes a step.
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

int
main(int argc, char **argv)
{
	if (argc != 2)
		die("usage", "floor CAPTURE");
	scan(argv[1]);
	return 0;
}
