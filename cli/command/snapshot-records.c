/* SPDX-License-Identifier: MIT */
#include "cli/command/snapshot-records.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "base/snapshot-meta.h"
#include "base/strings.h"
#include "readers/jitdump.h"
#include "render/export/snapshot/tar.h"
#include "symbolize/object/text-files.h"

void
cp_snapshot_records_watch(struct cp_snapshot_records *r, struct cp_run *run)
{
	r->wanted = !run->filter.any;
	r->unwound.tells = true;
	if (r->wanted)
		cp_pack_unwound_watch(&r->unwound, run);
}

/* ------------------------------------------------------------------ members */

static struct cp_buf *
add(struct cp_snapshot_records *r, const char *name, const char *role)
{
	struct cp_kept_member *m = cp_vec_push(&r->kept.members);

	m->name = name;
	m->role = role;
	cp_buf_init(&m->bytes, CP_MAX_EXPORT);
	return &m->bytes;
}

static void
drop_last(struct cp_snapshot_records *r)
{
	cp_buf_free(&r->kept.members.data[--r->kept.members.len].bytes);
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

/* The files of a folder, as one tar. */
static bool
read_items(struct cp_buf *b, const struct cp_packlist *list)
{
	struct cp_out out;
	bool whole = true;

	cp_out_init(&out, cp_out_to_buf, b);
	for (size_t i = 0; i < list->items.len && whole; i++) {
		const struct cp_pack_item *it = &list->items.data[i];
		struct cp_buf one;

		cp_buf_init(&one, CP_MAX_EXPORT);
		/* A file without records is empty. */
		whole = read_file(&one, it->fd) || it->size == 0;
		if (whole)
			cp_tar_file(&out, it->name, cp_buf_text(&one), one.len);
		cp_buf_free(&one);
	}
	cp_tar_end(&out);
	return cp_out_end(&out) == CP_OK && whole;
}

/* Dumped stacks are replaced by what they were unwound to. */
static bool
read_rewritten(struct cp_snapshot_records *r, bool folder)
{
	struct cp_packlist list = { .arena = { 0 } };
	bool whole = cp_pack_unwound(&r->unwound, &list) == CP_OK;

	if (whole && folder)
		whole = read_items(
		    add(r, CP_SNAPSHOT_FOLDER, "capture-unwound"), &list);
	else if (whole)
		whole =
		    read_file(add(r, CP_SNAPSHOT_RECORDS, "capture-unwound"),
			r->unwound.files.data[0]);
	cp_packlist_free(&list);
	r->kept.rewritten = whole;
	return whole;
}

/* A capture without dumped stacks stays as it is, damage included. */
static bool
read_records(struct cp_snapshot_records *r, struct cp_run *run)
{
	const struct cp_input *in = &run->capture.in;
	bool folder = strcmp(run->capture.reader->name, "directory") == 0;

	/* Stacks that were not unwound are not for others either. */
	if (folder || (r->unwound.chains.len | r->unwound.ends.len) != 0 ||
	    run->options->redact != NULL)
		return read_rewritten(r, folder);
	return in->seekable &&
	       read_file(add(r, CP_SNAPSHOT_RECORDS, "capture"), in->fd);
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
	struct cp_buf *b;

	if (fd < 0)
		return;
	b = add(r, name, "jitdump");
	if (!read_file(b, fd) || !cp_jitdump_blank((uint8_t *)b->data, b->len))
		drop_last(r);
	close(fd);
}

static void
add_jitdumps(struct cp_snapshot_records *r, struct cp_run *run)
{
	const struct cp_dsos *all = &run->session.dsos;

	for (uint32_t id = 1; id <= cp_run_dso_count(run); id++) {
		const struct cp_dso_info *d = cp_dsos_at(all, id);

		if (d != NULL && d->pub.kind == CP_DSO_JIT && d->path != NULL)
			add_jitdump(r, run, d);
	}
}

void
cp_snapshot_records_read(
    struct cp_snapshot_records *r, struct cp_cli *cli, struct cp_run *run)
{
	if (r->wanted && read_records(r, run)) {
		/* No policy knows what a jitdump has. */
		if (run->options->redact == NULL)
			add_jitdumps(r, run);
		cli->kept = &r->kept;
		return;
	}
	cp_diag(&cli->diags, CP_D_NO_RECORDS, "%s",
	    !r->wanted
		? "samples were chosen"
		: "it cannot be read again as one file, or is too large");
}

void
cp_snapshot_records_free(struct cp_snapshot_records *r)
{
	while (r->kept.members.len != 0)
		drop_last(r);
	cp_vec_free(&r->kept.members);
	cp_pack_unwound_free(&r->unwound);
	cp_arena_free(&r->arena);
}
