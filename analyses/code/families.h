/* SPDX-License-Identifier: MIT */
/*
 * analyses/code/families.h: which functions belong together: those of one
 * class, namespace, crate, package, module, or of one known role.
 */
#ifndef CP_ANALYSES_CODE_FAMILIES_H
#define CP_ANALYSES_CODE_FAMILIES_H

#include "analyses/common/code-groups.h"
#include "analyses/common/call-paths.h"

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

/* ranges.c: addresses without a name, grouped into ranges.  Code without
 * symbols and without bounds is a list of addresses.  Those that are
 * neighbours, or are called from the same place, are a part of one function.
 * Ranges with little weight are left to the row of their object. */

/*
 * Makes ranges of the paths' code entities of their own.  Call it after
 * cp_entities_init() and before the first frame.  The rows tell the weight;
 * share: of a row in its event, or NULL if all are of one.
 */
void cp_ranges_find(struct cp_entities *, const struct cp_paths *,
    const struct cp_tally_row *, size_t n, const double *share);

#endif
