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
	size_t differs;   /* bytes that it has in common with one of them */
};

/* Finds the word of each that no other name has.  They are sorted by name. */
void cp_telling_find(struct cp_telling *, size_t len);
/* Writes the name with its word into that many columns. */
void cp_telling_put(struct cp_buf *, const struct cp_telling *, size_t room);
/* Writes its own name and the place where it differs, in their order. */
void cp_telling_put_place(
    struct cp_buf *, const struct cp_telling *, size_t room);
/* Writes the function's own name without the content of brackets. */
void cp_telling_put_base(struct cp_buf *, const char *full, size_t columns);
/* Does the form find the function, if it is typed? */
bool cp_telling_finds(const char *form, const char *full);

#endif
