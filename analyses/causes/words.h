/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/words.h: a cause, and the parts of its sentence.
 */
#ifndef CP_ANALYSES_CAUSES_WORDS_H
#define CP_ANALYSES_CAUSES_WORDS_H

#include "analyses/causes/mix.h"
#include "analyses/causes/on-cpu.h"
#include "analyses/causes/sites.h"

/* What was found, and its sentence, as long as it gets. */
struct cp_cause {
	uint64_t ns; /* that it explains */
	const char *about;
	const char *who, *where; /* program, and its function; or "" */
	const char *by;          /* whom it waited for, who had the CPU */
	double share, lo, hi;    /* of `of'; lo > hi: no interval */
	const char *of;          /* what ns is a share of */
	/* The longest wait began, or something changed; CP_NO_TIME. */
	uint64_t when;
	const char *command; /* that shows more */
	char text[900];
	size_t n;
};

struct cp_causes {
	struct cp_run *run;
	struct cp_waitwatch *watch;
	struct cp_account account;
	struct cp_programs programs;
	struct cp_oncpu_causes *cpu;
	struct cp_mix mix;
	struct cp_sites sites;
	struct cp_oncpu_life life;
	bool live;        /* life is known, and no cause */
	uint64_t elapsed; /* of the program that perf ran, or of the capture */
	struct cp_cause *all;
	uint32_t n, cap;
};

/* Adds a cause, whose sentence is empty. */
struct cp_cause *cp_cause_new(
    struct cp_causes *, const char *about, uint64_t ns);
void cp_cause_say(struct cp_cause *, const char *, ...) CP_PRINTF(2, 3);
/* "8 threads of convoy waited 14.1 s (88 % of their time) for a lock" */
void cp_cause_waited(struct cp_causes *, struct cp_cause *,
    const struct cp_site *, uint64_t ns, const char *what);
/* ", in update_table < worker (futex)" */
void cp_cause_where(struct cp_causes *, struct cp_cause *, struct cp_where);
/* ", 336 times, at most 64 ms" */
void cp_cause_number(struct cp_cause *, struct cp_site *);
/* What the one that ended waits did meanwhile, the most of it. */
void cp_cause_meanwhile(
    struct cp_causes *, struct cp_cause *, const struct cp_ended *);
const char *cp_cause_thread(struct cp_causes *, uint32_t task);
/* What a thread at the place did: "slept". */
const char *cp_cause_class(struct cp_causes *, cp_stack_id);

/* Adds the table of what threads competed for, where switches are known. */
void cp_causes_resources(struct cp_causes *, bool all_cpus, struct cp_report *);
/* Does a thread wait there to be moved to another CPU? */
bool cp_site_moved(const struct cp_causes *, const struct cp_site *);
/* The rules over sites: adds what each explains. */
void cp_causes_blocked(struct cp_causes *);
/* The same of time that programs were ready and had no CPU; false: none. */
bool cp_causes_queued(struct cp_causes *);

#endif
