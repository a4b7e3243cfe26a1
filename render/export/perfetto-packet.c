/* SPDX-License-Identifier: MIT */
#include "render/export/perfetto-packet.h"

void
cp_perfetto_put(struct cp_perfetto *w, uint64_t time)
{
	cp_proto_u64(&w->packet, PF_PACKET_TIMESTAMP, time);
	cp_proto_u64(&w->packet, PF_PACKET_SEQUENCE, w->sequence);
	cp_proto_out(w->out, PF_TRACE_PACKET, &w->packet);
}
