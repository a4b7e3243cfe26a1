/* SPDX-License-Identifier: MIT */
/* cgroups: paths of control groups, from all records of a capture. */
#include <fcntl.h>

#include "readers/list.h"
#include "run/api.h"

/* Reports no damage: the run reads the same records and reports it. */
static void
read_all(struct cp_run *run, int fd, struct cp_map64 *paths)
{
	struct cp_recording rec = { 0 };
	struct cp_quality quality = { 0 };
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_capture c;
	struct cp_event ev;

	cp_diags_init(diags);
	cp_info_init(&rec.info);
	if (cp_capture_adopt(&c, fd, run->path, &rec, &quality, diags) == CP_OK)
		while (cp_capture_next(&c, &ev)) {
			if (ev.type == CP_RECORD_CGROUP &&
			    cp_map64_get(paths, ev.u.cgroup.id) == 0)
				cp_cgroups_add(
				    &run->session, paths, &ev.u.cgroup);
			(void)cp_capture_pass(&c);
		}
	cp_capture_close(&c);
	cp_recording_free(&rec);
	free(diags);
}

void
cp_run_cgroups_ahead(void *ctx, struct cp_map64 *paths)
{
	struct cp_run *run = ctx;
	int fd = -1;

	if (run->capture.in.seekable && !run->capture.in.directory)
		fd = fcntl(run->capture.in.fd, F_DUPFD_CLOEXEC, 3);
	if (fd >= 0)
		read_all(run, fd, paths);
}
