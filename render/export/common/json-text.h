/* SPDX-License-Identifier: MIT */
/* render/export/common/json-text.h: writes JSON piece by piece. */
#ifndef CP_RENDER_EXPORT_COMMON_JSON_TEXT_H
#define CP_RENDER_EXPORT_COMMON_JSON_TEXT_H

#include "render/common/out.h"

/* Writes `"key":'.  Keys are our own and need no escape. */
void cp_put_key(struct cp_out *, const char *key);
/* "key":"text" */
void cp_put_pair(struct cp_out *, const char *key, const char *text);
void cp_put_number(struct cp_out *, const char *key, uint64_t);

#endif
