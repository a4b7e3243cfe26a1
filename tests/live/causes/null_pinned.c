/* SPDX-License-Identifier: MIT */
/* Nothing planted: one thread, on a CPU that it chose. */
#include "planted.h"
int
main(void)
{
	pin(1);
	compute(RUN);
	return said();
}
