/* SPDX-License-Identifier: MIT */
/*
 * fuzz-merge: the input is a capture, or a snapshot; it is merged with itself,
 * and the union is written as a snapshot, which is read.
 *
 * Objects, symbols and frames are looked up by content: the second capture
 * adds none.  Only a kernel that nothing identifies is another in each.
 */
#include "config.h" /* memfd_create */

#include <unistd.h>

#include "analyses/list.h"
#include "render/render.h"
#include "run/api.h"
#include "run/merge/merge.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/session.h"

enum { MAX_INPUT = 128 << 10, MAX_OUTPUT = 64 << 20 };

static int
add_analyses(struct cp_run *run)
{
	if (cp_run_add(run, cp_analysis_find("quality")) != CP_OK)
		return CP_FAIL;
	return cp_run_add(run, cp_analysis_find("profile"));
}

static int
read_opened(struct cp_merger *m, struct cp_run *part, bool first)
{
	cp_merge_events_new(m, part);
	if (first && add_analyses(&m->all) != CP_OK)
		return CP_FAIL;
	if (cp_merge_watch(m, part) != CP_OK || cp_run_read(part) != CP_OK)
		return CP_FAIL;
	return cp_merge_take(m, part);
}

static int
read_one(struct cp_merger *m, const struct cp_run_options *options, bool first)
{
	struct cp_run part = { 0 };
	int status =
	    cp_run_open(&part, options, m->all.diags, options->capture);

	if (status == CP_OK)
		status = read_opened(m, &part, first);
	cp_run_close(&part);
	return status;
}

static bool
has_lone_kernel(const struct cp_merger *m)
{
	for (uint32_t i = 1; i <= m->all.session.dsos.all.len; i++) {
		const struct cp_dso *d = cp_run_dso(&m->all, i);

		if (d->kind == CP_DSO_KERNEL && d->build_id_size == 0)
			return true;
	}
	return false;
}

static int
read_twice(struct cp_merger *m, const struct cp_run_options *options)
{
	size_t objects, symbols, frames;

	if (read_one(m, options, true) != CP_OK)
		return CP_FAIL;
	objects = m->objects.key.len;
	symbols = m->symbols.key.len;
	frames = m->frames.key.len;
	if (read_one(m, options, false) != CP_OK)
		return CP_FAIL;
	FUZZ_ASSERT(has_lone_kernel(m) || (m->objects.key.len == objects &&
					      m->symbols.key.len == symbols &&
					      m->frames.key.len == frames));
	cp_merge_over(m);
	return CP_OK;
}

static void
read_snapshot(struct cp_run_options options, const struct cp_buf *b)
{
	int fd = fuzz_file((const uint8_t *)b->data, b->len);
	const struct fuzz_path path = fuzz_path(fd);
	struct cp_diags diags;
	struct cp_run run = { 0 };
	struct cp_report rep;

	options.capture = path.text;
	cp_diags_init(&diags);
	cp_report_init(&rep, "sql");
	FUZZ_ASSERT(cp_run_open(&run, &options, &diags, path.text) == CP_OK);
	FUZZ_ASSERT(add_analyses(&run) == CP_OK);
	FUZZ_ASSERT(cp_run_read(&run) == CP_OK);
	FUZZ_ASSERT(cp_run_finish(&run, &rep) == CP_OK);
	cp_report_free(&rep);
	cp_run_close(&run);
	close(fd);
}

static void
write_union(struct cp_merger *m, const struct cp_run_options *options)
{
	static struct cp_out out;
	struct cp_left left = { 0 };
	struct cp_report rep;
	struct cp_buf b;

	cp_report_init(&rep, "merge");
	cp_buf_init(&b, MAX_OUTPUT);
	cp_out_init(&out, cp_out_to_buf, &b);
	cp_run_label(&m->all, &rep);
	cp_merge_show(m, &rep);
	if (cp_run_finish(&m->all, &rep) == CP_OK) {
		const struct cp_render_options how = { .tool = "fuzz-merge" };

		cp_run_label_line(&m->all, &rep);
		if (cp_render(cp_renderer_find("snapshot"), &rep, &how, &out,
			&left) == CP_OK)
			read_snapshot(*options, &b);
	}
	cp_left_free(&left);
	cp_buf_free(&b);
	cp_report_free(&rep);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_run_options options = { .analysis = "merge",
		.cache = "",
		.debuginfod = CP_DEBUGINFOD_OFF,
		.inlines = CP_INLINE_NO,
		.no_cache = true,
		.tables = true,
		.jobs = 1 };
	struct cp_diags diags;
	struct cp_merger m;
	struct fuzz_path path;
	int fd;

	if (size > MAX_INPUT)
		return 0;
	fd = fuzz_file(data, size);
	path = fuzz_path(fd);
	options.capture = path.text;
	cp_diags_init(&diags);
	cp_merge_init(&m, &options, &diags);
	if (read_twice(&m, &options) == CP_OK)
		write_union(&m, &options);
	cp_merge_free(&m);
	close(fd);
	return 0;
}
