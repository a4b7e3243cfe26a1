/* SPDX-License-Identifier: MIT */
/*
 * damage: where everything is in a good capture.
 *
 * A plain walk: header, attrs, ids, features, records, and the records inside
 * of compressed ones.  Of a sample it finds the event and the time, nothing
 * more.
 */
#include <zstd.h>

#include "base/bytes.h"
#include "damage.h"

uint64_t
dg_u64(const struct dg *dg, uint64_t at)
{
	return at + 8 <= dg->good.len ? cp_load64(dg->good.data + at, dg->swap)
				      : 0;
}

static uint32_t
u32_at(const struct dg *dg, uint64_t at)
{
	return at + 4 <= dg->good.len ? cp_load32(dg->good.data + at, dg->swap)
				      : 0;
}

static uint16_t
u16_at(const struct dg *dg, uint64_t at)
{
	return at + 2 <= dg->good.len ? cp_load16(dg->good.data + at, dg->swap)
				      : 0;
}

static struct dg_range
section(const struct dg *dg, uint64_t at)
{
	return (struct dg_range){ dg_u64(dg, at), dg_u64(dg, at + 8) };
}

/* -------------------------------------------------------------- samples */

static bool
bit(uint64_t sample_type, unsigned n)
{
	return sample_type >> n & 1;
}

/* Words before the id in a sample: IDENTIFIER is first, ID after ADDR. */
static int
id_position(uint64_t st)
{
	if (bit(st, 16))
		return 0;
	if (!bit(st, 6))
		return -1;
	return bit(st, 0) + bit(st, 1) + bit(st, 2) + bit(st, 3);
}

static uint32_t
event_of(const struct dg *dg, const char *payload, size_t len)
{
	int at = id_position(dg->events.data[0].sample_type);
	uint64_t id;

	if (dg->events.len == 1 || at < 0 || (size_t)at * 8 + 8 > len)
		return 0;
	id = cp_load64(payload + at * 8, dg->swap);
	for (size_t i = 0; i < dg->events.len; i++)
		for (size_t j = 0; j < dg->events.data[i].ids.len; j++)
			if (dg->events.data[i].ids.data[j] == id)
				return (uint32_t)i;
	return UINT32_MAX;
}

static void
add_sample(
    struct dg *dg, const char *rec, size_t len, uint64_t at, int64_t chunk)
{
	uint32_t event;
	uint64_t st, before;
	struct dg_sample *s;

	if (dg->events.len == 0)
		return;
	event = event_of(dg, rec + 8, len - 8);
	if (event == UINT32_MAX)
		return;
	st = dg->events.data[event].sample_type;
	before = 8 * (1 + (uint64_t)bit(st, 16) + bit(st, 0) + bit(st, 1));
	s = cp_vec_push(&dg->samples);
	*s = (struct dg_sample){ .at = at,
		.len = len,
		.event = event,
		.chunk = chunk,
		.time = UINT64_MAX };
	if (bit(st, 2) && before + 8 <= len)
		s->time = cp_load64(rec + before, dg->swap);
}

/* ----------------------------------------------------------- compressed */

/* Takes whole records from the front of b. */
static void
drain(struct dg *dg, struct cp_buf *b)
{
	int64_t chunk = (int64_t)dg->chunks.len - 1;
	struct dg_range where = dg->chunks.data[chunk];
	size_t at = 0;

	while (b->len - at >= 8) {
		uint16_t size = cp_load16(b->data + at + 6, dg->swap);

		if (size < 8 || size > b->len - at)
			break;
		if (cp_load32(b->data + at, dg->swap) == 9)
			add_sample(dg, b->data + at, size, where.at, chunk);
		at += size;
	}
	memmove(b->data, b->data + at, b->len - at);
	b->len -= at;
}

static void
inflate(
    struct dg *dg, ZSTD_DCtx *z, struct cp_buf *b, uint64_t at, uint64_t len)
{
	ZSTD_inBuffer in = { dg->good.data + at, len, 0 };
	static char room[1 << 17];
	size_t left;

	do {
		ZSTD_outBuffer out = { room, sizeof(room), 0 };

		left = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(left))
			break;
		cp_buf_add(b, room, out.pos);
		if (in.pos == in.size && out.pos < out.size)
			break;
	} while (true);
	if (b->len != 0)
		drain(dg, b);
}

static void
compressed(struct dg *dg, const struct dg_record *r)
{
	static ZSTD_DCtx *z;
	static struct cp_buf plain = { .max = DG_MAX_FILE };
	uint64_t skip = r->type == 83 ? 16 : 8;
	uint64_t len = r->type == 83 ? dg_u64(dg, r->at + 8) : r->len - 8;

	if (z == NULL)
		z = ZSTD_createDCtx();
	*cp_vec_push(&dg->chunks) = (struct dg_range){ r->at, r->len };
	if (len <= r->len - skip)
		inflate(dg, z, &plain, r->at + skip, len);
}

/* -------------------------------------------------------------- records */

static void
add_event(struct dg *dg, uint64_t at, uint64_t ids, uint64_t nr_ids)
{
	struct dg_event e = { .sample_type = dg_u64(dg, at + 24) };

	for (uint64_t i = 0; i < nr_ids; i++)
		*cp_vec_push(&e.ids) = dg_u64(dg, ids + i * 8);
	*cp_vec_push(&dg->events) = e;
}

