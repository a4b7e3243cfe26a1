/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/sites.h: blocked time of what matters, by program and place.
 */
#ifndef CP_ANALYSES_CAUSES_SITES_H
#define CP_ANALYSES_CAUSES_SITES_H

#include "analyses/causes/meanwhile.h"
#include "analyses/causes/places.h"
#include "analyses/causes/programs.h"
#include "analyses/waits/wait-class.h"

/* What a wait says of the thread that waits. */
enum cp_site_kind {
	CP_SITE_NOTHING, /* it is stopped, or ends, or is the kernel's */
	CP_SITE_LOCK,    /* somebody has what it wants */
	CP_SITE_DISK,
	CP_SITE_FAULT, /* a page, or memory */
	CP_SITE_FULL,  /* the reader of its pipe or socket is slow */
	CP_SITE_CHILD,
	CP_SITE_SLEEP,
	/*
	 * Somebody is to give it work, or an answer, or what it wants: idle,
	 * unless that one was busy with it.
	 */
	CP_SITE_AWAIT
};

struct cp_site {
	enum cp_site_kind kind;
	cp_string_id class, comm; /* comm: of the program */
	struct cp_where where;
	cp_stack_id stack; /* of its longest row */
	uint64_t row_ns;
	uint64_t n, ns, longest, longest_at;
	uint32_t threads;
	/*
	 * Stacks that end in a library are one place as far as they tell.  Its
	 * parts are by what the threads are there for: they have its number.
	 */
	uint32_t whole;
	uint32_t pid;       /* of one of its threads */
	bool cut;           /* its stacks end in a library */
	uint64_t life, ran; /* of these threads */
	uint64_t life_most; /* of one */
	struct cp_quantiles took;
	/* Of ns, by who ended it. */
	uint64_t interrupt; /* no thread, or none that is known */
	uint64_t timer;     /* of it: the stack of the wakeup has a timer */
	uint64_t peers;     /* one that waits here, too */
	uint64_t kin;       /* of it: one that may be there for the same */
	uint64_t same;      /* while that waited here, too */
	uint64_t busy;      /* one that had been at work meanwhile */
	uint64_t asleep;    /* one that had waited for the network meanwhile */
	uint64_t meanwhile[CP_SPAN_KINDS]; /* of others than interrupts */
	/* The one that ended most of it. */
	uint32_t by; /* a task; CP_NO_ID */
	uint64_t by_ns;
	struct cp_ended most; /* of that one */
};

struct cp_sites {
	struct cp_run *run;
	const struct cp_waits *waits;
	const struct cp_meanwhile *meanwhile;
	const struct cp_programs *programs;
	struct cp_waitclasses *classes;
	struct cp_index keys;
	struct cp_site *all;
	uint32_t n, cap;
	uint32_t (*of_row)[2];   /* number + 1; 0: none; of it and its part */
	bool *matters;           /* by task */
	cp_string_id *home;      /* by task: its outermost function; 0 */
	struct cp_index members; /* (site, task) */
	struct cp_site_member {
		uint64_t ns, longest;
	} * member;
	uint32_t member_cap;
};

/* After all spans; the stacks of the waits must have been named. */
void cp_sites_make(struct cp_sites *);
/* What a wait of that class says of the thread. */
enum cp_site_kind cp_sites_kind(
    struct cp_sites *, cp_string_id class, const struct cp_wait_place *);
/* What the lock is that threads wait for there: "a file lock". */
const char *cp_site_lock(const struct cp_sites *, const struct cp_site *);
/* Does the task wait at the whole site about as others do? */
bool cp_sites_peer(const struct cp_sites *, uint32_t site, uint32_t task);
/* Returns the name of the program that a task belongs to. */
cp_string_id cp_sites_program(const struct cp_sites *, uint32_t task);
/* Returns how long it was seen in any state, unknown ones, too. */
uint64_t cp_sites_life(const struct cp_wait_task *);

#endif
