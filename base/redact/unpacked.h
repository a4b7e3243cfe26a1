/* SPDX-License-Identifier: MIT */
/* base/redact/unpacked.h: unpacks a content to be searched. */
#ifndef CP_BASE_REDACT_UNPACKED_H
#define CP_BASE_REDACT_UNPACKED_H

#include "base/vec.h"

/* A content to be searched, and how many times it was unpacked. */
struct cp_content {
	uint8_t *data; /* malloc'ed */
	size_t n;
	unsigned depth;
	bool encoded; /* it was base64: it may be deflated */
};

typedef CP_VEC(struct cp_content) cp_contents;

/* Adds all contents packed in the content.  False: they exceed a limit. */
bool cp_unpack_all(cp_contents *, const struct cp_content *);

#endif
