/* SPDX-License-Identifier: MIT */
/*
 * damage: spoils a capture in a known way and says what is still intact.
 *
 *	damage kinds                     lists the kinds
 *	damage none 0 GOOD               describes GOOD
 *	damage KIND SEED GOOD BAD        writes BAD and describes it
 *
 * The description is one line of JSON: whether what decoding needs is intact
 * ("description"), whether the names of the events are ("names"), how many
 * samples there were, and [offset, time, size] of each whose own bytes are
 *intact. Samples in bytes that are there twice are counted, too ("again"). A
 *compressed sample is intact if all records up to its own are. Exit status 3:
 *the kind does not apply to this capture.
 */
#include "damage.h"

/* Where bytes of the good capture are in the bad one, if they are. */
static bool
place(const struct dg *dg, uint64_t at, uint64_t len, uint64_t *to)
{
	*to = at;
	for (size_t i = 0; i < dg->moves.len; i++) {
		const struct dg_move *m = &dg->moves.data[i];

		*to = m->to + (at - m->from.at);
		if (at >= m->from.at && at + len <= m->from.at + m->from.len)
			return true;
	}
	return dg->moves.len == 0;
}

static bool
intact(const struct dg *dg, uint64_t at, uint64_t len)
{
	uint64_t to;

	return place(dg, at, len, &to) && to + len <= dg->bad.len &&
	       at + len <= dg->good.len &&
	       memcmp(dg->good.data + at, dg->bad.data + to, len) == 0;
}

static bool
all_intact(const struct dg *dg, const struct dg_range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!intact(dg, r[i].at, r[i].len))
			return false;
	return true;
}

/*
 * How many compressed records are before the first damaged record.  What
 * follows cannot be asked for: any record that was turned into a compressed
 * one gets into the stream.
 */
static int64_t
intact_chunks(const struct dg *dg)
{
	size_t i;

	for (i = 0; i < dg->chunks.len; i++) {
		const struct dg_range *c = &dg->chunks.data[i];

		if (!intact(dg, dg->data.at, c->at + c->len - dg->data.at))
			break;
	}
	return (int64_t)i;
}

static void
print_samples(const struct dg *dg)
{
	int64_t chunks = intact_chunks(dg);
	const char *comma = "";

	printf("\"intact\":[");
	for (size_t i = 0; i < dg->samples.len; i++) {
		const struct dg_sample *s = &dg->samples.data[i];

		if (s->chunk >= 0 ? s->chunk >= chunks
				  : !intact(dg, s->at, s->len))
			continue;
		printf("%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", comma, s->at,
		    s->time, s->chunk < 0 ? s->len : 0);
		comma = ",";
	}
	printf("]");
}

/*
 * Samples that are there twice, of compressed ones all that are touched; and
 * one more where the copy ends: the parts of two may look like a whole.
 */
static unsigned
again(const struct dg *dg)
{
	const struct dg_range *r = &dg->again;
	uint64_t end = r->at + r->len;
	unsigned n = r->len != 0;

	for (size_t i = 0; i < dg->samples.len; i++) {
		const struct dg_sample *s = &dg->samples.data[i];

		n += s->chunk >= 0 ? s->at < end && r->at < s->at + s->len
				   : s->at >= r->at && s->at + s->len <= end;
	}
	return n;
}

static void
describe(const struct dg *dg, const char *kind)
{
	bool whole = all_intact(dg, dg->description.data, dg->description.len);
	bool names =
	    all_intact(dg, dg->names.data, dg->names.len) && dg->moves.len == 0;
	bool data = dg->pipe || intact(dg, 40, 16);

	printf("{\"kind\":\"%s\",\"seed\":%" PRIu64 ",\"size\":%zu,", kind,
	    dg->seed, dg->bad.len);
	printf("\"description\":%s,\"names\":%s,\"section\":%s,",
	    whole ? "true" : "false", names ? "true" : "false",
	    data ? "true" : "false");
	printf("\"samples\":%zu,\"again\":%u,", dg->samples.len, again(dg));
	print_samples(dg);
	printf("}\n");
}

static bool
slurp(const char *path, struct cp_buf *b)
{
	FILE *f = fopen(path, "rb");
	char room[1 << 16];
	size_t n;

	if (f == NULL)
		return false;
	cp_buf_init(b, DG_MAX_FILE);
	while ((n = fread(room, 1, sizeof(room), f)) != 0)
		cp_buf_add(b, room, n);
	fclose(f);
	return !b->full;
}

static bool
spit(const char *path, const struct cp_buf *b)
{
	FILE *f = fopen(path, "wb");
	bool ok;

	if (f == NULL)
		return false;
	ok = fwrite(cp_buf_text(b), 1, b->len, f) == b->len;
	return fclose(f) == 0 && ok;
}

static int
fail(const char *what, const char *path, int status)
{
	fprintf(stderr, "damage: %s: %s\n", path, what);
	return status;
}

static struct dg dg;

int
main(int argc, char **argv)
{
	bool none = argc == 4 && strcmp(argv[1], "none") == 0;

	if (argc == 2 && strcmp(argv[1], "kinds") == 0) {
		dg_kinds();
		return 0;
	}
	if (argc != 5 && !none)
		return fail("usage: damage KIND SEED GOOD BAD", "bad usage", 2);
	if (!slurp(argv[3], &dg.good) || !slurp(argv[3], &dg.bad))
		return fail("cannot be read", argv[3], 2);
	if (!dg_walk(&dg))
		return fail("is not a capture that can be walked", argv[3], 2);
	dg.seed = strtoull(argv[2], NULL, 10);
	if (!none && !dg_damage(&dg, argv[1]))
		return 3;
	if (!none && !spit(argv[4], &dg.bad))
		return fail("cannot be written", argv[4], 2);
	describe(&dg, argv[1]);
	return 0;
}
