/* SPDX-License-Identifier: MIT */
/*
 * copy: copies the members of a snapshot without records.
 *
 * What a run takes from the tables is less than they have: it has no states, no
 * marks, and not what the capture said of itself.  Where all samples stay as
 * they are, so do the tables.
 */
#include "cli/command/snapshot/records.h"

#include "base/archive/read.h"
#include "cli/output.h"
#include "render/export/snapshot/tar.h"
#include "symbolize/file-index/content.h"

static bool
stays(const struct cp_cli *cli, const struct cp_run *run)
{
	const struct cp_run_options *o = run->options;

	return !run->filter.any && o->redact == NULL && o->max_stack == 0 &&
	       o->weight == CP_WEIGHT_PERIOD && o->inlines != CP_INLINE_NO &&
	       cli->title == NULL && cli->diags.count[CP_D_BAD_SNAPSHOT] == 0;
}

/* A name or a size that no snapshot has cannot be written. */
static bool
copy_member(struct cp_archive *a, const struct cp_member *m, struct cp_out *out)
{
	uint8_t some[1 << 16];
	uint64_t left = m->size;

	if (m->kind != CP_MEMBER_FILE || strlen(m->name) > 99 ||
	    m->size > UINT64_C(0x1ffffffff))
		return false;
	cp_tar_begin(out, m->name, m->size);
	while (left != 0) {
		ssize_t n = cp_archive_read(
		    a, some, (size_t)CP_MIN(left, (uint64_t)sizeof(some)));

		if (n <= 0)
			return false;
		cp_out_add(out, some, (size_t)n);
		left -= (uint64_t)n;
	}
	cp_tar_pad(out, m->size);
	return true;
}

static bool
copy_members(struct cp_archive *a, struct cp_out *out)
{
	struct cp_member m;
	int got = 0;
	bool whole = true;

	while (whole && (got = cp_archive_next(a, &m)) == 1)
		whole = copy_member(a, &m, out);
	cp_tar_end(out);
	return whole && got == 0;
}

bool
cp_snapshot_copy(struct cp_cli *cli, const struct cp_run *run)
{
	struct cp_fd_span span = { .fd = run->capture.snapshot,
		.size = UINT64_MAX };
	struct cp_archive *a;
	struct cp_output o;
	bool whole;

	if (!stays(cli, run))
		return false;
	a = cp_archive_open(cp_fd_span_pull, &span, true);
	whole = a != NULL;
	cli->private = false;
	if (whole && cp_output_open(&o, cli, false) == CP_OK) {
		whole = copy_members(a, &o.out);
		if (!whole)
			cp_diag(&cli->diags, CP_D_BAD_SNAPSHOT,
			    "states, marks and report.json: %s",
			    cp_archive_why(a));
		whole = cp_output_close(&o, cli, whole) == CP_OK && whole;
	}
	cp_archive_close(a);
	return whole;
}
