/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-format.h: texts that libtraceevent can parse. */
#ifndef CP_READERS_REWRITE_REPAIR_FORMAT_H
#define CP_READERS_REWRITE_REPAIR_FORMAT_H

#include "base/bytes.h"
#include "model/tracepoint.h"

/* Does the print format close what it opens, and name fields that exist? */
bool cp_repair_print_sound(const struct cp_tp_event *);
/* Does the layout of a page, in tracing data, have lines of fields alone? */
bool cp_repair_page_sound(struct cp_bytes tracing);

#endif
