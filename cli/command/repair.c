/* SPDX-License-Identifier: MIT */
/*
 * repair: turns a damaged capture into a file that perf reads in full, with an
 * account of the parts left out.
 */
#include "readers/rewrite/repair.h"

#include <stdio.h>
#include <unistd.h>

#include "base/retry.h"
#include "cli/command/command.h"
#include "cli/output.h"
#include "cli/status.h"
#include "readers/header/features.h"
#include "run/api.h"

enum { COPY = 1 << 16 };

static void
say_features(const struct cp_repair *r)
{
	for (size_t i = 0; i < r->damaged.len; i++) {
		const char *name = cp_feature_name(r->damaged.data[i]);

		fprintf(stderr, "%s", i == 0 ? " (" : ", ");
		if (name != NULL)
			fprintf(stderr, "%s", name);
		else
			fprintf(stderr, "%" PRIu32, r->damaged.data[i]);
	}
	if (r->damaged.len != 0)
		fputc(')', stderr);
}

static void
say_repaired(const struct cp_cli *cli, const struct cp_run *run,
    const struct cp_repair *r)
{
	uint64_t lost = cp_repair_left_out(r, cp_run_quality(run));

	fprintf(stderr,
	    "coldperf: %s: %" PRIu64 " record%s, %" PRIu64
	    " of them %s; left out: %" PRIu64 " byte%s of damage, %" PRIu64
	    " sample%s of no event, %" PRIu64
	    " record%s that perf has no form for, %zu feature%s",
	    cli->output, r->records, cp_s(r->records), r->samples,
	    r->samples == 1 ? "a sample" : "samples", lost, cp_s(lost),
	    r->no_event, cp_s(r->no_event), r->formless, cp_s(r->formless),
	    r->damaged.len, cp_s(r->damaged.len));
	say_features(r);
	if (r->shorter != 0)
		fprintf(stderr,
		    ", the counters of branches in %" PRIu64 " sample%s",
		    r->shorter, cp_s(r->shorter));
	if (r->values != 0)
		fprintf(stderr, ", %" PRIu64 " value%s of no event in samples",
		    r->values, cp_s(r->values));
	if (r->nameless != 0)
		fprintf(stderr,
		    ", the values without ids in %" PRIu64 " sample%s",
		    r->nameless, cp_s(r->nameless));
	if (r->mended != 0)
		fprintf(stderr,
		    "; mended: a size or a field in %" PRIu64 " record%s",
		    r->mended, cp_s(r->mended));
	if (r->deferred != 0)
		fprintf(stderr,
		    "; in it, but unknown to perf 6.1: %" PRIu64
		    " deferred call chain%s",
		    r->deferred, cp_s(r->deferred));
	fputc('\n', stderr);
}

static bool
copy_out(struct cp_repair *r, struct cp_out *out)
{
	CP_CLEANUP(cp_cleanup_free) char *p = cp_xmalloc(COPY);

	for (uint64_t at = 0; at < r->size && !out->failed;) {
		ssize_t n = cp_pread(r->fd, p, COPY, (off_t)at);

		if (n <= 0)
			return false;
		cp_out_add(out, p, (size_t)n);
		at += (uint64_t)n;
	}
	return true;
}

static void
write_repaired(
    struct cp_cli *cli, const struct cp_run *run, struct cp_repair *r)
{
	struct cp_output o;
	bool whole;

	cli->private = true;
	if (cp_output_open(&o, cli, false) != CP_OK)
		return;
	whole = copy_out(r, &o.out);
	if (!whole)
		cp_diag(&cli->diags, CP_D_OUTPUT, "its copy cannot be read");
	if (cp_output_close(&o, cli, whole) == CP_OK && whole)
		say_repaired(cli, run, r);
}

int
cp_command_repair(struct cp_cli *cli)
{
	struct cp_repair r = { .fd = -1 };
	struct cp_run run = { 0 };
	const char *why = NULL;

	if (cli->output == NULL) {
		cp_diag(&cli->diags, CP_D_USAGE, "repair needs -o FILE");
		return cp_cli_status(cli);
	}
	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
	    CP_OK) {
		why = cp_repair(&r, &run.capture);
		if (why != NULL)
			cp_diag(&cli->diags, CP_D_OPEN, "no repair: %s", why);
		else if (cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
			write_repaired(cli, &run, &r);
	}
	cp_repair_free(&r);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
