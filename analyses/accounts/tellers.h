/* SPDX-License-Identifier: MIT */
/*
 * analyses/accounts/tellers.h: analyses that give the overview accounts of
 * events that need no time on a CPU, where such were recorded.
 */
#ifndef CP_ANALYSES_ACCOUNTS_TELLERS_H
#define CP_ANALYSES_ACCOUNTS_TELLERS_H

#include "analyses/accounts/accounts.h"
#include "analyses/common/advice.h"
#include "analyses/common/tracepoint-fields.h"

struct cp_teller {
	const char *command;
	const char *what;              /* "system calls" */
	enum cp_advice_id record;      /* what records them */
	const struct cp_probe *probes; /* its events; NULL: see recorded */
	bool (*recorded)(const struct cp_run *);
	/* Whether it tells of an event, besides its probes; or NULL. */
	bool (*knows)(void *state, const char *event);
	bool all;    /* wants samples that the filters leave out, too */
	size_t size; /* of its state, which begins as zeroes */
	/* As of an analysis; one that fails tells nothing. */
	int (*begin)(struct cp_run *, void *state);
	int (*sample)(struct cp_run *, void *state, const struct cp_sample *);
	/* or NULL */
	int (*event)(struct cp_run *, void *state, const struct cp_sideband *);
	void (*tell)(void *state, struct cp_accounts *);
};

extern const struct cp_teller cp_syscalls_teller, cp_locks_teller,
    cp_blockio_teller, cp_mem_teller, cp_pairs_teller;

/* Whether events of the table were recorded, each of them. */
bool cp_teller_recorded(const struct cp_run *, const struct cp_probe *);

#endif
