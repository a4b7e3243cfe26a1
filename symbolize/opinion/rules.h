/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/rules.h: how an answer of ours differs from elfutils', and
 * which differences are explained.
 */
#ifndef CP_SYMBOLIZE_OPINION_RULES_H
#define CP_SYMBOLIZE_OPINION_RULES_H

#include <coldperf/plugin.h>

#include "symbolize/opinion/opinion.h"

enum cp_verdict {
	CP_VERDICT_EQUAL,
	CP_VERDICT_LONGER, /* ours says more */
	CP_VERDICT_EXPLAINED,
	CP_VERDICT_DIFFERENT,
	CP_VERDICT_SILENT, /* elfutils says nothing */
	CP_VERDICTS
};

struct cp_compared {
	enum cp_verdict verdict;
	const char *rule;          /* what explains it, or "" */
	const char *ours, *theirs; /* of the place that differs */
	uint32_t our_line, their_line;
};

/* start: where our symbol begins, in the terms of theirs. */
struct cp_compared cp_check_name(const struct cp_symbol *ours, uint64_t start,
    const struct cp_opinion_name *theirs, uint64_t vaddr);

/* The functions at an address, without the names of the outermost. */
struct cp_compared cp_check_inlines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m);
struct cp_compared cp_check_lines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m);

/* A stack, unwound twice: addresses, innermost first. */
struct cp_two_stacks {
	const uint64_t *ours, *theirs;
	size_t n, m;
	enum cp_unwind_end end; /* of ours */
	bool out;               /* one of theirs is in no mapping */
	const char *outermost;  /* the name of our last frame, or NULL */
	size_t same;            /* set: frames that are equal, from within */
};
struct cp_compared cp_check_stack(struct cp_two_stacks *);

#endif
