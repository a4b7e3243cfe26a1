/* SPDX-License-Identifier: MIT */
/*
 * snapshot: the samples and all that they refer to as one tar of Parquet
 * tables, complete without the capture and its binaries.
 *
 * A manifest as bundles have it comes first, so that `verify' and `unpack'
 * work. docs/snapshot-format.md describes the format.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/limits.h"
#include "base/manifest.h"
#include "render/common/json-report.h"
#include "render/export/common/json-text.h"
#include "render/export/common/samples.h"
#include "render/export/snapshot/stream.h"
#include "render/export/snapshot/tables.h"
#include "render/export/snapshot/tar.h"
#include "render/render.h"

/* What writes it, as it tells of itself. */
#define COMMAND "snapshot"

enum { MEMBERS = CP_SNAPSHOT_TABLES + 3 };

struct member {
	char name[100];
	const char *role;
	struct cp_buf made;          /* by this renderer */
	const struct cp_buf *bytes;  /* these, or what was kept */
	const struct cp_spill *file; /* or these; NULL: none */
};

struct snapshot {
	const struct cp_report *report;
	const char *title; /* the same of all commands that write it */
	const struct cp_render_options *opt;
	struct cp_snapshot_tables tables;
	struct member *member;
	unsigned n;
};

static struct cp_buf *
add_member(struct snapshot *s, const char *name, const char *role)
{
	struct member *m = &s->member[s->n++];

	snprintf(m->name, sizeof(m->name), "%s", name);
	m->role = role;
	cp_buf_init(&m->made, CP_MAX_EXPORT);
	m->bytes = &m->made;
	return &m->made;
}

static void
put_contents(struct snapshot *s, struct cp_out *out)
{
	cp_put_key(out, "tables");
	cp_out_char(out, '{');
	for (unsigned i = 0; i < CP_SNAPSHOT_TABLES; i++) {
		if (i != 0)
			cp_out_char(out, ',');
		cp_put_number(
		    out, s->tables.table[i].name, s->tables.table[i].rows);
	}
	cp_out_char(out, '}');
}

/* A title begins with the command, unless the user chose it. */
static const char *
title_of(const struct cp_report *r, struct cp_buf *b)
{
	size_t n = strlen(r->analysis);

	if (r->title == NULL || strncmp(r->title, r->analysis, n) != 0 ||
	    r->title[n] != ':')
		return r->title;
	cp_buf_printf(b, "%s%s", COMMAND, r->title + n);
	return cp_buf_text(b);
}

/* Writes the account of rewritten records: base/snapshot-meta.h. */
static void
put_bytes(const struct snapshot *s, struct cp_out *out)
{
	static const char *const keys[] = { "bytes_total", "bytes_parsed",
		"bytes_missing", "gaps", "gap_time_ns", "records" };
	const struct cp_section *q = cp_report_find(s->report, "quality");

	if (s->opt->kept == NULL || !s->opt->kept->rewritten || q == NULL ||
	    q->type != CP_SECTION_SCALARS)
		return;
	for (size_t k = 0; k < CP_ARRAY_LEN(keys); k++)
		for (size_t i = 0; i < q->scalars.len; i++) {
			const struct cp_scalar *c = &q->scalars.data[i];

			if (strcmp(c->key, keys[k]) != 0)
				continue;
			cp_out_char(out, ',');
			cp_put_number(out, keys[k], c->value.u64);
		}
}

