/* SPDX-License-Identifier: MIT */
/*
 * jit-session: jitdumps in the session.
 *
 * A runtime maps its jit-PID.dump as executable when it creates the file.  Its
 * MMAP record has the path of the dump.  In a container the name has the pid of
 * the container's namespace.
 */
#include "model/session-state.h"

#include "base/limits.h"

static bool
is_dump(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	name = name != NULL ? name + 1 : path;
	if (strncmp(name, "jit-", 4) != 0)
		return false;
	digits = strspn(name + 4, "0123456789");
	return digits != 0 && strcmp(name + 4 + digits, ".dump") == 0;
}

static struct cp_dso_info *
dump_dso(struct cp_session *s, const struct cp_event *ev)
{
	struct cp_dso_key k = { .level = CP_LEVEL_USER,
		.kind = CP_DSO_JIT,
		.pid = ev->u.mmap.pid };

	k.name = cp_strings_add(&s->strings, ev->u.mmap.filename);
	return cp_dsos_get(&s->dsos, &s->strings, &k);
}

static void
due(struct cp_session *s)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < s->jits.len; i++)
		first = CP_MIN(first, cp_jit_next(s->jits.data[i]));
	/* UINT64_MAX marks an event without a time. */
	s->jit_due = first != 0 && first != UINT64_MAX ? first - 1 : first;
}

static bool
uses(const struct cp_process *p, const struct cp_jit *j)
{
	const struct cp_jit *its = p->jit;

	while (its != NULL && its != j)
		its = its->below;
	return its != NULL;
}

/* Gives all processes that use this code a new generation. */
static void
renew_users(struct cp_session *s, const struct cp_jit *j)
{
	for (size_t i = 0; i < s->jit_users.len; i++)
		if (uses(s->jit_users.data[i], j))
			s->jit_users.data[i]->aspace->generation =
			    ++s->generations;
}

/* A process may have several: of two runtimes, or of its parent and its own. */
static struct cp_jit *
below(const struct cp_process *p)
{
	struct cp_jit *j = p->jit;

	for (unsigned n = 1; j != NULL; j = j->below, n++)
		if (n == CP_MAX_JIT_CHAIN)
			return NULL;
	return p->jit;
}

static void
give(struct cp_session *s, struct cp_process *p, struct cp_jit *j)
{
	p->jit = j;
	*cp_vec_push(&s->jit_users) = p;
}

/*
 * The dump was read before: by the program that this one replaced, under the
 * same pid.  Not if it stands above code that this process has not.
 */
static void
give_again(
    struct cp_session *s, struct cp_process *p, const struct cp_dso_info *dso)
{
	if (s->jit_users.len >= CP_MAX_JIT_USERS)
		return;
	for (size_t i = 0; i < s->jits.len; i++) {
		struct cp_jit *j = s->jits.data[i];

		if (j->dso != dso || uses(p, j) || j->below != p->jit)
			continue;
		give(s, p, j);
		p->aspace->generation = ++s->generations;
		return;
	}
}

void
cp_session_jit_mmap(
    struct cp_session *s, struct cp_process *p, const struct cp_event *ev)
{
	struct cp_jit *j;

	if (s->jit_open == NULL || !is_dump(ev->u.mmap.filename) ||
	    s->jits.len >= CP_MAX_JITDUMPS)
		return;
	j = cp_xcalloc(1, sizeof(*j));
	j->dso = dump_dso(s, ev);
	if (j->dso != NULL && j->dso->symbols.len != 0)
		give_again(s, p, j->dso);
	if (j->dso == NULL || j->dso->symbols.len != 0 ||
	    !s->jit_open(
		s->jit_ctx, ev->u.mmap.filename, ev->u.mmap.pid, ev->time, j)) {
		cp_jit_free(j);
		free(j);
		return;
	}
	j->below = below(p);
	cp_jit_settle(j);
	(void)cp_jit_advance(j, ev->time);
	*cp_vec_push(&s->jits) = j;
	give(s, p, j);
	renew_users(s, j);
	due(s);
}

void
cp_session_jit_inherit(struct cp_session *s, struct cp_process *child,
    const struct cp_process *parent)
{
	if (parent->jit != NULL && s->jit_users.len < CP_MAX_JIT_USERS)
		give(s, child, parent->jit);
}

void
cp_session_jit_advance(struct cp_session *s, uint64_t time)
{
	for (size_t i = 0; i < s->jits.len; i++)
		if (cp_jit_advance(s->jits.data[i], time))
			renew_users(s, s->jits.data[i]);
	due(s);
}

void
cp_session_jit_forget(
    struct cp_session *s, struct cp_process *p, uint64_t start, uint64_t end)
{
	for (struct cp_jit *j = p->jit; j != NULL; j = j->below) {
		if (j->dso->pub.pid == p->pid) {
			if (cp_jit_forget(j, start, end))
				renew_users(s, j);
		} else if (cp_jit_has(j, start, end)) {
			/* Its parent's code is gone here, not there. */
			p->jit = NULL;
			p->aspace->generation = ++s->generations;
			return;
		}
	}
}
