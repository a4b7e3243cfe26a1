/* SPDX-License-Identifier: MIT */
/*
 * render/common/tree-value.h: what is said of a node of a tree besides its
 * weights: its value, and how much of it was guessed.
 */
#ifndef CP_RENDER_COMMON_TREE_VALUE_H
#define CP_RENDER_COMMON_TREE_VALUE_H

#include "base/buf.h"
#include "report/report.h"

/* What the value of a tree's node is called; false: not known. */
bool cp_node_value(const struct cp_tree *, const struct cp_tree_node *,
    char *text, size_t size);
/*
 * How much of a node was guessed, and how: "guessed: frame pointer"; false:
 * nothing.
 */
bool cp_node_guess(struct cp_buf *, const struct cp_tree *, uint32_t node);
/* Most of it: pictures mark such nodes. */
bool cp_node_guessed(const struct cp_tree *, uint32_t node);

#endif
