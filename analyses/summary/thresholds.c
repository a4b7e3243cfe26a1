/* SPDX-License-Identifier: MIT */
#include "analyses/summary/thresholds.h"

static const double values[] = {
#define THRESHOLD(name, value, reason) value,
#include "analyses/summary/thresholds.def"
#undef THRESHOLD
};

double
cp_threshold(enum cp_threshold t)
{
	return values[t];
}
