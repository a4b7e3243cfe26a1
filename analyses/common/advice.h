/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/advice.h: what to record for which question: advice.def, as
 * a table.
 */
#ifndef CP_ANALYSES_COMMON_ADVICE_H
#define CP_ANALYSES_COMMON_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

enum cp_advice_id {
#define ADVICE(id, question, commands, options, all, instead) CP_ADVICE_##id,
#include "analyses/common/advice.def"
#undef ADVICE
	CP_ADVICE_COUNT
};

struct cp_advice {
	const char *name;
	const char *question; /* NULL: not one of capture --for */
	const char *commands; /* that answer it, by blanks */
	const char *options;  /* of perf record */
	bool all;             /* of the whole machine */
	enum cp_advice_id instead;
};

extern const struct cp_advice cp_advice[CP_ADVICE_COUNT];

/*
 * Returns the i-th event of the options, n letters without terms and modifiers:
 * "cpu/mem-loads", "cpu-clock".  NULL: there are no more.
 */
const char *cp_advice_event(const struct cp_advice *, unsigned i, size_t *n);

#endif
