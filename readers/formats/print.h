/* SPDX-License-Identifier: MIT */
/*
 * readers/formats/print.h: payloads as text, by the print format that the
 * capture has for each tracepoint, as perf script prints them.
 *
 * A format is compiled when its first sample is printed.  Where it cannot be,
 * or where it would read beyond the payload, fields are printed as name=value.
 */
#ifndef CP_READERS_FORMATS_PRINT_H
#define CP_READERS_FORMATS_PRINT_H

#include "readers/formats/view.h"

struct cp_print;

/* NULL: the event has no print format that can be evaluated. */
const struct cp_print *cp_print_compile(struct cp_arena *,
    const struct cp_tracepoints *, const struct cp_tp_event *);
/* Adds the text.  False, with nothing added: the payload is too short. */
bool cp_print_payload(
    const struct cp_print *, struct cp_payload_view *, struct cp_buf *);
/* Adds "name=value" of all fields but the common ones that lie inside. */
void cp_print_fields(const struct cp_tp_event *, const struct cp_payload_view *,
    struct cp_buf *);

#endif
