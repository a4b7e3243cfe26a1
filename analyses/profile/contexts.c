/* SPDX-License-Identifier: MIT */
#include "analyses/profile/contexts.h"

#include <inttypes.h>
#include <stdio.h>

void
cp_contexts_init(struct cp_contexts *c, struct cp_run *run)
{
	cp_index_init(&c->all, run);
}

uint32_t
cp_contexts_row(struct cp_contexts *c, const struct cp_sample *s)
{
	if (s->cgroup == 0 && s->unwound == CP_UNWIND_NONE)
		return 0;
	return cp_index_put(&c->all, s->cgroup,
		   (uint64_t)s->unwound << 32 | s->unwound_dso) +
	       1;
}

/* The number stands for a control group of which no record has the path. */
static const char *
cgroup_text(struct cp_run *run, uint64_t id)
{
	const char *path = id != 0 ? cp_run_cgroup(run, id) : NULL;
	char *number;

	if (path != NULL || id == 0)
		return path;
	number = cp_run_alloc(run, 24);
	snprintf(number, 24, "%" PRIu64, id);
	return number;
}

void
cp_contexts_show(const struct cp_contexts *c, struct cp_code_rows *code)
{
	for (uint32_t i = 0; i < c->all.n; i++) {
		const struct cp_pair *p = &c->all.all[i];
		struct cp_profile_context row = {
			.cgroup = cgroup_text(code->run, p->a),
			.unwound = (uint8_t)(p->b >> 32),
			.object = cp_code_object(code, (uint32_t)p->b),
		};

		cp_profile_context(code->profile, &row);
	}
}