/* Records of a pipe that stand for parts of a file's header. */
static void
header_record(struct dg *dg, const struct dg_record *r)
{
	struct dg_range all = { r->at, r->len };
	uint64_t size = u32_at(dg, r->at + 12);

	if (size == 0)
		size = 64;
	if (r->type == 64 && size <= r->len) {
		uint64_t ids = r->at + 8 + size;

		add_event(dg, r->at + 8, ids, (r->at + r->len - ids) / 8);
		*cp_vec_push(&dg->description) = all;
	} else if (r->type == 66) {
		*cp_vec_push(&dg->tracing) = all;
	} else if (r->type == 78) {
		*cp_vec_push(&dg->names) = all;
	} else if (r->type == 80) {
		*cp_vec_push(&dg->sections) = all;
		if (dg_u64(dg, r->at + 8) == 12)
			*cp_vec_push(&dg->names) = all;
	}
}

static bool
one_record(struct dg *dg, uint64_t at, uint64_t end)
{
	struct dg_record r = { .at = at };

	r.type = u32_at(dg, at);
	r.len = u16_at(dg, at + 6);
	if (r.type >= 32768)
		r.len += (uint64_t)u16_at(dg, at + 4) << 16;
	if (r.len < 8 || r.len > end - at)
		return false;
	if (r.type == 66)
		r.len += u32_at(dg, at + 8);
	else if (r.type == 71)
		r.len += dg_u64(dg, at + 8);
	if (r.len > end - at)
		return false;
	*cp_vec_push(&dg->records) = r;
	if (r.type == 9)
		add_sample(dg, dg->good.data + at, r.len, at, -1);
	else if (r.type == 81 || r.type == 83)
		compressed(dg, &r);
	else if (r.type >= 64 && r.type < 32768)
		header_record(dg, &r);
	return true;
}

static void
walk_records(struct dg *dg)
{
	uint64_t at = dg->data.at, end = dg->data.at + dg->data.len;

	while (end - at >= 8 && one_record(dg, at, end))
		at += dg->records.data[dg->records.len - 1].len;
}

/* --------------------------------------------------------------- header */

static void
walk_features(struct dg *dg)
{
	uint64_t at = dg->data.at + dg->data.len;

	dg->features.at = at;
	for (unsigned i = 0; i < 256; i++) {
		struct dg_range s;

		if (!(dg_u64(dg, 72 + i / 64 * 8) >> i % 64 & 1))
			continue;
		s = section(dg, at);
		at += 16;
		if (s.len == 0 || s.at > dg->good.len ||
		    s.len > dg->good.len - s.at)
			continue;
		*cp_vec_push(&dg->sections) = s;
		if (i == 1)
			*cp_vec_push(&dg->tracing) = s;
		if (i == 12)
			*cp_vec_push(&dg->names) = s;
	}
	dg->features.len = at - dg->features.at;
	/* A damaged bitmap, table or place of it loses the names as well. */
	*cp_vec_push(&dg->names) = dg->features;
	*cp_vec_push(&dg->names) = (struct dg_range){ 40, 16 };
	*cp_vec_push(&dg->names) = (struct dg_range){ 72, 32 };
}

static bool
walk_file(struct dg *dg)
{
	uint64_t entry = dg_u64(dg, 16);
	bool cut;

	dg->attrs = section(dg, 24);
	dg->data = section(dg, 40);
	if (entry < 80 || dg->attrs.len % entry != 0 ||
	    dg->attrs.at + dg->attrs.len > dg->good.len ||
	    dg->data.at > dg->good.len)
		return false;
	/* Killed or cut: up to the end, and no features behind it. */
	cut = dg->data.len == 0 || dg->data.len > dg->good.len - dg->data.at;
	if (cut)
		dg->data.len = dg->good.len - dg->data.at;
	*cp_vec_push(&dg->description) = (struct dg_range){ 0, 40 };
	*cp_vec_push(&dg->description) = dg->attrs;
	for (uint64_t i = 0; i < dg->attrs.len; i += entry) {
		uint64_t at = dg->attrs.at + i;
		struct dg_range ids = section(dg, at + entry - 16);

		if (ids.len > dg->good.len)
			return false;
		add_event(dg, at, ids.at, ids.len / 8);
		if (ids.len != 0) {
			*cp_vec_push(&dg->ids) = ids;
			*cp_vec_push(&dg->description) = ids;
		}
	}
	if (dg_u64(dg, 8) >= 104 && !cut)
		walk_features(dg);
	walk_records(dg);
	return true;
}

static bool
walk_pipe(struct dg *dg)
{
	dg->pipe = true;
	dg->data = (struct dg_range){ 16, dg->good.len - 16 };
	*cp_vec_push(&dg->description) = (struct dg_range){ 0, 16 };
	walk_records(dg);
	/* A damaged record may take the ones behind it along. */
	if (dg->names.len != 0) {
		struct dg_range last = dg->names.data[dg->names.len - 1];

		*cp_vec_push(&dg->names) =
		    (struct dg_range){ 16, last.at + last.len - 16 };
	}
	return dg->events.len != 0;
}

bool
dg_walk(struct dg *dg)
{
	if (dg->good.len < 104)
		return false;
	dg->swap = memcmp(dg->good.data, "2ELIFREP", 8) == 0;
	if (!dg->swap && memcmp(dg->good.data, "PERFILE2", 8) != 0)
		return false;
	return dg_u64(dg, 8) == 16 ? walk_pipe(dg) : walk_file(dg);
}
