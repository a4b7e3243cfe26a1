/* SPDX-License-Identifier: MIT */
/* analyses/annotate/sources.h: texts and places of source lines. */
#ifndef CP_ANALYSES_ANNOTATE_SOURCES_H
#define CP_ANALYSES_ANNOTATE_SOURCES_H

#include "analyses/annotate/shares.h"

struct cp_line_text {
	char text[400];
};
/* Returns the text to show for the line; "" if the file is not available. */
const char *cp_annotate_line(struct cp_annotate *, uint32_t dso,
    const struct cp_spot *, struct cp_line_text *);
/*
 * Returns "a.c:12", with the function if it is inlined; "" if the line is not
 * known.
 */
const char *cp_annotate_place(const struct cp_annotate *,
    const struct cp_instruction *, struct cp_line_text *);
enum { CP_LONGEST_NAME = 40 };
struct cp_short_name {
	char text[CP_LONGEST_NAME + sizeof("...")];
};
/*
 * Returns the short name of a function: without scopes and template arguments;
 * with an ellipsis if it is longer than that; "?" if there is no name.
 */
const char *cp_annotate_name(
    struct cp_run *, const struct cp_symbol *, struct cp_short_name *);
/* Shows the table of files. */
void cp_annotate_files(const struct cp_annotate *, struct cp_report *);

#endif
