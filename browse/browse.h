/* SPDX-License-Identifier: MIT */
/* browse/browse.h: walks through a report and its samples in a terminal. */
#ifndef CP_BROWSE_BROWSE_H
#define CP_BROWSE_BROWSE_H

#include "base/buf.h"
#include "report/report.h"

/* An option that selects samples. */
struct cp_browse_word {
	const char *name, *value;
};

struct cp_browse {
	const struct cp_report *report; /* finished; its profile has samples */
	const char *const *captures;    /* for the commands that are shown */
	size_t capture_count;
	/*
	 * For the same: the i-th option by which they were read, and its value
	 * or NULL; NULL: there are no more.
	 */
	const char *(*word)(void *ctx, size_t i, const char **value);
	/*
	 * Writes what an analysis has for so many columns, of the samples that
	 * n options select; nothing: it has nothing.  NULL: the messages.
	 */
	void (*text)(void *ctx, const char *analysis,
	    const struct cp_browse_word *, size_t n, unsigned columns,
	    struct cp_buf *);
	void *ctx;
};

/* Why there can be no browser, in words, before captures are read; or NULL. */
const char *cp_browse_lacks(void);
/*
 * Returns when the user leaves, or why there was no terminal.  `said' gets the
 * commands and the views that the user wanted to keep.
 */
const char *cp_browse(const struct cp_browse *, struct cp_buf *said);

#endif
