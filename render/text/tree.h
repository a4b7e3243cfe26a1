/* SPDX-License-Identifier: MIT */
/* render/text/tree.h: a call tree as indented lines. */
#ifndef CP_RENDER_TEXT_TREE_H
#define CP_RENDER_TEXT_TREE_H

#include "render/render.h"

void cp_text_tree(
    const struct cp_render_options *, struct cp_out *, const struct cp_tree *);

#endif
