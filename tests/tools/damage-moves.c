/* SPDX-License-Identifier: MIT */
/*
 * damage: bytes that are missing or too many, so that all that follows stands
 * elsewhere.  What moved is noted, for it is intact.
 */
#include "damage.h"

static void
moved(struct dg *dg, uint64_t from, uint64_t to)
{
	*cp_vec_push(&dg->moves) =
	    (struct dg_move){ .from = { from, dg->good.len - from }, .to = to };
}

/* Replaces `n` bytes by `more` at p. */
static void
splice(struct dg *dg, uint64_t at, uint64_t n, const char *p, uint64_t more)
{
	struct cp_buf out;

	cp_buf_init(&out, DG_MAX_FILE);
	cp_buf_add(&out, dg->good.data, at);
	cp_buf_add(&out, p, more);
	cp_buf_add(&out, dg->good.data + at + n, dg->good.len - at - n);
	cp_buf_free(&dg->bad);
	dg->bad = out;
	*cp_vec_push(&dg->moves) = (struct dg_move){ .from = { 0, at } };
	moved(dg, at + n, at + more);
}

/* A place in the data, and how many bytes from there, one or many. */
static struct dg_range
some(struct dg *dg)
{
	uint64_t at, n;

	if (dg->data.len < 2)
		return (struct dg_range){ 0, 0 };
	at = dg_below(dg, dg->data.len - 1);
	n = 1 + dg_below(dg, dg_below(dg, 2) == 0 ? 64 : 4096);
	return (struct dg_range){ dg->data.at + at,
		CP_MIN(n, dg->data.len - at - 1) };
}

bool
dg_gap(struct dg *dg)
{
	struct dg_range r = some(dg);

	splice(dg, r.at, r.len, NULL, 0);
	return r.len != 0;
}

bool
dg_extra(struct dg *dg)
{
	struct dg_range r = some(dg);
	static char noise[4096];

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)dg_below(dg, 256);
	splice(dg, r.at, 0, noise, r.len);
	return r.len != 0;
}

bool
dg_dup(struct dg *dg)
{
	struct dg_range r = some(dg);

	splice(dg, r.at, 0, dg->good.data + r.at, r.len);
	dg->again = r;
	return r.len != 0;
}

/* The first bytes are cut off: of the header, or up to the data and more. */
bool
dg_head(struct dg *dg)
{
	uint64_t n = dg_below(dg, 3), end = dg->data.at + dg->data.len;

	n = 1 + dg_below(dg, n == 0 ? 104 : n == 1 ? dg->data.at : end - 1);
	splice(dg, 0, n, NULL, 0);
	return true;
}
