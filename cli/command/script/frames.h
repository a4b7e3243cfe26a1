/* SPDX-License-Identifier: MIT */
/*
 * cli/command/script/frames.h: the text after a frame's address: symbol,
 * object, line.  It is made once per frame.
 */
#ifndef CP_CLI_COMMAND_SCRIPT_FRAMES_H
#define CP_CLI_COMMAND_SCRIPT_FRAMES_H

#include "cli/cli.h"
#include "run/api.h"

struct cp_frame_text {
	const char *text; /* NULL: not yet */
	size_t len;
	struct cp_frame_text *inlined; /* innermost first */
	uint32_t n;
};

struct cp_frame_texts {
	struct cp_cli *cli;
	uint32_t fields; /* bits of enum cp_script_field */
	struct cp_buf scratch;
	struct cp_arena arena;
	CP_VEC(struct cp_frame_text) all; /* by frame id */
};

void cp_frame_texts_init(
    struct cp_frame_texts *, struct cp_cli *, uint32_t fields);
void cp_frame_texts_free(struct cp_frame_texts *);
/* Returns the frame's text, valid until they are freed. */
struct cp_frame_text cp_frame_text(
    struct cp_frame_texts *, struct cp_run *, cp_frame_id);
/* Do texts show lines or inlined functions? */
bool cp_frame_texts_spots(const struct cp_frame_texts *);

#endif
