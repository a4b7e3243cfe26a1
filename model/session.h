/* SPDX-License-Identifier: MIT */
/*
 * model/session.h: threads, address spaces, objects and stacks as they were
 * at the time of the current event.
 *
 * This room turns events into samples, with perf's terms.  It may use base
 * only.  Begin in apply.c, which changes the session one event after the other;
 * session-state.h has its types and its parts.
 */
#ifndef CP_MODEL_SESSION_H
#define CP_MODEL_SESSION_H

#include "model/session-state.h"
#include "model/thread.h"

void cp_session_init(struct cp_session *, struct cp_recording *,
    struct cp_quality *, struct cp_diags *);
/* Call after the last event: frees what only events need. */
void cp_session_over(struct cp_session *);
/* Frees the recorded chains, whose stacks are known. */
void cp_session_resolved(struct cp_session *);
void cp_session_free(struct cp_session *);

#endif
