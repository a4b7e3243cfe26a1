/* SPDX-License-Identifier: MIT */
/*
 * capture/plan.h: the command line of perf that answers a question on this
 * host, and why it is that one.
 */
#ifndef CP_CAPTURE_PLAN_H
#define CP_CAPTURE_PLAN_H

#include "analyses/common/advice.h"
#include "base/buf.h"
#include "base/vec.h"
#include "capture/host.h"

/* What the user asks for. */
struct cp_capture_ask {
	enum cp_advice_id id;
	char *const *command; /* ends with NULL; NULL: none */
	const char *pids, *cgroup;
	bool all;
	bool attach;        /* the command is started by us, see record.h */
	unsigned ring;      /* seconds that a ring holds; 0: no ring */
	unsigned frequency; /* instead of the advice's; 0: that */
	bool plain;         /* without a call graph */
	const char *output; /* of perf */
};

struct cp_plan {
	struct cp_arena arena;
	enum cp_advice_id id;      /* that is recorded */
	CP_VEC(const char *) argv; /* of perf; ends with NULL */
	CP_VEC(const char *) why;  /* a line each */
	size_t pid_at;      /* argv's word for the process to attach to; 0 */
	unsigned frequency; /* 0: each event is counted */
	bool graph;         /* with a call graph */
	bool switches;      /* of threads, each */
};

/* Returns NULL, or why nothing can be recorded and what to ask for. */
const char *cp_plan_make(
    struct cp_plan *, const struct cp_host *, const struct cp_capture_ask *);
/* Writes words so that a shell reads them as they are. */
void cp_plan_print(struct cp_buf *, const char *const *words, size_t n);
void cp_plan_free(struct cp_plan *);

#endif
