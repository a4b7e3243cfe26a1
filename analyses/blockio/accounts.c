/* SPDX-License-Identifier: MIT */
/* What requests to block devices say in the overview. */
#include "analyses/accounts/tellers.h"
#include "analyses/blockio/blockio.h"

/* Returns the row of that kind with the most time; NULL: there is none. */
static const struct cp_pair_row *
heaviest(const struct cp_blockio *b, enum cp_blockio_by by, uint64_t *key)
{
	const struct cp_pair_row *most = NULL;

	for (uint32_t i = 0; i < b->rows.by.n; i++)
		if (b->rows.by.all[i].a == by &&
		    (most == NULL ||
			b->rows.all[i].took.sum > most->took.sum)) {
			most = &b->rows.all[i];
			*key = b->rows.by.all[i].b;
		}
	return most;
}

static void
tell_all(struct cp_blockio *b, struct cp_accounts *a)
{
	struct cp_quantiles took = { 0 };
	struct cp_account x = { .name = CP_A_REQUESTS };

	for (uint32_t i = 0; i < b->rows.by.n; i++)
		if (b->rows.by.all[i].a == CP_BLOCKIO_BY_DEVICE) {
			cp_quantiles_merge(b->run, &took, &b->rows.all[i].took);
			x.m += b->rows.all[i].bytes;
		}
	x.n = took.n;
	x.m /= 1024;
	x.typical = cp_quantiles_at(&took, 0.5);
	x.p99 = cp_quantiles_at(&took, 0.99);
	x.longest = took.max;
	cp_accounts_add(a, &x);
	x.name = CP_A_BLOCK_LATENCY;
	x.longest = x.p99;
	cp_accounts_add(a, &x);
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_blockio *b = state;
	const struct cp_pair_row *r;
	uint64_t key = 0;
	struct cp_word word;

	cp_blockio_finish(b);
	tell_all(b, a);
	r = heaviest(b, CP_BLOCKIO_BY_DEVICE, &key);
	if (r != NULL)
		cp_accounts_add(
		    a, CP_ACCOUNT(DEVICE,
			   .what = cp_blockio_device_text(&word, (uint32_t)key),
			   .ns = r->took.sum, .n = r->took.n,
			   .m = b->device[cp_index_get(&b->devices, key, 0)]
				    .times.max_depth));
	r = heaviest(b, CP_BLOCKIO_BY_COMM, &key);
	if (r != NULL)
		cp_accounts_add(
		    a, CP_ACCOUNT(ISSUER,
			   .who = cp_run_string(b->run, (cp_string_id)key),
			   .ns = r->took.sum, .n = r->took.n));
}

const struct cp_teller cp_blockio_teller = {
	.command = "blockio",
	.what = "block requests",
	.record = CP_ADVICE_io,
	.probes = cp_blockio_probes,
	.all = true,
	.size = sizeof(struct cp_blockio),
	.begin = cp_blockio_begin,
	.sample = cp_blockio_sample,
	.event = cp_blockio_event,
	.tell = tell,
};
