/* SPDX-License-Identifier: MIT */
#include "analyses/waits/tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

static bool
kept(const struct cp_waits *w, uint32_t row)
{
	return w->task[w->rows.all[row].a].kept;
}

static void
sum_add(
    struct cp_run *run, struct cp_wait_sum *to, const struct cp_wait_sum *from)
{
	to->ns += from->ns;
	to->open += from->open;
	cp_quantiles_merge(run, &to->took, &from->took);
}

/* Open waits have no known length: they are in the time only. */
#define SUM_COLUMNS CP_COUNT("Times"), CP_COUNT("Open"), CP_QUANTILES_COLUMNS

static void
sum_cells(struct cp_table *t, struct cp_wait_sum *s)
{
	cp_table_cells(
	    t, s->took.n + s->open, s->open, CP_QUANTILES_CELLS(&s->took));
}

/* ------------------------------------------------------------------ states */

bool
cp_waits_know(const struct cp_waits *w)
{
	for (uint32_t i = 0; i < w->rows.n; i++)
		if (cp_waits_place(w, (uint32_t)w->rows.all[i].b).kind !=
		    CP_SPAN_UNKNOWN)
			return true;
	return false;
}

void
cp_waits_show_states(struct cp_waits *w, bool wakes, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Share"), SUM_COLUMNS, CP_TEXT("State") };
	static const struct {
		enum cp_span_kind kind;
		const char *text;
	} states[] = {
		{ CP_SPAN_RUNNING, "on CPU" },
		{ CP_SPAN_PREEMPTED, "runnable, preempted" },
		{ CP_SPAN_WOKEN, "runnable, woken up" },
		{ CP_SPAN_BLOCKED, "blocked" },
		{ CP_SPAN_UNKNOWN, "unknown" },
	};
	struct cp_wait_sum sums[CP_SPAN_KINDS] = { 0 };
	struct cp_table *t = cp_report_table(rep, "offcpu-states",
	    "What threads did in their lifetime", CP_COLUMNS(columns));
	uint64_t all = 0;

	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);

		if (!kept(w, i))
			continue;
		sum_add(w->run, &sums[p.kind], &w->row[i]);
		all += w->row[i].ns;
	}
	for (int i = 0; i < CP_SPAN_KINDS; i++) {
		struct cp_wait_sum *s = &sums[states[i].kind];
		bool unseen = states[i].kind == CP_SPAN_WOKEN && !wakes;

		if (unseen && s->took.n + s->open == 0)
			continue;
		cp_table_add(t, s->ns, cp_share((double)s->ns, (double)all));
		sum_cells(t, s);
		cp_table_cells(t, unseen ? "runnable, new" : states[i].text);
	}
}

/* ----------------------------------------------------------------- classes */

/* A state in words: "S" is "interruptible". */
static const char *
letter_words(char letter)
{
	switch (letter) {
	case 'R': return "running";
	case 'S': return "interruptible";
	case 'D': return "uninterruptible";
	case 'T': return "stopped";
	case 't': return "traced";
	case 'X': return "dead";
	case 'Z': return "zombie";
	case 'P': return "parked";
	case 'I': return "idle";
	case 'K': return "killable";
	case 'W': return "waking";
	case 'N': return "new";
	default: return "not known";
	}
}

/* A task that never ran waits for its parent to start it. */
static cp_string_id
class_of(struct cp_waits *w, struct cp_waitclasses *classes,
    const struct cp_wait_place *p)
{
	return p->letter == 'N' ? cp_run_intern(w->run, "start")
				: cp_waitclass(classes, p->stack);
}

void
cp_waits_show_classes(
    struct cp_waits *w, struct cp_waitclasses *classes, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Share"), SUM_COLUMNS, CP_TEXT("State"),
		CP_TEXT("Wait") };
	struct cp_wait_sum *sums =
	    cp_run_alloc(w->run, (w->places.n + 1) * sizeof(*sums));
	struct cp_index x; /* (class, letter of the state) */
	struct cp_table *t;
	uint64_t all = 0;

	cp_index_init(&x, w->run);
	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);

		if (p.kind != CP_SPAN_BLOCKED || !kept(w, i))
			continue;
		sum_add(w->run,
		    &sums[cp_index_put(
			&x, class_of(w, classes, &p), (uint8_t)p.letter)],
		    &w->row[i]);
		all += w->row[i].ns;
	}
	/* If no thread blocked, the table of states shows it. */
	if (x.n == 0)
		return;
	t = cp_report_table(rep, "offcpu-classes",
	    "What blocked threads waited for", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < x.n; i++) {
		cp_table_add(
		    t, sums[i].ns, cp_share((double)sums[i].ns, (double)all));
		sum_cells(t, &sums[i]);
		cp_table_cells(t, letter_words((char)x.all[i].b),
		    cp_run_string(w->run, (cp_string_id)x.all[i].a));
	}
	cp_table_sort(t, "Time");
	cp_table_sort(t, "Wait");
	cp_table_sort(t, "State");
}

/* --------------------------------------------------- threads and processes */

/* The time off the CPU is what they are sorted by. */
#define TASK_COLUMNS                                                           \
	CP_TIME("Off CPU"), CP_TIME("Lifetime"), CP_TIME("On CPU"),            \
	    CP_TIME("Runnable"), CP_TIME("Blocked"), CP_TIME("Unknown"),       \
	    CP_COUNT("Waits"), CP_TIME("Longest"), CP_TEXT("Command"),         \
	    CP_TEXT("PID")