static bool
add_meta(struct snapshot *s)
{
	const struct cp_report *r = s->report;
	struct cp_out out;

	cp_out_init(
	    &out, cp_out_to_buf, add_member(s, "meta.json", "snapshot-meta"));
	cp_out_char(&out, '{');
	cp_put_pair(&out, "format", "coldperf snapshot");
	cp_out_char(&out, ',');
	cp_put_number(&out, "version", CP_SNAPSHOT_VERSION);
	put_bytes(s, &out);
	cp_out_char(&out, ',');
	cp_put_pair(&out, "tool", s->opt->tool);
	cp_out_char(&out, ',');
	cp_put_pair(&out, "title", s->title);
	cp_out_char(&out, ',');
	cp_put_pair(&out, "label", r->main_label);
	cp_out_char(&out, ',');
	cp_put_pair(&out, "event", r->main_event);
	cp_out_char(&out, ',');
	cp_put_pair(&out, "weight", r->weight);
	cp_out_char(&out, ',');
	cp_put_number(&out, "start_ns", r->start);
	cp_out_char(&out, ',');
	put_contents(s, &out);
	cp_out_str(&out, "}\n");
	return cp_out_end(&out) == CP_OK;
}

/* Removes the white space of JSON between its texts. */
static void
squeeze(struct cp_buf *b)
{
	bool text = false;
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++) {
		char c = b->data[i];

		if (!text && (c == ' ' || c == '\n'))
			continue;
		if (c == '"')
			text = !text;
		b->data[n++] = c;
		/* What is escaped ends no text. */
		if (c == '\\' && i + 1 < b->len)
			b->data[n++] = b->data[++i];
	}
	b->len = n;
}

static bool
add_report(struct snapshot *s)
{
	struct cp_buf *b = add_member(s, "report.json", "snapshot-report");
	struct cp_report account = *s->report;
	struct cp_out out;

	account.analysis = COMMAND;
	account.title = s->title;
	account.event = s->report->main_event;

	cp_out_init(&out, cp_out_to_buf, b);
	cp_json_report(&account, s->opt->tool, CP_JSON_SNAPSHOT, &out);
	if (cp_out_end(&out) != CP_OK)
		return false;
	squeeze(b);
	cp_buf_char(b, '\n');
	return !b->full;
}

static bool
add_words(struct snapshot *s)
{
	struct cp_buf *b = add_member(s, "README.txt", "snapshot-text");

	cp_buf_str(b,
	    "A snapshot of coldperf: the samples of a perf capture as Parquet "
	    "tables.\nmeta.json says what was recorded, report.json what "
	    "`coldperf info' and\n`coldperf quality' tell of it. The page "
	    "snapshot-format.md in coldperf's\ndocumentation explains each "
	    "column.\n\nRows are numbered from 0; a column `stack' has a row "
	    "of "
	    "stacks, and so on.\nNumbers are signed: addresses of "
	    "kernels are negative; add 2^64 to them.\n\n");
	for (unsigned i = 0; i < CP_SNAPSHOT_TABLES; i++)
		cp_buf_printf(b, "%-8s  %s\n", s->tables.table[i].name,
		    s->tables.table[i].about);
	return !b->full;
}

static bool
is_streamed(const struct snapshot *s, unsigned table)
{
	return s->opt->stream != NULL &&
	       s->tables.table[table].bases == s->tables.sample;
}

/* Ends the samples that were written while they were made. */
static bool
end_stream(struct snapshot *s)
{
	struct cp_snapshot_stream *stream = s->opt->stream;
	bool whole = stream == NULL || cp_snapshot_stream_end(stream);

	for (unsigned i = 0; i < CP_SNAPSHOT_TABLES; i++)
		if (is_streamed(s, i))
			s->tables.table[i].rows =
			    cp_snapshot_stream_rows(stream);
	return whole;
}

static bool
add_tables(struct snapshot *s)
{
	struct cp_parquet_table table[CP_SNAPSHOT_TABLES];
	struct cp_buf *b[CP_SNAPSHOT_TABLES];
	unsigned n = 0;
	bool whole = true;

	for (unsigned i = 0; i < CP_SNAPSHOT_TABLES; i++) {
		char name[32];

		table[n] = s->tables.table[i];
		snprintf(name, sizeof(name), "%s.parquet", table[n].name);
		b[n] = add_member(s, name, "snapshot-table");
		if (is_streamed(s, i))
			s->member[s->n - 1].file =
			    cp_snapshot_stream_file(s->opt->stream);
		else
			n++;
	}
	cp_parquet_write(b, table, n, s->opt->jobs);
	for (unsigned i = 0; i < n; i++)
		whole &= !b[i]->full;
	return whole;
}

