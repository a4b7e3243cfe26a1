/* SPDX-License-Identifier: MIT */
#include "cli/command/snapshot/records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "base/snapshot-meta.h"
#include "base/strings.h"
#include "cli/command/bundle.h"
#include "cli/command/snapshot/compress.h"
#include "cli/report-output.h"
#include "readers/jitdump.h"
#include "render/export/snapshot/tar.h"
#include "symbolize/object/text-files.h"

/*
 * Will the records be copied without a change?  If that is not yet known when
 * reading begins, as with a stream, the answer is no.
 */
static bool
stays(const struct cp_run *run)
{
	const struct cp_evsels *e = &run->rec.evsels;
	uint64_t any = 0;

	for (size_t i = 0; i < e->all.len; i++)
		any |= e->all.data[i]->attr.sample_type;
	return e->all.len != 0 && run->options->redact == NULL &&
	       (any & (CP_SAMPLE_STACK_USER | CP_SAMPLE_REGS_USER)) == 0;
}

static bool
is_folder(const struct cp_run *run)
{
	return strcmp(run->capture.reader->name, "directory") == 0;
}

/*
 * True if the members of a snapshot are copied: no policy may remove parts of
 * them.
 */
static bool
is_copied(const struct cp_run *run)
{
	return run->capture.snapshot > 0 && run->options->redact == NULL;
}

static void
start(struct cp_snapshot_records *r, const struct cp_run *run)
{
	const struct cp_input *in = &run->capture.in;

	cp_frames_start(&r->file, in->fd, in->size, run->options->jobs);
}

void
cp_snapshot_records_watch(
    struct cp_snapshot_records *r, struct cp_cli *cli, struct cp_run *run)
{
	r->file.fd = -1;
	r->wanted = !run->filter.any;
	r->unwound.tells = true;
	r->kept.rewritten = run->capture.was.bytes_total != 0;
	if (!r->wanted || is_copied(run))
		return;
	cp_pack_unwound_watch(&r->unwound, run);
	if (run->capture.in.seekable && !is_folder(run) && stays(run))
		start(r, run);
}

/* ------------------------------------------------------------------ members */

static void
add(struct cp_snapshot_records *r, const char *name, const char *role,
    struct cp_buf bytes)
{
	*cp_vec_push(&r->kept.members) =
	    (struct cp_kept_member){ name, role, bytes };
}

static bool
add_file(struct cp_snapshot_records *r, const struct cp_pack_item *it)
{
	struct cp_buf bytes;
	bool whole;

	cp_frames_start(&r->file, it->fd, it->size, r->cli->run.jobs);
	whole = cp_frames_end(&r->file, &bytes);
	if (whole)
		add(r, CP_SNAPSHOT_RECORDS, "capture-unwound", bytes);
	return whole;
}

static bool
read_file(struct cp_buf *b, int fd)
{
	uint8_t some[1 << 16];
	uint64_t at = 0;
	ssize_t n = 0;

	while (
	    !b->full && (n = cp_pread(fd, some, sizeof(some), (off_t)at)) > 0) {
		cp_buf_add(b, some, (size_t)n);
		at += (uint64_t)n;
	}
	return !b->full && n == 0 && at != 0;
}

/* -------------------------------------------------------------- the records */

static bool
put_items(struct cp_out *out, const struct cp_packlist *list)
{
	bool whole = true;

	for (size_t i = 0; i < list->items.len && whole; i++) {
		const struct cp_pack_item *it = &list->items.data[i];
		struct cp_buf one;

		cp_buf_init(&one, CP_MAX_EXPORT);
		/* A file without records is empty. */
		whole = read_file(&one, it->fd) || it->size == 0;
		if (whole)
			cp_tar_file(out, it->name, cp_buf_text(&one), one.len);
		cp_buf_free(&one);
	}
	cp_tar_end(out);
	return cp_out_end(out) == CP_OK && whole;
}

/* Adds the files of a folder as one tar. */
static bool
add_items(struct cp_snapshot_records *r, const struct cp_packlist *list)
{
	struct cp_compress c;
	struct cp_buf bytes;
	struct cp_out out;
	uint64_t size = 0;
	bool whole;

	for (size_t i = 0; i < list->items.len; i++)
		size += list->items.data[i].size;
	cp_compress_begin(&c, size);
	cp_out_init(&out, cp_compress_sink, &c);
	whole = put_items(&out, list);
	bytes = cp_compress_end(&c);
	if (whole)
		add(r, CP_SNAPSHOT_FOLDER, "capture-unwound", bytes);
	else
		cp_buf_free(&bytes);
	return whole;
}

/* Replaces dumped stacks by the chains that they were unwound to. */
static bool
add_rewritten(struct cp_snapshot_records *r, const struct cp_run *run)
{
	struct cp_packlist list = { .arena = { 0 } };
	bool whole = cp_pack_unwound(&r->unwound, &list) == CP_OK;

	cp_frames_drop(&r->file);
	if (whole)
		whole = is_folder(run) ? add_items(r, &list)
				       : add_file(r, &list.items.data[0]);
	cp_packlist_free(&list);
	r->kept.rewritten = whole;
	return whole;
}

static void
drop_members(struct cp_snapshot_records *r)
{
	for (size_t i = 0; i < r->kept.members.len; i++)
		cp_buf_free(&r->kept.members.data[i].bytes);
	r->kept.members.len = 0;
}

static void
tell_lost(struct cp_cli *cli)
{
	cp_report_no_records(cli,
	    "the capture cannot be read again as one file, or is too "
	    "large");
}

