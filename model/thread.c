/* SPDX-License-Identifier: MIT */
/*
 * thread: processes and threads through COMM, FORK and exec.
 *
 * A tid names a thread until a FORK renews it.  EXIT does not forget it at
 * once: its last samples come after that record.  exec drops the old image's
 * mappings once the new image has run (perf keeps them for ever and names
 * new addresses by them).
 */
#include "model/thread.h"

#include "base/limits.h"

/* Drops the mappings: later look-ups find none. */
static void
process_drop(struct cp_session *s, struct cp_process *p)
{
	cp_aspace_unref(p->aspace);
	p->aspace = cp_aspace_ref(s->no_process);
}

static struct cp_process *
process_new(struct cp_session *s, uint32_t pid, struct cp_aspace *aspace)
{
	struct cp_process *p = cp_arena_alloc(&s->arena, sizeof(*p));
	uint32_t old = cp_map64_get(&s->processes, pid);

	if (old != 0)
		process_drop(s, s->process.data[old - 1]);
	p->pid = pid;
	p->aspace = aspace;
	if (aspace->generation == 0)
		aspace->generation = ++s->generations;
	*cp_vec_push(&s->process) = p;
	*cp_map64_put(&s->processes, pid) = (uint32_t)s->process.len;
	return p;
}

static struct cp_process *
process_get(struct cp_session *s, uint32_t pid)
{
	uint32_t i;

	if (pid == CP_NO_ID)
		return NULL;
	i = cp_map64_get(&s->processes, pid);
	if (i != 0)
		return s->process.data[i - 1];
	return process_new(s, pid, cp_aspace_new());
}

/* Assigns the thread to the process of its pid. */
static void
thread_join(struct cp_session *s, struct cp_thread *t, uint32_t pid)
{
	if (t->process != NULL && !t->exited)
		t->process->threads--;
	t->pid = pid;
	t->exited = false;
	t->process = process_get(s, pid);
	if (t->process != NULL)
		t->process->threads++;
}

static cp_string_id
first_comm(struct cp_session *s, uint32_t tid)
{
	char name[16];

	if (tid == 0)
		return cp_strings_add(&s->strings, "swapper");
	snprintf(name, sizeof(name), ":%" PRId32, (int32_t)tid);
	return cp_strings_add(&s->strings, name);
}

static struct cp_thread *
thread_new(struct cp_session *s, uint32_t pid, uint32_t tid)
{
	struct cp_thread *t;

	if (s->thread.len >= CP_MAX_THREADS) {
		cp_diag(
		    s->diags, CP_D_LIMIT, "over %u threads", CP_MAX_THREADS);
		return &s->thread.data[0];
	}
	t = cp_vec_push(&s->thread);
	*t = (struct cp_thread){ .tid = tid, .pid = pid };
	t->comm = first_comm(s, tid);
	t->named = tid == 0;
	thread_join(s, t, pid);
	*cp_map64_put(&s->threads, tid) = (uint32_t)s->thread.len;
	return t;
}

struct cp_thread *
cp_session_thread_(struct cp_session *s, uint32_t pid, uint32_t tid)
{
	uint32_t i = cp_map64_get(&s->threads, tid);
	struct cp_thread *t;

	if (i == 0)
		return thread_new(s, pid, tid);
	s->recent[tid % CP_RECENT_THREADS] = i;
	t = &s->thread.data[i - 1];
	if (CP_UNLIKELY(t->pid != pid) && pid != CP_NO_ID)
		thread_join(s, t, pid);
	return t;
}

static void
inherit(
    struct cp_session *s, struct cp_process *parent, const struct cp_ev_task *e)
{
	struct cp_process *p =
	    process_new(s, e->pid, cp_aspace_ref(parent->aspace));

	p->parent = parent;
	p->born = e->time;
	p->heir = parent->heir || parent->code != NULL;
	cp_session_jit_inherit(s, p, parent);
}

void
cp_session_fork(
    struct cp_session *s, const struct cp_ev_task *e, bool copy_maps)
{
	struct cp_thread *child;
	struct cp_process *parent = process_get(s, e->ppid);
	/* A copy: adding the child may move the table. */
	struct cp_thread from = *cp_session_thread(s, e->ppid, e->ptid);

	if (e->pid != e->ppid && e->pid == e->tid && e->pid != CP_NO_ID) {
		/* A new process replaces any older one with that pid. */
		if (copy_maps && parent != NULL)
			inherit(s, parent, e);
		else /* perf made this record, of a process that was there */
			process_get(s, e->pid)->parent = parent;
	}
	child = cp_session_thread(s, e->pid, e->tid);
	thread_join(s, child, e->pid);
	/* A name made from the parent's tid is not inherited. */
	child->named = from.named;
	child->comm = from.named ? from.comm : first_comm(s, e->tid);
}

void
cp_session_exit(struct cp_session *s, const struct cp_ev_task *e)
{
	uint32_t i = cp_map64_get(&s->threads, e->tid);
	struct cp_thread *t = i != 0 ? &s->thread.data[i - 1] : NULL;
	struct cp_process **place = &s->gone[s->gone_at % CP_GONE_PROCESSES];

	if (t == NULL || t->exited || t->process == NULL || e->pid == 0)
		return;
	t->exited = true;
	if (--t->process->threads != 0)
		return;
	if (*place != NULL && (*place)->threads == 0)
		process_drop(s, *place);
	*place = t->process;
	s->gone_at++;
}

void
cp_session_comm(
    struct cp_session *s, const struct cp_ev_comm *e, bool exec, uint64_t time)
{
	struct cp_thread *t = cp_session_thread(s, e->pid, e->tid);
	struct cp_aspace *old;

	t->comm = cp_strings_add(&s->strings, e->comm);
	t->named = true;
	if (!exec || t->process == NULL)
		return;
	old = t->process->aspace;
	t->process->jit = NULL;
	t->process->code = NULL;
	t->process->parent = NULL;
	t->process->heir = false;
	t->process->born = time;
	t->process->aspace = cp_aspace_new();
	t->process->aspace->generation = ++s->generations;
	if (old->old != NULL) { /* keeps only one old image */
		old = cp_aspace_own(old);
		cp_aspace_forget(old);
	}
	t->process->aspace->old = old;
}
