/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

const struct cp_diag_entry cp_diag_table[CP_D_COUNT] = {
#define CP_DIAG(id, lvl, slug_, text_)                                         \
	[CP_D_##id] = {                                                        \
		.slug = (slug_), .text = (text_), .level = CP_DIAG_##lvl       \
	},
#include <coldperf/diag.def>
#undef CP_DIAG
};

void
cp_diags_init(struct cp_diags *d)
{
	memset(d, 0, sizeof(*d));
	pthread_mutex_init(&d->lock, NULL);
	d->at_offset = CP_NO_OFFSET;
}

static CP_PRINTF(6, 0) void diag_put(struct cp_diags *d, enum cp_diag_id id,
    uint64_t times, uint64_t record, uint64_t offset, const char *fmt,
    va_list ap)
{
	uint64_t n;

	pthread_mutex_lock(&d->lock);
	n = d->count[id];
	d->count[id] += times;
	if (n < CP_MAX_PLACES) {
		struct cp_diag_place *p = &d->place[id][n];

		p->record = record;
		p->offset = offset;
		p->input = d->at_input;
		p->rewritten = d->at_rewritten && offset != CP_NO_OFFSET;
		if (fmt != NULL)
			vsnprintf(p->tail, sizeof(p->tail), fmt, ap);
	}
	pthread_mutex_unlock(&d->lock);
}

void
cp_diag_v(struct cp_diags *d, enum cp_diag_id id, const char *fmt, va_list ap)
{
	diag_put(d, id, 1, d->at_record, d->at_offset, fmt, ap);
}

void
cp_diag(struct cp_diags *d, enum cp_diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cp_diag_v(d, id, fmt, ap);
	va_end(ap);
}

void
cp_diag_at(struct cp_diags *d, enum cp_diag_id id, uint64_t offset,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_put(d, id, 1, 0, offset, fmt, ap);
	va_end(ap);
}

void
cp_diag_was(struct cp_diags *d, enum cp_diag_id id, uint64_t n, uint64_t record,
    uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_put(d, id, n, record, offset, fmt, ap);
	va_end(ap);
}

void
cp_diags_replace(
    struct cp_diags *d, const struct cp_diags *by, enum cp_diag_id id)
{
	pthread_mutex_lock(&d->lock);
	d->count[id] = by->count[id];
	memcpy(d->place[id], by->place[id], sizeof(d->place[id]));
	pthread_mutex_unlock(&d->lock);
}

enum cp_diag_level
cp_diags_worst(const struct cp_diags *d)
{
	enum cp_diag_level worst = CP_DIAG_NOTE;

	for (int i = 0; i < CP_D_COUNT; i++)
		if (d->count[i] != 0)
			worst = CP_MAX(worst, cp_diag_table[i].level);
	return worst;
}
