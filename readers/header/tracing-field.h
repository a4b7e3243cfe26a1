/* SPDX-License-Identifier: MIT */
/*
 * readers/header/tracing-field.h: the lines of a tracepoint's format file.
 */
#ifndef CP_READERS_HEADER_TRACING_FIELD_H
#define CP_READERS_HEADER_TRACING_FIELD_H

#include "model/tracepoint.h"

bool cp_tracing_prefix(const char *s, const char *prefix);
/* Ends the text before its trailing blanks. */
void cp_tracing_trim(char *start, char *end);
/* Reads the digits after key in s; false if there are none. */
bool cp_tracing_number(const char *s, const char *key, uint64_t *out);
/* Cuts the line in place; false if it is no field. */
bool cp_tracing_field(char *decl, struct cp_tp_field *f);

#endif
