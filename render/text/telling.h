/* SPDX-License-Identifier: MIT */
/*
 * render/text/telling.h: names that look equal when they are cut, and are not,
 * are shown with a word of their arguments: map<…Order>::at.
 */
#ifndef CP_RENDER_TEXT_TELLING_H
#define CP_RENDER_TEXT_TELLING_H

#include "base/buf.h"

struct cp_telling {
	const char *full; /* the caller's */
	size_t at, n;     /* of the word in it; n 0: none tells it */
};

/* Finds the word of each that no other name has.  They are sorted by name. */
void cp_telling_find(struct cp_telling *, size_t len);
/* Writes the name with its word into that many columns. */
void cp_telling_put(struct cp_buf *, const struct cp_telling *, size_t room);

#endif
