/* SPDX-License-Identifier: MIT */
/*
 * readers/redact/addresses.h: addresses of no code, which become one constant.
 *
 * Call chains that were followed by frame pointers hold words of the stack, of
 * any content, as callers.
 */
#ifndef CP_READERS_REDACT_ADDRESSES_H
#define CP_READERS_REDACT_ADDRESSES_H

#include "base/redact/code.h"
#include "readers/redact/state.h"

/* Takes what a record tells of the code of processes. */
void cp_redact_code_learn(struct cp_redact_code *, const struct cp_event *);
/* In a copy of a sample's bytes, and in the sample. */
void cp_redact_addresses(struct cp_redaction *, const struct cp_evsel_info *,
    struct cp_event *, uint8_t *copy);
/* In the chain of a record that has the user part of another's. */
void cp_redact_deferred(struct cp_redaction *, struct cp_event *);

#endif
