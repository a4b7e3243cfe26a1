/* SPDX-License-Identifier: MIT */
/* tables-origins: the captures that a snapshot's tables are of. */
#include "base/limits.h"
#include "base/parquet/columns.h"
#include "base/snapshot-columns.h"
#include "run/origins.h"
#include "run/tables-rows.h"

/* A column of struct cp_report_origin. */
struct column {
	const char *name;
	size_t at, size;
	bool text;
};

#define COLUMN(name_, kind, field, about)                                      \
	{ #name_, offsetof(struct cp_report_origin, field),                    \
		sizeof(((struct cp_report_origin *)0)->field),                 \
		CP_SNAPSHOT_IS_##kind == CP_SNAPSHOT_IS_TEXT },
/* The first is the row's number. */
static const struct column columns[] = { CP_SNAPSHOT_COLUMNS_captures(COLUMN) };

static void
fill_texts(
    struct cp_columns *t, const struct column *c, struct cp_report_origin *to)
{
	const char **text = cp_columns_texts(t, c->name);

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		memcpy((char *)&to[i] + c->at, &text[i], sizeof(text[i]));
	free(text);
}

static void
fill_numbers(
    struct cp_columns *t, const struct column *c, struct cp_report_origin *to)
{
	int64_t *n = cp_columns_numbers(t, c->name);

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		bool is = n[i] != 0;

		memcpy((char *)&to[i] + c->at,
		    c->size == sizeof(is) ? (const void *)&is : &n[i], c->size);
	}
	free(n);
}

/* The tables are as long as their captures, also where no sample is. */
static void
extend(struct cp_quality *all, const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;
	uint64_t end = o->at + (q->last_time - q->first_time);

	if (o->at == CP_NO_TIME || q->last_time < q->first_time || end < o->at)
		return;
	if (all->first_time == CP_NO_TIME || o->at < all->first_time)
		all->first_time = o->at;
	if (all->last_time == CP_NO_TIME || end > all->last_time)
		all->last_time = end;
}

static void
read_origins(struct cp_run *run, struct cp_columns *t)
{
	struct cp_report_origin *all;

	if (t->p.rows > CP_MAX_ORIGINS) {
		t->whole = false;
		return;
	}
	all = cp_xcalloc((size_t)t->p.rows + 1, sizeof(*all));
	for (size_t c = 1; c < CP_ARRAY_LEN(columns); c++)
		if (columns[c].text)
			fill_texts(t, &columns[c], all);
		else
			fill_numbers(t, &columns[c], all);
	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		cp_run_origin_add(run, &all[i]);
		extend(&run->quality, &all[i]);
	}
	free(all);
}

void
cp_tables_origins(struct cp_tables *to, struct cp_run *run)
{
	const struct cp_buf *b = &to->members.table[CP_SNAPSHOT_CAPTURES];
	struct cp_columns t;

	/* The first snapshots had no such table. */
	if (b->len == 0 && !to->members.gone[CP_SNAPSHOT_CAPTURES])
		return;
	if (cp_columns_open(&t, b, &to->arena))
		read_origins(run, &t);
	if (!t.whole)
		cp_tables_damaged(run, CP_SNAPSHOT_CAPTURES);
	cp_columns_close(&t);
}
