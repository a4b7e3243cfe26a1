/* SPDX-License-Identifier: MIT */
/*
 * base/parquet/thrift.h: reads Thrift's compact protocol, as far as Parquet
 * files of snapshots need it.
 *
 * The caller enters structs, so that the depth of calls does not depend on the
 * input.  An unknown struct is a failure.
 */
#ifndef CP_BASE_PARQUET_THRIFT_H
#define CP_BASE_PARQUET_THRIFT_H

#include "base/bytes.h"

enum {
	CP_THRIFT_IN_I32 = 5,
	CP_THRIFT_IN_I64 = 6,
	CP_THRIFT_IN_BINARY = 8,
	CP_THRIFT_IN_LIST = 9,
	CP_THRIFT_IN_STRUCT = 12,
};

struct cp_thrift_field {
	int id, type; /* begin with id 0 in each struct */
};

/* Reads the head of the next field; false at the struct's end. */
bool cp_thrift_next(struct cp_bytes *, struct cp_thrift_field *);
/* The value of a field of that type; a field of another type fails. */
int64_t cp_thrift_number(struct cp_bytes *, const struct cp_thrift_field *);
const uint8_t *cp_thrift_bytes(
    struct cp_bytes *, const struct cp_thrift_field *, size_t *n);
/* Returns the number of elements, which are of that type. */
size_t cp_thrift_elements(
    struct cp_bytes *, const struct cp_thrift_field *, int type);
/* True if a struct begins here. */
bool cp_thrift_enter(struct cp_bytes *, const struct cp_thrift_field *);
/* Steps over a number, a text or a list of them. */
void cp_thrift_skip(struct cp_bytes *, const struct cp_thrift_field *);
uint64_t cp_thrift_varint(struct cp_bytes *);
int64_t cp_thrift_zigzag(struct cp_bytes *);

#endif
