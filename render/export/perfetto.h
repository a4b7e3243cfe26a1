/* SPDX-License-Identifier: MIT */
/*
 * render/export/perfetto.h: what the files of the Perfetto trace share.
 *
 * perfetto.c writes the head, processes and samples; perfetto-code.c what
 * samples refer to; perfetto-states.c what threads did, and losses.
 */
#ifndef CP_RENDER_EXPORT_PERFETTO_H
#define CP_RENDER_EXPORT_PERFETTO_H

#include "render/export/functions.h"
#include "render/export/proto.h"

struct cp_perfetto {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_buf packet, field, part, list;
	uint64_t start; /* of the trace: for what has no time */
	uint32_t sequence;
};

/* Writes the packet being made: it is of the sequence, at the time. */
void cp_perfetto_put(struct cp_perfetto *, uint64_t time);

/* Numbers of what a sequence refers to; 0 means none there. */
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

void cp_perfetto_put_states(struct cp_perfetto *);
void cp_perfetto_put_losses(struct cp_perfetto *);

#endif
