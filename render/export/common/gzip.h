/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/gzip.h: a sink whose bytes are compressed when it ends.
 *
 * The bytes are held in memory until then, because some readers of gzip stop at
 * the end of the first member.
 */
#ifndef CP_RENDER_EXPORT_COMMON_GZIP_H
#define CP_RENDER_EXPORT_COMMON_GZIP_H

#include "render/common/left.h"
#include "render/common/out.h"

struct cp_gzip {
	struct cp_out out; /* bytes written here are compressed */
	struct cp_buf plain;
	struct cp_out *to;
};

void cp_gzip_begin(struct cp_gzip *, struct cp_out *to);
/*
 * Compresses and writes the bytes.  If they exceeded CP_MAX_EXPORT, only notes
 * that in *left.
 */
void cp_gzip_end(struct cp_gzip *, struct cp_left *);

#endif
