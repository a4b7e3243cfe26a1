/* SPDX-License-Identifier: MIT */
#include "cli/command/snapshot/records.h"

#include "render/common/escape.h"
#include "report/report.h"
#include "symbolize/object/snapshot.h"

enum { BEFORE, NOW, SIDES };

struct renamed {
	const struct cp_profile *now;
	const struct cp_snapshot *before;
	size_t *row; /* by object: its row in the snapshot */
	struct cp_table *others;
	uint64_t addresses, named[SIDES], lines[SIDES], gained, lost, other;
	struct cp_buf escaped;
};

/* ------------------------------------------------------------------ objects */

static size_t
row_of(const struct renamed *r, const struct cp_profile_object *o)
{
	struct cp_dso d = { .kind = o->kind,
		.pid = o->pid,
		.build_id_size = o->build_id_size };

	memcpy(d.build_id, o->build_id, sizeof(d.build_id));
	return o->name != NULL ? cp_snapshot_find(r->before, &d, o->name) : 0;
}

static const char *
text(const char *s)
{
	return s != NULL ? s : "";
}

/* Lists objects that another file, or none before, has named. */
static void
list_files(struct renamed *r, struct cp_table *t)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("object"),
		CP_COUNT("symbols before"), CP_COUNT("now"),
		CP_TEXT("file before"), CP_TEXT("file now") };

	cp_table_columns(t, CP_COLUMNS(columns));
	for (size_t i = 1; i < r->now->objects.len; i++) {
		const struct cp_profile_object *o = &r->now->objects.data[i];
		const struct cp_snapshot_object *was;

		r->row[i] = row_of(r, o);
		if (r->row[i] == 0)
			continue;
		was = cp_snapshot_object(r->before, r->row[i]);
		if (strcmp(was->file, text(o->file)) == 0 &&
		    was->symbols == o->symbols)
			continue;
		cp_table_add(t, text(o->name), was->symbols, o->symbols,
		    was->file, text(o->file));
	}
}

/* -------------------------------------------------------------------- names */

static const struct cp_profile_symbol *
name_now(const struct renamed *r, const struct cp_profile_frame *f)
{
	const struct cp_profile_symbol *y = &r->now->symbols.data[f->symbol];

	return f->symbol != 0 && y->source != CP_SOURCE_BOUNDS ? y : NULL;
}

static const struct cp_snapshot_symbol *
name_before(const struct renamed *r, const struct cp_snapshot_frame *f)
{
	const struct cp_snapshot_symbol *all;
	size_t n = cp_snapshot_symbols(r->before, &all);

	if (f == NULL || f->symbol <= 0 || (uint64_t)f->symbol >= n ||
	    cp_snapshot_source(all[f->symbol].source) == CP_SOURCE_BOUNDS)
		return NULL;
	return &all[f->symbol];
}

/* Texts of tables are escaped. */
static bool
is_same(struct renamed *r, const char *before, const char *now)
{
	cp_buf_reset(&r->escaped);
	cp_escape_terminal(&r->escaped, text(now));
	return strcmp(before, cp_buf_text(&r->escaped)) == 0;
}

static void
compare(struct renamed *r, const struct cp_profile_frame *f)
{
	uint64_t asked = f->addr - ((f->flags & CP_FRAME_CALLER) != 0);
	const struct cp_snapshot_frame *was =
	    r->row[f->object] != 0
		? cp_snapshot_frame(r->before, r->row[f->object], asked)
		: NULL;
	const struct cp_snapshot_symbol *before = name_before(r, was);
	const struct cp_profile_symbol *now = name_now(r, f);

	r->addresses++;
	r->named[BEFORE] += before != NULL;
	r->named[NOW] += now != NULL;
	r->lines[BEFORE] += was != NULL && was->spots != 0;
	r->lines[NOW] += f->spots != 0;
	r->gained += before == NULL && now != NULL;
	r->lost += before != NULL && now == NULL;
	if (before == NULL || now == NULL ||
	    is_same(r, before->name, now->name))
		return;
	r->other++;
	cp_table_add(r->others, text(r->now->objects.data[f->object].name),
	    f->addr, before->name, now->name);
}

static void
count(struct renamed *r, struct cp_report *rep)
{
	const struct {
		const char *key;
		uint64_t n;
	} all[] = {
		{ "addresses", r->addresses },
		{ "named before", r->named[BEFORE] },
		{ "named now", r->named[NOW] },
		{ "new names", r->gained },
		{ "names lost", r->lost },
		{ "other names", r->other },
		{ "with lines before", r->lines[BEFORE] },
		{ "with lines now", r->lines[NOW] },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_report_scalar(
		    rep, "resymbolize", all[i].key, CP_COL_COUNT, all[i].n);
}

void
cp_snapshot_renamed(struct cp_report *rep, const struct cp_profile *now,
    const struct cp_snapshot *before)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("object"),
		CP_ADDRESS("address"), CP_TEXT("before"), CP_TEXT("now") };
	struct renamed r = { .now = now, .before = before };

	cp_buf_init(&r.escaped, SIZE_MAX / 2);
	r.row = cp_xcalloc(now->objects.len + 1, sizeof(*r.row));
	list_files(
	    &r, cp_report_table(rep, "files", "Objects named anew", NULL, 0));
	r.others = cp_report_table(
	    rep, "renamed", "Addresses of other names", CP_COLUMNS(columns));
	for (size_t i = 1; i < now->frames.len; i++)
		compare(&r, &now->frames.data[i]);
	count(&r, rep);
	cp_buf_free(&r.escaped);
	free(r.row);
}