static void
task_row(struct cp_table *t, const struct cp_waits *w,
    const struct cp_wait_task *task)
{
	uint64_t runnable =
	    task->ns[CP_SPAN_PREEMPTED] + task->ns[CP_SPAN_WOKEN];
	uint64_t off = runnable + task->ns[CP_SPAN_BLOCKED];

	cp_table_add(t, off,
	    off + task->ns[CP_SPAN_RUNNING] + task->ns[CP_SPAN_UNKNOWN],
	    task->ns[CP_SPAN_RUNNING], runnable, task->ns[CP_SPAN_BLOCKED],
	    task->ns[CP_SPAN_UNKNOWN], task->waits, task->longest,
	    cp_run_string(w->run, task->comm), cp_cell_id(task->pid));
}

static void
tasks_end(struct cp_table *t, uint64_t top)
{
	cp_table_sort(t, "Off CPU");
	cp_table_top(t, top, "Off CPU");
}

void
cp_waits_show_threads(struct cp_waits *w, struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { TASK_COLUMNS,
		CP_TEXT("TID") };
	struct cp_table *t = cp_report_table(rep, "offcpu-threads",
	    "Threads by time off the CPU", CP_COLUMNS(columns));

	cp_table_without(t, "Off CPU");
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		if (!w->task[i].kept)
			continue;
		task_row(t, w, &w->task[i]);
		cp_table_cells(t, cp_cell_id(w->task[i].tid));
	}
	tasks_end(t, top);
}

static void
task_add(struct cp_wait_task *to, const struct cp_wait_task *from)
{
	for (int i = 0; i < CP_SPAN_KINDS; i++)
		to->ns[i] += from->ns[i];
	to->waits += from->waits;
	if (from->longest > to->longest)
		to->longest = from->longest;
	/* A process has the name of its first thread. */
	if (from->tid == from->pid)
		to->comm = from->comm;
}

void
cp_waits_show_processes(struct cp_waits *w, struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { TASK_COLUMNS };
	struct cp_table *t = cp_report_table(rep, "offcpu-processes",
	    "Processes by time off the CPU", CP_COLUMNS(columns));
	struct cp_wait_task *sums =
	    cp_run_alloc(w->run, w->n_tasks * sizeof(*sums));
	struct cp_index pids;

	cp_table_without(t, "Off CPU");
	cp_index_init(&pids, w->run);
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		const struct cp_wait_task *task = &w->task[i];
		uint32_t k, known = pids.n;

		if (!task->kept)
			continue;
		k = cp_index_put(&pids, task->pid,
		    task->pid == CP_NO_ID ? task->tid : CP_NO_ID);
		if (k == known)
			sums[k] = (struct cp_wait_task){ .comm = task->comm,
				.pid = task->pid };
		task_add(&sums[k], task);
	}
	for (uint32_t k = 0; k < pids.n; k++)
		task_row(t, w, &sums[k]);
	tasks_end(t, top);
}

/* ------------------------------------------------------------------ wakers */

const char *
cp_waits_waker(const struct cp_waits *w, uint32_t link)
{
	struct cp_wait_link l;

	if (link == CP_NO_ID)
		return "(not known)";
	l = cp_waits_link_at(w, link);
	if (l.interrupt || l.waker >= w->n_tasks)
		return "(interrupt)";
	return cp_run_string(w->run, w->task[l.waker].comm);
}

/* Sums by commands: who woke whom from what. */
void
cp_waits_show_wakers(struct cp_waits *w, struct cp_waitclasses *classes,
    struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_COUNT("Waits"), CP_TEXT("Wait"), CP_TEXT("Woken"),
		CP_TEXT("Waker") };
	struct cp_table *t = cp_report_table(
	    rep, "offcpu-wakers", "Who ended the waits", CP_COLUMNS(columns));
	uint64_t(*sums)[2] = cp_run_alloc(w->run, w->wakes.n * sizeof(*sums));
	struct cp_index x;

	cp_index_init(&x, w->run);
	for (uint32_t i = 0; i < w->wakes.n; i++) {
		const struct cp_pair *row = &w->rows.all[w->wake[i].row];
		struct cp_wait_place p = cp_waits_place(w, (uint32_t)row->b);
		cp_string_id waker =
		    cp_run_intern(w->run, cp_waits_waker(w, w->wake[i].link));
		uint32_t k;

		if (!w->task[row->a].kept)
			continue;
		k = cp_index_put(&x,
		    (uint64_t)waker << 32 | w->task[row->a].comm,
		    class_of(w, classes, &p));
		sums[k][0] += w->wake[i].ns;
		sums[k][1] += w->wake[i].n;
	}
	for (uint32_t k = 0; k < x.n; k++)
		cp_table_add(t, sums[k][0], sums[k][1],
		    cp_run_string(w->run, (cp_string_id)x.all[k].b),
		    cp_run_string(w->run, (cp_string_id)x.all[k].a),
		    cp_run_string(w->run, (cp_string_id)(x.all[k].a >> 32)));
	cp_table_sort(t, "Time");
	cp_table_sort(t, "Waker");
	cp_table_sort(t, "Woken");
	cp_table_sort(t, "Wait");
	cp_table_top(t, top, "Time");
}
