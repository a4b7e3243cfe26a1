/* SPDX-License-Identifier: MIT */
/*
 * given: layouts of another capture, of a format file, of a folder of those.
 *
 * Files of tracefs say that their size is 0; they are read to their end.
 */
#include "readers/formats/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/retry.h"
#include "model/recording.h"
#include "readers/header/tracing.h"
#include "readers/list.h"

enum {
	FORMAT_MAX = 1 << 18, /* bytes of one text */
	DEPTH_MAX = 8,        /* folders below the one given */
	/* records of a pipe that may contain its tracing data */
	HEAD_RECORDS = 4096,
};

/* The system is the folder above the event's: sched/sched_switch/format. */
static char *
system_of(struct cp_arena *a, const char *path)
{
	const char *end = path + strlen(path), *start;

	for (int i = 0; i < 2; i++) {
		while (end > path && *end != '/')
			end--;
		if (end == path)
			return NULL;
		if (i == 0)
			end--;
	}
	for (start = end; start > path && start[-1] != '/'; start--)
		;
	return start == end ? NULL
			    : cp_arena_strndup(a, start, (size_t)(end - start));
}

static size_t
read_text(const char *path, char *buf)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t n = 0;
	ssize_t got = fd >= 0 ? 1 : 0;
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)))
		got = 0;
	while (got > 0 && n < FORMAT_MAX) {
		got = cp_read(fd, buf + n, FORMAT_MAX - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	return n;
}

static bool
text_add(struct cp_tracepoints *tp, const char *path, struct cp_diags *diags)
{
	static const char start[] = "name:";
	char *buf = malloc(FORMAT_MAX), *system;
	size_t n = buf != NULL ? read_text(path, buf) : 0;
	bool is = n > sizeof(start) && memcmp(buf, start, 5) == 0;

	if (is) {
		system = system_of(&tp->arena, path);
		cp_tracing_format(
		    tp, system != NULL ? system : "", buf, n, diags);
	}
	free(buf);
	return is;
}

static void
folder_add(struct cp_tracepoints *tp, const char *path, struct cp_diags *diags)
{
	char *roots[] = { cp_arena_strndup(&tp->arena, path, strlen(path)),
		NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (fts == NULL)
		return;
	while ((e = fts_read(fts)) != NULL) {
		if (e->fts_info == FTS_D && e->fts_level >= DEPTH_MAX)
			fts_set(fts, e, FTS_SKIP);
		else if (e->fts_info == FTS_F &&
			 strcmp(e->fts_name, "format") == 0)
			(void)text_add(tp, e->fts_path, diags);
	}
	fts_close(fts);
}

/*
 * Adds the layouts of a capture.  False: the file is not a capture.  Other
 * damage is not reported here.
 */
static bool
capture_add(struct cp_tracepoints *tp, const char *path)
{
	struct cp_recording rec = { 0 };
	struct cp_quality quality = { 0 };
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_capture c;
	struct cp_event ev;
	bool is;

	cp_diags_init(diags);
	cp_info_init(&rec.info);
	is = cp_capture_open(&c, path, false, &rec, &quality, diags) == CP_OK;
	if (is) {
		for (int i = 0;
		     i < HEAD_RECORDS && rec.tracepoints.events.len == 0 &&
		     cp_capture_next(&c, &ev);
		     i++)
			;
		for (size_t i = 0; i < rec.tracepoints.events.len; i++)
			cp_tp_copy(tp, &rec.tracepoints.events.data[i],
			    rec.tracepoints.events.data[i].id);
	}
	cp_capture_close(&c);
	cp_recording_free(&rec);
	free(diags);
	return is;
}

int
cp_formats_given(
    struct cp_tracepoints *tp, const char *path, struct cp_diags *diags)
{
	size_t before = tp->events.len;
	struct stat st;
	bool folder, capture = true;

	if (stat(path, &st) != 0) {
		cp_diag(diags, CP_D_USAGE, "--formats %.200s: %s", path,
		    strerror(errno));
		return CP_FAIL;
	}
	folder = S_ISDIR(st.st_mode);
	if (folder)
		folder_add(tp, path, diags);
	if (tp->events.len == before && (folder || !text_add(tp, path, diags)))
		capture = capture_add(tp, path);
	if (tp->events.len != before)
		return CP_OK;
	cp_diag(diags, CP_D_USAGE, "--formats %.200s: %s", path,
	    capture ? "it has no layouts of tracepoints"
		    : "it is no capture, no format file, and no folder of "
		      "those as tracefs has them");
	return CP_FAIL;
}
