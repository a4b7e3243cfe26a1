/* SPDX-License-Identifier: MIT */
/*
 * render/svg/groups.h: frames of one hue: those of a kind, of an object or of
 * a language.
 *
 * Groups below CP_PALETTE_KINDS are kinds.  Those from there on are languages,
 * or objects: the ones that have most of the picture's own weight.  Where
 * objects have the hues, frames of the others are of CP_KIND_UNKNOWN; frames of
 * no known language are of their kind.
 */
#ifndef CP_RENDER_SVG_GROUPS_H
#define CP_RENDER_SVG_GROUPS_H

#include "render/svg/flame-layout.h"
#include "render/svg/palette.h"

#define CP_SVG_GROUPS (CP_PALETTE_KINDS + CP_PALETTE_OBJECTS)

struct cp_svg_groups {
	enum cp_hues by;
	const char *object[CP_PALETTE_OBJECTS]; /* by hue; NULL: none */
};

void cp_svg_groups_init(
    struct cp_svg_groups *, const struct cp_flame *, const char *palette);
size_t cp_svg_group(const struct cp_svg_groups *, const struct cp_tree_node *);
/* Writes the legend's text of a group. */
void cp_svg_group_label(
    const struct cp_svg_groups *, size_t group, struct cp_buf *);

#endif
