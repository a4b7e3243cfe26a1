/* SPDX-License-Identifier: MIT */
/* render/export/perfetto-states.h: states of threads, and losses. */
#ifndef CP_RENDER_EXPORT_PERFETTO_STATES_H
#define CP_RENDER_EXPORT_PERFETTO_STATES_H

#include "render/export/perfetto-packet.h"

void cp_perfetto_put_states(struct cp_perfetto *);
void cp_perfetto_put_losses(struct cp_perfetto *);

#endif
