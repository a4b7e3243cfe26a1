/* SPDX-License-Identifier: MIT */
/*
 * readers/header/table.h: the table of features behind the data of a file.
 */
#ifndef CP_READERS_HEADER_TABLE_H
#define CP_READERS_HEADER_TABLE_H

#include "readers/header/section.h"

/* How many of n entries at that offset point into the file behind them? */
uint32_t cp_table_points(struct cp_input *, uint64_t at, uint32_t n, bool swap);
/*
 * Returns the offset of the table of n features, whose entries and features
 * follow each other, from `from` on, or 0.
 */
uint64_t cp_table_find(struct cp_input *, uint64_t from, uint32_t n, bool swap);
/*
 * Does one of the n entries contradict the others, which follow each other
 * without a gap?  Corrects it and returns its index, or n.  The features are
 * between the table's end and the file's size.
 */
uint32_t cp_table_mend(
    struct cp_file_span *, uint32_t n, uint64_t table_end, uint64_t size);

/*
 * Recorders write features one after the other.  Room between them is no
 * damage, and neither are bytes that two have, if each can be read.  But a
 * feature with bytes of others that leaves its own to none is not where the
 * table says.
 */
void cp_table_judge(struct cp_capture *, const struct cp_file_header *,
    uint64_t from, uint64_t end, const struct cp_file_span *over);

#endif
