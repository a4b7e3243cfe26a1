/* SPDX-License-Identifier: MIT */
#include "render/common/left.h"

void
cp_left_add(struct cp_left *left, const struct cp_section *s)
{
	*cp_vec_push(&left->sections) = s;
}

void
cp_left_free(struct cp_left *left)
{
	cp_vec_free(&left->sections);
}
