/* SPDX-License-Identifier: MIT */
#include "readers/list.h"

static const struct cp_reader *const readers[] = {
#define CP_READER(id) &cp_reader_##id,
#include "readers/list.def"
#undef CP_READER
	NULL,
};

int
cp_capture_open_any(struct cp_capture *s, const char *path, bool keeps,
    bool tables, struct cp_recording *rec, struct cp_quality *quality,
    struct cp_diags *diags)
{
	*s = (struct cp_capture){ .readers = readers,
		.rec = rec,
		.quality = quality,
		.diags = diags,
		.keeps = keeps,
		.takes_tables = tables };
	diags->at_rewritten = false;
	if (cp_input_open(&s->in, path, diags) != CP_OK)
		return CP_FAIL;
	return cp_capture_start(s);
}

int
cp_capture_open(struct cp_capture *s, const char *path, bool keeps,
    struct cp_recording *rec, struct cp_quality *quality,
    struct cp_diags *diags)
{
	return cp_capture_open_any(s, path, keeps, false, rec, quality, diags);
}

int
cp_capture_adopt(struct cp_capture *s, int fd, const char *path,
    struct cp_recording *rec, struct cp_quality *quality,
    struct cp_diags *diags)
{
	*s = (struct cp_capture){ .readers = readers,
		.rec = rec,
		.quality = quality,
		.diags = diags };
	diags->at_rewritten = false;
	if (cp_input_adopt(&s->in, fd, path, diags) != CP_OK)
		return CP_FAIL;
	return cp_capture_start(s);
}