/* The file is still being compressed while tables are made. */
static void
wait_for_file(void *ctx)
{
	struct cp_snapshot_records *r = ctx;

	r->kept.wait = NULL;
	if (cp_frames_end(&r->file, &r->kept.members.data[0].bytes))
		return;
	drop_members(r);
	tell_lost(r->cli);
}

/*
 * Adds the records.  A capture without dumped stacks is copied unchanged,
 * including damage.
 */
static bool
add_records(struct cp_snapshot_records *r, const struct cp_run *run)
{
	/* Copies of stacks are removed even if none could be unwound. */
	if (is_folder(run) || run->options->redact != NULL ||
	    (r->unwound.chains.len | r->unwound.ends.len) != 0)
		return add_rewritten(r, run);
	if (!run->capture.in.seekable)
		return false;
	if (r->file.fd < 0)
		start(r, run);
	add(r, CP_SNAPSHOT_RECORDS, "capture", (struct cp_buf){ .len = 0 });
	r->kept.wait = wait_for_file;
	r->kept.ctx = r;
	return true;
}

/* ----------------------------------------------------------------- jitdumps */

static const char *
jit_name(struct cp_snapshot_records *r, const struct cp_dso_info *d,
    const char *recorded)
{
	char text[96];
	int n =
	    snprintf(text, sizeof(text), CP_SNAPSHOT_JIT "%" PRIu32 "-%s.zst",
		d->pub.pid, cp_basename(recorded));

	return (size_t)n < sizeof(text)
		   ? cp_arena_strndup(&r->arena, text, (size_t)n)
		   : NULL;
}

static void
add_jitdump(struct cp_snapshot_records *r, struct cp_run *run,
    const struct cp_dso_info *d)
{
	const char *name =
	    jit_name(r, d, cp_strings_get(&run->session.strings, d->pub.name));
	int fd =
	    name != NULL ? cp_text_file_open(cp_run_symbols(run), d->path) : -1;
	struct cp_compress c;
	struct cp_buf b;

	if (fd < 0)
		return;
	cp_buf_init(&b, CP_MAX_EXPORT);
	if (read_file(&b, fd) && cp_jitdump_blank((uint8_t *)b.data, b.len)) {
		cp_compress_begin(&c, b.len);
		cp_compress_add(&c, b.data, b.len);
		add(r, name, "jitdump", cp_compress_end(&c));
	}
	cp_buf_free(&b);
	close(fd);
}

/* --------------------------------------------------------------- a snapshot */

/*
 * Returns the role of a member that only coldperf reads; NULL: it is another
 * member.
 */
static const char *
role_of(const struct cp_snapshot_records *r, const char *name)
{
	if (strncmp(name, CP_SNAPSHOT_JIT, strlen(CP_SNAPSHOT_JIT)) == 0)
		return "jitdump";
	if (strcmp(name, CP_SNAPSHOT_RECORDS) != 0 &&
	    strcmp(name, CP_SNAPSHOT_FOLDER) != 0)
		return NULL;
	return r->kept.rewritten ? "capture-unwound" : "capture";
}

static bool
copy_member(struct cp_snapshot_records *r, struct cp_archive *a,
    const char *name, const char *role)
{
	uint8_t some[1 << 14];
	struct cp_buf b;
	ssize_t n;

	cp_buf_init(&b, CP_MAX_EXPORT);
	name = cp_arena_strndup(&r->arena, name, strlen(name));
	while ((n = cp_archive_read(a, some, sizeof(some))) > 0 && !b.full)
		cp_buf_add(&b, some, (size_t)n);
	if (n == 0 && !b.full)
		add(r, name, role, b);
	else
		cp_buf_free(&b);
	return n == 0 && !b.full;
}

/* Copies the members of a snapshot into the new one. */
static bool
copy_members(
    struct cp_snapshot_records *r, struct cp_cli *cli, const struct cp_run *run)
{
	struct cp_bundle b;
	struct cp_member m;
	int fd = fcntl(run->capture.snapshot, F_DUPFD_CLOEXEC, 3);
	bool whole = cp_bundle_adopt(&b, cli, fd) == CP_OK;

	while (whole && cp_archive_next(b.a, &m) == 1) {
		const char *role = role_of(r, m.name);

		whole = role == NULL || copy_member(r, b.a, m.name, role);
	}
	cp_bundle_close(&b);
	return whole;
}

static bool
keep(struct cp_snapshot_records *r, struct cp_cli *cli, struct cp_run *run)
{
	if (is_copied(run))
		return copy_members(r, cli, run);
	if (!add_records(r, run))
		return false;
	/* A policy cannot redact a jitdump. */
	if (run->options->redact == NULL) {
		const struct cp_dsos *all = &run->session.dsos;

		for (uint32_t id = 1; id <= cp_run_dso_count(run); id++) {
			const struct cp_dso_info *d = cp_dsos_at(all, id);

			if (d != NULL && d->pub.kind == CP_DSO_JIT &&
			    d->path != NULL)
				add_jitdump(r, run, d);
		}
	}
	return true;
}

void
cp_snapshot_records_read(
    struct cp_snapshot_records *r, struct cp_cli *cli, struct cp_run *run)
{
	r->cli = cli;
	if (r->wanted && keep(r, cli, run))
		cli->kept = &r->kept;
	else if (r->wanted)
		tell_lost(cli);
	else
		cp_report_no_records(cli, "samples were chosen");
}

void
cp_snapshot_records_free(struct cp_snapshot_records *r)
{
	cp_frames_drop(&r->file);
	drop_members(r);
	cp_vec_free(&r->kept.members);
	cp_pack_unwound_free(&r->unwound);
	cp_arena_free(&r->arena);
}
