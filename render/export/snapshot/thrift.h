/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/thrift.h: writes Thrift's compact protocol, which the
 * headers of Parquet files are in.
 *
 * Fields of a struct come in the order of their ids.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_THRIFT_H
#define CP_RENDER_EXPORT_SNAPSHOT_THRIFT_H

#include "base/buf.h"

enum cp_thrift_type {
	CP_THRIFT_I32 = 5,
	CP_THRIFT_I64 = 6,
	CP_THRIFT_BINARY = 8,
	CP_THRIFT_LIST = 9,
	CP_THRIFT_STRUCT = 12,
};

struct cp_thrift {
	struct cp_buf *to;
	unsigned depth;
	int last[8]; /* by depth: the id of the field before */
};

void cp_thrift_i32(struct cp_thrift *, int id, int64_t);
void cp_thrift_i64(struct cp_thrift *, int id, int64_t);
void cp_thrift_text(struct cp_thrift *, int id, const char *);
/* A struct as a field. */
void cp_thrift_begin(struct cp_thrift *, int id);
/* A list of n elements follows: cp_thrift_item... */
void cp_thrift_list(struct cp_thrift *, int id, enum cp_thrift_type, size_t n);
void cp_thrift_item_i32(struct cp_thrift *, int64_t);
void cp_thrift_item_text(struct cp_thrift *, const char *);
/* A struct as an element, or the outermost one. */
void cp_thrift_item_begin(struct cp_thrift *);
void cp_thrift_end(struct cp_thrift *);

#endif
