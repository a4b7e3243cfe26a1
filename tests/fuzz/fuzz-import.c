/* SPDX-License-Identifier: MIT */
/*
 * fuzz-import: the input is a profile of another tool, of any kind; it is
 * read, and its samples become a report.
 */
#include "config.h" /* memfd_create */

#include "analyses/list.h"
#include "readers/reader.h"
#include "run/import/import.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/session.h"

enum { MAX_INPUT = 64 << 10 };

/* Every row refers to what is there. */
static void
check(const struct cp_run *run)
{
	const struct cp_tables *t = run->tables;
	uint64_t samples = 0;

	FUZZ_ASSERT(t->merged.function.len == run->session.stacks.frames.len);
	FUZZ_ASSERT(t->merged.object.len == run->session.dsos.all.len);
	for (size_t i = 0; i < t->rows.len; i++) {
		FUZZ_ASSERT(
		    t->rows.data[i].stack < run->session.stacks.nodes.len);
		FUZZ_ASSERT(t->rows.data[i].thread < t->thread.len);
		FUZZ_ASSERT(t->rows.data[i].event < cp_run_evsel_count(run));
		samples += t->rows.data[i].times;
	}
	FUZZ_ASSERT(samples == run->quality.samples);
}

static void
import(const struct cp_run_options *options, const char *path)
{
	struct cp_diags diags;
	struct cp_run run = { 0 };
	struct cp_report rep;

	cp_diags_init(&diags);
	cp_report_init(&rep, "hotspots");
	if (cp_run_open(&run, options, &diags, path) == CP_OK &&
	    run.capture.profile != CP_PROFILE_NONE) {
		check(&run);
		if (run.quality.samples < 100000 &&
		    cp_run_add(&run, cp_analysis_find("hotspots")) == CP_OK &&
		    cp_run_read(&run) == CP_OK &&
		    cp_run_finish(&run, &rep) == CP_OK)
			FUZZ_ASSERT(
			    run.quality.samples_kept == run.quality.samples);
	}
	cp_report_free(&rep);
	cp_run_close(&run);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_run_options options = { .analysis = "hotspots",
		.cache = "",
		.debuginfod = CP_DEBUGINFOD_OFF,
		.inlines = CP_INLINE_NO,
		.no_cache = true,
		.tables = true,
		.jobs = 1 };
	struct fuzz_path path;
	int fd;

	if (size > MAX_INPUT || size < 3 ||
	    cp_profile_bid(data, CP_MIN(size, CP_INPUT_HEAD)) ==
		CP_PROFILE_NONE)
		return 0;
	fd = fuzz_file(data, size);
	path = fuzz_path(fd);
	options.capture = path.text;
	import(&options, path.text);
	close(fd);
	return 0;
}
