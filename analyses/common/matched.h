/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/matched.h: which functions a word of the command line meant.
 */
#ifndef CP_ANALYSES_COMMON_MATCHED_H
#define CP_ANALYSES_COMMON_MATCHED_H

#include <coldperf/plugin.h>

/* A function that samples have, and its weight by itself. */
struct cp_matched_row {
	const struct cp_symbol *symbol;
	uint64_t weight;
};

struct cp_matched {
	struct cp_run *run;
	struct cp_matched_row *rows;
	uint32_t n, cap;
	uint32_t *of_symbol; /* row + 1, by the symbol's id */
	uint32_t of_symbol_cap;
};

void cp_matched_init(struct cp_matched *, struct cp_run *);
void cp_matched_add(
    struct cp_matched *, const struct cp_symbol *, uint64_t weight);
/*
 * Writes "compare matches 3 functions: a, b, c", heaviest first; the text lives
 * as long as the run.
 */
const char *cp_matched_text(struct cp_matched *, const char *typed);
/* Reports that the option's word is none of the functions. */
void cp_matched_none(struct cp_matched *, const char *option);

#endif
