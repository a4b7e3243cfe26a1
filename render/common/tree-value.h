/* SPDX-License-Identifier: MIT */
/*
 * render/common/tree-value.h: facts about a tree node besides its weights: its
 * value, and how much of it was guessed.
 */
#ifndef CP_RENDER_COMMON_TREE_VALUE_H
#define CP_RENDER_COMMON_TREE_VALUE_H

#include "base/buf.h"
#include "report/report.h"

/* Writes the value of a node; false: it has none. */
bool cp_node_value(const struct cp_tree *, const struct cp_tree_node *,
    char *text, size_t size);
/*
 * Writes how much of a node was guessed, and how: "guessed: frame pointer";
 * false: nothing was.
 */
bool cp_node_guess(struct cp_buf *, const struct cp_tree *, uint32_t node);
/* True if most of it was guessed: pictures mark such nodes. */
bool cp_node_guessed(const struct cp_tree *, uint32_t node);

#endif
