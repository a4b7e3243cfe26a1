/* SPDX-License-Identifier: MIT */
/*
 * readers/record/decode-perf.h: the records that perf itself writes.
 */
#ifndef CP_READERS_RECORD_DECODE_PERF_H
#define CP_READERS_RECORD_DECODE_PERF_H

#include "model/event.h"
#include "readers/record/decoded.h"

enum cp_decoded cp_decode_perf(struct cp_bytes *, struct cp_event *);

#endif
