/* SPDX-License-Identifier: MIT */
/* none: stands for the browser where there was no ncursesw to build it with. */
#include "browse/browse.h"

const char *
cp_browse_lacks(void)
{
	return "this coldperf was built without ncursesw";
}

const char *
cp_browse(const struct cp_browse *in, struct cp_buf *said)
{
	(void)in;
	(void)said;
	return cp_browse_lacks();
}
