/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/frame-label.h: what a frame shows in a tree: its symbol, or
 * its object in brackets; marked as the options ask.
 */
#ifndef CP_ANALYSES_COMMON_FRAME_LABEL_H
#define CP_ANALYSES_COMMON_FRAME_LABEL_H

#include <coldperf/plugin.h>

/* The option of analyses that show trees. */
#define CP_OPTION_GUESS_SUFFIX                                                 \
	{                                                                      \
		"guess-suffix", NULL, NULL,                                    \
		    "add _[g] to frames found without an unwind table"         \
	}

struct cp_frametexts {
	struct cp_run *run;
	bool kernel_suffix, guess_suffix;
	bool guessed;       /* some of the frames asked for were */
	cp_string_id *text; /* by frame, 0: not known yet */
	uint32_t text_cap;
	struct cp_frametext_memo *memo; /* what was made last, by hash */
};

/* Reads --kernel-suffix and --guess-suffix, where the analysis has them. */
void cp_frametexts_init(struct cp_frametexts *, struct cp_run *);
/* In finish(), of a frame that was named. */
cp_string_id cp_frametext(struct cp_frametexts *, cp_frame_id);
/* Its node below parent, to be made. */
uint32_t cp_frametext_node(
    struct cp_frametexts *, struct cp_tree *, uint32_t parent, cp_frame_id);

#endif
