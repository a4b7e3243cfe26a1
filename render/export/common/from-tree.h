/* SPDX-License-Identifier: MIT */
/* render/export/common/from-tree.h: a tree as a profile without addresses. */
#ifndef CP_RENDER_EXPORT_COMMON_FROM_TREE_H
#define CP_RENDER_EXPORT_COMMON_FROM_TREE_H

#include "render/export/common/rows.h"

/* Fills `made', `profile' and the rows. */
void cp_export_of_tree(struct cp_export *, const struct cp_section *);

#endif
