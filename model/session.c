/* SPDX-License-Identifier: MIT */
/*
 * Begin and end of a session.  Thread 0, the idle one, always exists.
 */
#include "model/session.h"

#include "base/limits.h"

void
cp_session_init(struct cp_session *s, struct cp_recording *rec,
    struct cp_quality *quality, struct cp_diags *diags)
{
	*s = (struct cp_session){
		.rec = rec,
		.quality = quality,
		.diags = diags,
		.period_room = CP_MAX_WEIGHTS,
	};
	cp_chains_init(&s->chains);
	cp_stacks_init(&s->stacks);
	s->max_counters = CP_MAX_IDS;
	s->jit_due = UINT64_MAX;
	s->kernel = cp_aspace_new();
	s->no_process = cp_aspace_new();
	s->no_process->generation = ++s->generations;
	quality->first_time = quality->last_time = CP_NO_TIME;
	(void)cp_session_thread(s, 0, 0);
}

void
cp_session_over(struct cp_session *s)
{
	free(s->unwound);
	s->unwound = NULL;
}

void
cp_session_resolved(struct cp_session *s)
{
	cp_chains_free(&s->chains);
	cp_map64_free(&s->callers);
	cp_map64_free(&s->older);
}

void
cp_session_free(struct cp_session *s)
{
	cp_session_over(s);
	for (size_t i = 0; i < s->process.len; i++)
		cp_aspace_unref(s->process.data[i]->aspace);
	cp_aspace_unref(s->kernel);
	cp_aspace_unref(s->no_process);
	cp_strings_free(&s->strings);
	cp_dsos_free(&s->dsos);
	cp_session_resolved(s);
	cp_stacks_free(&s->stacks);
	cp_map64_free(&s->threads);
	cp_map64_free(&s->processes);
	cp_map64_free(&s->cgroups);
	cp_map64_free(&s->later_cgroups);
	cp_map64_free(&s->unnamed_cgroups);
	cp_map64_free(&s->build_ids);
	cp_map64_free(&s->module_ids);
	cp_vec_free(&s->frameless);
	cp_map64_free(&s->between);
	for (size_t i = 0; i < s->deferred.len; i++)
		free(s->deferred.data[i].event);
	cp_vec_free(&s->deferred);
	for (size_t i = 0; i < s->jits.len; i++) {
		cp_jit_free(s->jits.data[i]);
		free(s->jits.data[i]);
	}
	cp_vec_free(&s->jits);
	for (size_t i = 0; i < s->guests.len; i++)
		cp_aspace_unref(s->guests.data[i].kernel);
	cp_vec_free(&s->guests);
	cp_session_stitch_free(s);
	cp_vec_free(&s->jit_users);
	cp_map64_free(&s->counter_ids);
	cp_map64_free(&s->counters);
	cp_vec_free(&s->counter);
	cp_vec_free(&s->thread);
	cp_vec_free(&s->process);
	cp_arena_free(&s->arena);
}
