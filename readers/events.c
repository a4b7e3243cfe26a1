/* SPDX-License-Identifier: MIT */
/* events: the events of a seekable file, by both of their descriptions. */
#include "readers/events.h"

#include "readers/header/ids.h"
#include "readers/record/stream.h"

int
cp_file_events(struct cp_capture *src, const struct cp_file_header *h,
    struct cp_window *const *w, size_t n)
{
	cp_trial(src->rec, w, n, true, src->diags, h->attrs.offset);
	if (src->rec->evsels.all.len == 0) {
		cp_diag_at(src->diags, CP_D_NO_ATTRS, 16, NULL);
		return CP_FAIL;
	}
	cp_ids_complete(src, h);
	cp_recording_link(src->rec);
	return CP_OK;
}
