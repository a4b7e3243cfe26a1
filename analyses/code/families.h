/* SPDX-License-Identifier: MIT */
/*
 * analyses/code/families.h: which functions belong together: those of one
 * class, namespace, crate, package, module, or of one known role.
 */
#ifndef CP_ANALYSES_CODE_FAMILIES_H
#define CP_ANALYSES_CODE_FAMILIES_H

#include "analyses/common/code-groups.h"

enum { CP_FAMILIES = 2 };

/* The families of a function, the closest first; none of kernel functions. */
struct cp_families {
	struct cp_run *run;
	cp_string_id of[CP_FAMILIES];
	unsigned n;
};

struct cp_families cp_code_families(struct cp_run *, const struct cp_entity *);
/* The closest, else the object: "[libfoo.so]". */
cp_string_id cp_code_family(struct cp_run *, const struct cp_entity *);

#endif
