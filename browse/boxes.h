/* SPDX-License-Identifier: MIT */
/* browse/boxes.h: a flame graph in columns of text. */
#ifndef CP_BROWSE_BOXES_H
#define CP_BROWSE_BOXES_H

#include "browse/model.h"

struct cp_browse_box {
	uint32_t node;
	uint32_t depth; /* below the node that fills the width */
	uint32_t x, columns;
};

typedef CP_VEC(struct cp_browse_box) cp_browse_boxes;

/*
 * Lays out what is below a node (0: all), which fills the columns.  Boxes
 * narrower than a column are left out.  They are sorted by depth, then x.
 */
void cp_browse_layout(cp_browse_boxes *, const struct cp_browse_model *,
    uint32_t node, uint32_t columns, uint32_t depth);

#endif
