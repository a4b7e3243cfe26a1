/* SPDX-License-Identifier: MIT */
/*
 * A snapshot whose samples were packed while they were made has the bytes of
 * one whose samples the report holds.
 */
#include "render/export/snapshot/chunk.h"
#include "render/export/snapshot/page.h"
#include "render/export/snapshot/stream.h"
#include "report/profile.h"
#include "tests/render/sample.h"
#include "tests/tap.h"

static struct cp_profile_sample
row(uint64_t i, bool contexts)
{
	return (struct cp_profile_sample){
		.time = i % 1000 == 7 ? CP_NO_TIME : 5000 + i * 3,
		.weight = i % 11,
		.stack = (uint32_t)(i % 5),
		.thread = i % 3 != 0 ? (uint32_t)(i % 3) : CP_NO_ID,
		.event = 0,
		.cpu = (uint32_t)(i / 100 % 4),
		.context = contexts && i > 10 ? (uint32_t)(i % 2) : 0,
	};
}

/* Renders a snapshot of n samples. */
static void
render(size_t n, bool contexts, struct cp_snapshot_stream *stream,
    unsigned jobs, struct cp_buf *out)
{
	struct cp_render_options opt = { .tool = "test", .jobs = jobs };
	struct cp_left left = { 0 };
	struct cp_report r;
	struct cp_profile *p;

	cp_report_init(&r, "profile");
	r.title = r.label = r.event = r.weight = "";
	r.sink = stream != NULL ? cp_snapshot_stream_add : NULL;
	r.sink_ctx = stream;
	opt.stream = stream;
	p = cp_report_profile(&r, "samples", "Samples");
	cp_profile_expect(p, n);
	for (size_t i = 0; i < n; i++) {
		struct cp_profile_sample s = row(i, contexts);

		cp_profile_sample(p, &s);
	}
	cp_report_finish(&r);
	if (sample_render(&r, "snapshot", &opt, &left, out) != CP_OK ||
	    left.cut)
		ok(false, "rendering failed");
	cp_left_free(&left);
	cp_report_free(&r);
}

static void
check(size_t n, bool contexts, unsigned jobs)
{
	struct cp_snapshot_stream *stream = cp_snapshot_stream_new(jobs);
	struct cp_buf a, b;

	render(n, contexts, NULL, 0, &a);
	render(n, contexts, stream, jobs, &b);
	is_u64(b.len, a.len, "%zu samples, %u jobs: size", n, jobs);
	ok(a.len == b.len && memcmp(a.data, b.data, a.len) == 0,
	    "%zu samples, %u jobs: bytes", n, jobs);
	is_u64(cp_snapshot_stream_rows(stream), n, "%zu samples: rows", n);
	cp_snapshot_stream_free(stream);
	cp_buf_free(&a);
	cp_buf_free(&b);
}

int
main(void)
{
	check(0, false, 0);
	check(1, false, 1);
	check(1000, true, 1);
	check(CP_PAGE_ROWS - 1, true, 2);
	check(CP_PAGE_ROWS, false, 2);
	check(CP_PAGE_ROWS + 1, true, 1);
	check(CP_GROUP_ROWS, true, 2);
	check(CP_GROUP_ROWS + CP_PAGE_ROWS + 9, true, 2);
	return done_testing();
}
