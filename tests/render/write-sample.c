/* SPDX-License-Identifier: MIT */
/*
 * write-sample FORMAT REPORT [WIDTH [color|icicle|addresses|- [SECTION]]]:
 * a report made by hand, rendered to stdout, for tests in other languages.
 * REPORT is plain, charts, hostile, samples, profile, waits, empty, deep or a
 * number of nodes.
 */
#include "tests/render/sample.h"

static int
to_stdout(void *ctx, const void *data, size_t n)
{
	return fwrite(data, 1, n, stdout) == n ? 0 : -1;
}

static void
make(struct cp_report *r, const char *which)
{
	if (strcmp(which, "plain") == 0)
		sample_plain(r);
	else if (strcmp(which, "charts") == 0)
		sample_charts(r);
	else if (strcmp(which, "hostile") == 0)
		sample_hostile(r);
	else if (strcmp(which, "samples") == 0)
		sample_samples(r);
	else if (strcmp(which, "profile") == 0)
		sample_profile(r);
	else if (strcmp(which, "waits") == 0)
		sample_waits(r);
	else if (strcmp(which, "empty") == 0)
		sample_empty(r);
	else if (strcmp(which, "deep") == 0)
		sample_deep(r, 8192);
	else
		sample_big(r, (uint32_t)strtoul(which, NULL, 10));
}

int
main(int argc, char **argv)
{
	struct cp_render_options opt = { .tool = "coldperf test" };
	const struct cp_renderer *renderer;
	struct cp_left left = { 0 };
	static struct cp_out out;
	struct cp_report r;
	int status;

	if (argc < 3 || (renderer = cp_renderer_find(argv[1])) == NULL)
		return 2;
	if (argc > 3)
		opt.width = (unsigned)strtoul(argv[3], NULL, 10);
	opt.color = argc > 4 && strcmp(argv[4], "color") == 0;
	opt.addresses = argc > 4 && strcmp(argv[4], "addresses") == 0;
	opt.icicle = argc > 4 && strcmp(argv[4], "icicle") == 0;
	make(&r, argv[2]);
	if (argc > 5 && !cp_report_only(&r, argv[5]))
		return 3;
	cp_out_init(&out, to_stdout, NULL);
	status = cp_render(renderer, &r, &opt, &out, &left);
	cp_left_free(&left);
	cp_report_free(&r);
	return status == CP_OK ? 0 : 1;
}
