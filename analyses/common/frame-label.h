/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/frame-label.h: the text of a frame in a tree: its symbol, or
 * its object in brackets, with the marks that options ask for.
 */
#ifndef CP_ANALYSES_COMMON_FRAME_LABEL_H
#define CP_ANALYSES_COMMON_FRAME_LABEL_H

#include <coldperf/plugin.h>

/* An option for analyses that show trees. */
#define CP_OPTION_GUESS_SUFFIX                                                 \
	{                                                                      \
		"guess-suffix", NULL, NULL,                                    \
		    "add _[g] to frames found without an unwind table"         \
	}

struct cp_frametexts {
	struct cp_run *run;
	bool kernel_suffix, guess_suffix;
	bool guessed;       /* some frame asked for was guessed */
	cp_string_id *text; /* by frame, 0: not known yet */
	uint32_t text_cap;
	struct cp_frametext_memo *memo; /* cache of texts, by hash */
};

/* Reads --kernel-suffix and --guess-suffix if the analysis has them. */
void cp_frametexts_init(struct cp_frametexts *, struct cp_run *);
/* Returns the text of a named frame; for use in finish(). */
cp_string_id cp_frametext(struct cp_frametexts *, cp_frame_id);
/* Makes the frame's node below parent. */
uint32_t cp_frametext_node(
    struct cp_frametexts *, struct cp_tree *, uint32_t parent, cp_frame_id);

#endif
