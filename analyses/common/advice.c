/* SPDX-License-Identifier: MIT */
#include "analyses/common/advice.h"

#include <stddef.h>

const struct cp_advice cp_advice[CP_ADVICE_COUNT] = {
#define ADVICE(id, question, commands, options, all, instead)                  \
	{ #id, question, commands, options, all, CP_ADVICE_##instead },
#include "analyses/common/advice.def"
#undef ADVICE
};
