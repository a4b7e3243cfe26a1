/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/samples.h: the data of an export.
 *
 * An export has the report's profile, with samples added up by the keys that
 * the format has.  Without a profile, one is made of the report's first tree:
 * nodes become frames without addresses, and there are no threads or times.
 */
#ifndef CP_RENDER_EXPORT_COMMON_SAMPLES_H
#define CP_RENDER_EXPORT_COMMON_SAMPLES_H

#include "base/buf.h"
#include "render/common/left.h"
#include "render/export/common/rows.h"

/* Keys of rows, in addition to stack and event. */
enum {
	CP_EXPORT_THREADS = 1,
	CP_EXPORT_CPUS = 2,
	CP_EXPORT_TIMES = 4, /* a row is one sample */
	CP_EXPORT_GROUPS = 8,
};

/*
 * Takes a line "key=value" off the labels of a context, whose text goes into
 * the buffer; false: there is none.  NULL is no labels.
 */
bool cp_export_label(
    const char **labels, struct cp_buf *, const char **key, const char **value);

/* Notes which sections are left out.  False: nothing can be exported. */
bool cp_export_begin(struct cp_export *, const struct cp_report *,
    unsigned apart, struct cp_left *);
void cp_export_end(struct cp_export *);

/* from-tree.c: a tree as a profile without addresses. */

/* Fills `made', `profile' and the rows. */
void cp_export_of_tree(struct cp_export *, const struct cp_section *);

#endif
