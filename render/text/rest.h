/* SPDX-License-Identifier: MIT */
/* render/text/rest.h: the rows that a table does not show. */
#ifndef CP_RENDER_TEXT_REST_H
#define CP_RENDER_TEXT_REST_H

#include "render/common/out.h"
#include "report/value.h"

/* Returns the table with the rows that text shows; it shares them. */
struct cp_table cp_text_brief(const struct cp_table *);
/* Writes "… and 12 more (3.45%)" for the rows that were left out. */
void cp_text_rest(struct cp_out *, const struct cp_table *);

#endif
