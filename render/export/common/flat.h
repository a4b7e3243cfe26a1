/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/flat.h: one sample as a row without references to
 * others.
 */
#ifndef CP_RENDER_EXPORT_COMMON_FLAT_H
#define CP_RENDER_EXPORT_COMMON_FLAT_H

#include "report/profile.h"

struct cp_flat {
	uint64_t time;     /* CP_NO_TIME */
	uint32_t pid, tid; /* CP_NO_ID */
	uint32_t cpu;      /* the same */
	const char *comm;  /* NULL: not known */
	const char *event;
	const char *unit;
	uint64_t weight;
	const char *level;
	const char *symbol; /* of the innermost function; NULL: no name */
	const char *object; /* NULL: in no mapping */
	uint64_t addr;      /* as of cp_profile_frame */
	uint32_t stack;
};

struct cp_flat cp_flat_at(const struct cp_profile *, size_t sample);
/* "user", "kernel" ...; NULL: not known. */
const char *cp_level_name(uint8_t level);

/* The functions of a stack, the innermost first. */
struct cp_stack_names {
	CP_VEC(const char *) at;
	struct cp_arena arena;
	CP_VEC(const char *) unnamed; /* by object: "[libc.so.6]" */
};

/*
 * Finds the names.  The same function always gives a text at the same address.
 */
void cp_stack_names_of(
    struct cp_stack_names *, const struct cp_profile *, uint32_t stack);
void cp_stack_names_free(struct cp_stack_names *);

#endif
