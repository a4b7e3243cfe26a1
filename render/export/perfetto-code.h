/* SPDX-License-Identifier: MIT */
/* render/export/perfetto-code.h: the code that samples of a trace refer to. */
#ifndef CP_RENDER_EXPORT_PERFETTO_CODE_H
#define CP_RENDER_EXPORT_PERFETTO_CODE_H

#include "render/export/common/functions.h"
#include "render/export/perfetto-packet.h"

/* Ids of functions and frames in a sequence; 0 means none. */
struct cp_perfetto_code {
	struct cp_functions functions;
	uint32_t *first_frame; /* by frame: one for each line */
};
void cp_perfetto_code_init(
    struct cp_perfetto_code *, const struct cp_profile *);
void cp_perfetto_code_free(struct cp_perfetto_code *);
/* Writes the code that an event's samples lie in. */
void cp_perfetto_put_code(
    struct cp_perfetto *, struct cp_perfetto_code *, uint32_t event);

#endif
