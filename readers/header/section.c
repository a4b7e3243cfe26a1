/* SPDX-License-Identifier: MIT */
#include "readers/header/section.h"

uint8_t *
cp_section_read(struct cp_capture *src, struct cp_file_span at, uint64_t limit,
    enum cp_diag_id id)
{
	uint8_t *p;

	if (at.offset > src->in.size || at.size > src->in.size - at.offset) {
		cp_diag_at(src->diags, id, CP_MIN(at.offset, src->in.size),
		    "%" PRIu64 " byte%s beyond the file", at.size,
		    cp_s(at.size));
		return NULL;
	}
	if (at.size > limit) {
		cp_diag_at(src->diags, CP_D_LIMIT, at.offset,
		    "a section of %" PRIu64 " bytes", at.size);
		return NULL;
	}
	p = cp_xmalloc((size_t)at.size);
	if (cp_input_read(&src->in, p, (size_t)at.size, at.offset) ==
	    (ssize_t)at.size)
		return p;
	cp_diag_at(src->diags, CP_D_READ, at.offset, "short read");
	free(p);
	return NULL;
}
