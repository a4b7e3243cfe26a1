/* SPDX-License-Identifier: MIT */
/*
 * readers/header/attr-agree.h: makes the events of a file agree on the place of
 * ids in records.
 */
#ifndef CP_READERS_HEADER_ATTR_AGREE_H
#define CP_READERS_HEADER_ATTR_AGREE_H

#include "base/diag.h"
#include "base/vec.h"
#include "model/evsel.h"

struct cp_placed_attr {
	struct cp_attr attr;
	uint64_t offset; /* in the file, for messages */
};

typedef CP_VEC(struct cp_placed_attr) cp_attrs;

/*
 * Gives an attr that disagrees with the majority the layout of one in the
 * majority.
 */
void cp_attrs_agree(cp_attrs *, struct cp_diags *);

#endif
