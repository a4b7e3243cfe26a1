/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/guessed.h: the guessed frames of paths, as paths of their own:
 * there are few, and marks are spread over these alone.
 */
#ifndef CP_ANALYSES_FLAME_GUESSED_H
#define CP_ANALYSES_FLAME_GUESSED_H

#include "analyses/common/call-paths.h"

/*
 * Makes the paths of p that have the guessed nodes only.  Returns the number
 * that each of them has in merged.
 */
uint32_t *cp_guessed_paths(struct cp_paths *guessed, const struct cp_paths *p,
    const struct cp_paths *merged);

#endif