/* Adds the members that only coldperf reads. */
static void
add_kept(struct snapshot *s)
{
	struct cp_render_kept *kept = s->opt->kept;

	if (kept != NULL && kept->wait != NULL)
		kept->wait(kept->ctx);
	for (size_t i = 0; kept != NULL && i < kept->members.len; i++) {
		const struct cp_kept_member *m = &kept->members.data[i];

		add_member(s, m->name, m->role);
		s->member[s->n - 1].bytes = &m->bytes;
	}
}

static uint64_t
size_of(const struct member *m)
{
	return m->file != NULL ? cp_spill_size(m->file) : m->bytes->len;
}

static void
add_to_hash(void *ctx, const void *p, size_t n)
{
	cp_sha256_add(ctx, p, n);
}

static void
add_to_out(void *ctx, const void *p, size_t n)
{
	cp_out_add(ctx, p, n);
}

/* Passes the bytes; the output has failed if they cannot be read. */
static void
each_piece(const struct member *m, struct cp_out *out,
    void (*fn)(void *ctx, const void *, size_t n), void *ctx)
{
	if (m->file == NULL)
		fn(ctx, cp_buf_text(m->bytes), m->bytes->len);
	else if (!cp_spill_each(m->file, fn, ctx))
		out->failed = true;
}

static void
put_manifest(const struct snapshot *s, struct cp_out *out)
{
	const char *first[] = { "coldperf-bundle", "1", s->opt->tool };
	struct cp_buf b;

	cp_buf_init(&b, CP_MAX_MANIFEST);
	cp_manifest_put(&b, first, 3);
	for (unsigned i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];
		char sha[65], size[24];
		const char *line[] = { "file", sha, size, m->role, "-",
			m->name };
		struct cp_sha256 h;

		cp_sha256_init(&h);
		each_piece(m, out, add_to_hash, &h);
		cp_sha256_hex(&h, sha);
		snprintf(size, sizeof(size), "%" PRIu64, size_of(m));
		cp_manifest_put(&b, line, 6);
	}
	cp_tar_file(out, CP_MANIFEST_NAME, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static void
put_members(const struct snapshot *s, struct cp_out *out)
{
	put_manifest(s, out);
	for (unsigned i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];

		cp_tar_begin(out, m->name, size_of(m));
		each_piece(m, out, add_to_out, out);
		cp_tar_pad(out, size_of(m));
	}
	cp_tar_end(out);
}

static void
snapshot_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_profile *p = cp_profile_of(r);
	struct snapshot s = { .report = r, .opt = opt };
	struct cp_buf title;

	if (p == NULL)
		return;
	cp_buf_init(&title, CP_MAX_EXPORT);
	s.title = title_of(r, &title);
	s.member = cp_xcalloc(
	    MEMBERS + (opt->kept != NULL ? opt->kept->members.len : 0),
	    sizeof(*s.member));
	cp_snapshot_tables(&s.tables, r, p);
	left->cut = !(end_stream(&s) && add_meta(&s) && add_words(&s) &&
		      add_report(&s) && add_tables(&s));
	add_kept(&s);
	if (!left->cut)
		put_members(&s, out);
	else
		left->limit = "bytes of a table (CP_MAX_EXPORT)";
	for (unsigned i = 0; i < s.n; i++)
		cp_buf_free(&s.member[i].made);
	free(s.member);
	cp_buf_free(&title);
	cp_snapshot_tables_free(&s.tables);
}

const struct cp_renderer cp_renderer_snapshot = {
	.name = "snapshot",
	.suffix = ".cold",
	.shows = CP_SHOWS(CP_SECTION_PROFILE),
	.write = snapshot_write,
};
