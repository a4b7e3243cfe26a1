/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/proto.h: the wire format of protocol buffers.
 *
 * A message is a buffer to which fields are added; a message within another is
 * made first, then added as bytes.  cp_proto_u64() leaves out a number of 0, as
 * proto3 does.
 *
 * This room has what the formats of other tools share.  They read a report's
 * profile, or the profile that samples.h makes of a tree.  Begin in samples.h.
 */
#ifndef CP_RENDER_EXPORT_COMMON_PROTO_H
#define CP_RENDER_EXPORT_COMMON_PROTO_H

#include "base/buf.h"
#include "render/common/out.h"

void cp_proto_varint(struct cp_buf *, uint64_t);
void cp_proto_u64(struct cp_buf *, unsigned field, uint64_t);
/* Adds a number even if it is 0: for fields of a oneof, and of proto2. */
void cp_proto_always(struct cp_buf *, unsigned field, uint64_t);
void cp_proto_bytes(struct cp_buf *, unsigned field, const void *, size_t);
/* Adds a text of the capture, escaped and as valid UTF-8. */
void cp_proto_text(struct cp_buf *, unsigned field, const char *);
/* Adds the message (or packed numbers), and empties it. */
void cp_proto_take(struct cp_buf *, unsigned field, struct cp_buf *message);
/* Writes the message as a field of the file's, and empties it. */
void cp_proto_out(struct cp_out *, unsigned field, struct cp_buf *message);

#endif
