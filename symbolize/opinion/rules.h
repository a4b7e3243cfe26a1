/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/rules.h: compares our answers with those of elfutils, and
 * knows which differences are explained.
 */
#ifndef CP_SYMBOLIZE_OPINION_RULES_H
#define CP_SYMBOLIZE_OPINION_RULES_H

#include <coldperf/plugin.h>

#include "symbolize/opinion/opinion.h"

enum cp_verdict {
	CP_VERDICT_EQUAL,
	CP_VERDICT_LONGER, /* our answer has more detail */
	CP_VERDICT_EXPLAINED,
	CP_VERDICT_DIFFERENT,
	CP_VERDICT_SILENT, /* elfutils says nothing */
	CP_VERDICTS
};

struct cp_compared {
	enum cp_verdict verdict;
	const char *rule;          /* what explains it, or "" */
	const char *ours, *theirs; /* texts at the place that differs */
	uint32_t our_line, their_line;
};

/*
 * Compares names.  start: the start of our symbol, as an address of the image.
 */
struct cp_compared cp_check_name(const struct cp_symbol *ours, uint64_t start,
    const struct cp_opinion_name *theirs, uint64_t vaddr);

/* Compares the functions at an address, except the names of the outermost. */
struct cp_compared cp_check_inlines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m);
struct cp_compared cp_check_lines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m);

#endif
