/* SPDX-License-Identifier: MIT */
/* render/export/perfetto-packet.h: a packet of a trace being made. */
#ifndef CP_RENDER_EXPORT_PERFETTO_PACKET_H
#define CP_RENDER_EXPORT_PERFETTO_PACKET_H

#include "render/export/perfetto-format.h"
#include "render/export/common/proto.h"
#include "report/profile.h"

struct cp_perfetto {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_buf packet, field, part, list;
	/* time of the trace's start, for events without a time */
	uint64_t start;
	uint32_t sequence;
};

/* Writes the packet being made, with the sequence and the time. */
void cp_perfetto_put(struct cp_perfetto *, uint64_t time);

#endif
