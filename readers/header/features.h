/* SPDX-License-Identifier: MIT */
/* readers/header/features.h: reads header features into struct cp_info. */
#ifndef CP_READERS_HEADER_FEATURES_H
#define CP_READERS_HEADER_FEATURES_H

#include "base/bytes.h"
#include "base/diag.h"
#include "model/info.h"
#include <stdint.h>

/* Features that callers refer to; the table in features.c has all. */
enum {
	CP_FEATURE_TRACING_DATA = 1,
	CP_FEATURE_BUILD_ID = 2,
	CP_FEATURE_HOSTNAME = 3,
	CP_FEATURE_EVENT_DESC = 12,
	CP_FEATURE_DIR_FORMAT = 24,
	CP_FEATURE_SP_META_INFO = 129,
};

/*
 * Reads the payload of one feature.  Damage gives a diagnostic
 * (CP_D_BAD_FEATURE); what was read before it is kept.  An unknown feature
 * gives CP_D_UNKNOWN_FEATURE. Of TRACING_DATA only the size becomes a fact:
 * readers/header/tracing.c reads it.
 */
void cp_feature_read(
    struct cp_info *, uint32_t bit, struct cp_bytes payload, struct cp_diags *);

/* Returns the name in lower case with dashes, or NULL. */
const char *cp_feature_name(uint32_t bit);

/* workload.c:  */

/*
 * Returns the index of its first word; the number of words: there is none.
 * Sets scope to what the options choose (enum cp_scope).
 */
uint32_t cp_workload_of(const struct cp_strlist *line, uint8_t *scope);

#endif
