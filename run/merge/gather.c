/* SPDX-License-Identifier: MIT */
#include "run/merge/gather.h"

#include "base/limits.h"

static int
gather_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_gather *g = ((struct cp_gather_state *)state)->to;

	(void)run;
	if (g->all.len >= CP_MAX_GATHERED) {
		g->left_out++;
		return CP_OK;
	}
	*cp_vec_push(&g->all) = (struct cp_gathered){
		.time = s->time,
		.weight = s->weight,
		.cgroup = s->cgroup,
		.stack = s->stack,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.evsel = s->evsel,
		.comm = s->comm,
		.unwound_dso = s->unwound_dso,
		.level = s->level,
		.unwound = s->unwound,
	};
	return CP_OK;
}

const struct cp_analysis cp_gather_analysis = {
	.abi = CP_ABI,
	.name = "gather",
	.summary = "samples that wait for their names",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES,
	.state_size = sizeof(struct cp_gather_state),
	.sample = gather_sample,
	/* One of several captures: a filter may fit nothing in it. */
	.captures = UINT32_MAX,
};
