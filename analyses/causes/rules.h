/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/rules.h: what the rules of this room share.
 */
#ifndef CP_ANALYSES_CAUSES_RULES_H
#define CP_ANALYSES_CAUSES_RULES_H

#include "analyses/accounts/accounts.h"
#include "analyses/causes/mix.h"
#include "analyses/causes/on-cpu.h"
#include "analyses/causes/sites.h"
#include "analyses/tasks/task-groups.h"

struct cp_causes {
	struct cp_run *run;
	struct cp_accounts *accounts; /* set when causes are sought */
	struct cp_waitwatch watch;
	struct cp_waitclasses classes;
	struct cp_meanwhile meanwhile;
	struct cp_programs programs;
	struct cp_oncpu_causes *cpu;
	struct cp_mix mix;
	struct cp_sites sites;
	struct cp_task_groups groups;
	struct cp_oncpu_life life;
	bool live;        /* life is known, and no cause */
	uint32_t off_cpu; /* accounts that were made before those of samples */
};

/* What a thread at the place did: "slept". */
const char *cp_cause_class(struct cp_causes *, cp_stack_id);

/* Adds what the thread did that ended a wait. */
void cp_cause_meanwhile(
    struct cp_causes *, struct cp_account *, const struct cp_ended *);

/* Adds the table of what threads competed for, where switches are known. */
void cp_causes_resources(struct cp_causes *, bool all_cpus, struct cp_report *);
/* Returns the control group where a program was held back; 0: not known. */
cp_string_id cp_causes_group_of(struct cp_causes *, cp_string_id program);
/* Does a thread wait there to be moved to another CPU? */
bool cp_site_moved(const struct cp_causes *, const struct cp_site *);
/* The rules over sites: adds what each explains. */
void cp_causes_blocked(struct cp_causes *);
/* The same of time that programs were ready and had no CPU; false: none. */
bool cp_causes_queued(struct cp_causes *);

#endif
