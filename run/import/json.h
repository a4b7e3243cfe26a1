/* SPDX-License-Identifier: MIT */
/*
 * run/import/json.h: JSON as a list of its values in their order, each with the
 * number of the one after it and what it contains.
 *
 * 8 bytes a value; nothing recurses.  Of a text that is cut or damaged what
 * comes before is kept, and what is open is closed there.
 */
#ifndef CP_RUN_IMPORT_JSON_H
#define CP_RUN_IMPORT_JSON_H

#include "run/import/build.h"

struct cp_json_value {
	uint32_t at;   /* offset of its first byte */
	uint32_t next; /* number of the value after it */
};

/* Arrays and objects in each other; profiles have six or seven. */
enum { CP_JSON_DEPTH = 64 };

struct cp_json {
	struct cp_text text;
	CP_VEC(struct cp_json_value) all; /* 0: the root */
	size_t bad;                       /* offset of the damage, or the end */
	bool whole;                       /* the root is closed */
	uint32_t open[CP_JSON_DEPTH];     /* what is not, the root first */
	size_t depth;
	struct cp_buf plain; /* the last text without escapes */
};

/* False: cut or damaged, or with more after the root, from `bad' on. */
bool cp_json_parse(struct cp_json *, struct cp_text);
void cp_json_free(struct cp_json *);
/* Returns the value of a member; 0: there is none. */
uint32_t cp_json_member(
    const struct cp_json *, uint32_t object, const char *name);
/* The same of a path, "shared/frameTable/func". */
uint32_t cp_json_path(const struct cp_json *, uint32_t, const char *path);
/* Steps through an array: the first (0: none), the next (0: the end). */
uint32_t cp_json_first(const struct cp_json *, uint32_t array);
uint32_t cp_json_after(const struct cp_json *, uint32_t array, uint32_t item);
bool cp_json_is_array(const struct cp_json *, uint32_t);
/* Does the text end, or is it damaged, inside that array or object? */
bool cp_json_is_cut(const struct cp_json *, uint32_t);
/* False: it is no number. */
bool cp_json_double(const struct cp_json *, uint32_t, double *);
bool cp_json_int(const struct cp_json *, uint32_t, int64_t *);
/* The text without escapes, valid until the next call; no text: "". */
struct cp_text cp_json_string(struct cp_json *, uint32_t);
/* All numbers of an array, malloc'ed; what is no number: `none'. */
double *cp_json_numbers(
    const struct cp_json *, uint32_t array, double none, size_t *n);

#endif
