/* SPDX-License-Identifier: MIT */
#include "analyses/waits/tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

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

struct class {
	cp_string_id name;
	char letter;
	struct cp_wait_sum sum;
	const struct cp_run *run;
};

static int
compare_classes(const void *va, const void *vb)
{
	const struct class *a = va, *b = vb;
	int c = descending(a->sum.ns, b->sum.ns);

	if (c == 0)
		c = strcmp(cp_run_string(a->run, a->name),
		    cp_run_string(b->run, b->name));
	return c != 0 ? c : a->letter - b->letter;
}

/* A task that never ran waits for its parent to start it. */
static cp_string_id
class_of(struct cp_waits *w, struct cp_waitclasses *classes,
    const struct cp_wait_place *p)
{
	return p->letter == 'N' ? cp_run_intern(w->run, "start")
				: cp_waitclass(classes, p->stack);
}

static struct class *
sum_classes(struct cp_waits *w, struct cp_waitclasses *classes, uint32_t *n,
    uint64_t *all)
{
	struct cp_index x;
	struct class *sums =
	    cp_run_alloc(w->run, (w->places.n + 1) * sizeof(*sums));

	*all = 0;
	cp_index_init(&x, w->run);
	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place p =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);
		cp_string_id name;
		uint32_t k;

		if (p.kind != CP_SPAN_BLOCKED || !kept(w, i))
			continue;
		name = class_of(w, classes, &p);
		k = cp_index_put(&x, name, (uint8_t)p.letter);
		sums[k].name = name;
		sums[k].letter = p.letter;
		sums[k].run = w->run;
		sum_add(w->run, &sums[k].sum, &w->row[i]);
		*all += w->row[i].ns;
	}
	*n = x.n;
	qsort(sums, x.n, sizeof(*sums), compare_classes);
	return sums;
}

void
cp_waits_show_classes(
    struct cp_waits *w, struct cp_waitclasses *classes, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Share"), SUM_COLUMNS, CP_TEXT("State"),
		CP_TEXT("Wait") };
	uint64_t all;
	uint32_t n;
	struct class *sums = sum_classes(w, classes, &n, &all);
	struct cp_table *t;

	/* If no thread blocked, the table of states shows it. */
	if (n == 0)
		return;
	t = cp_report_table(rep, "offcpu-classes",
	    "What blocked threads waited for", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < n; i++) {
		cp_table_add(t, sums[i].sum.ns,
		    cp_share((double)sums[i].sum.ns, (double)all));
		sum_cells(t, &sums[i].sum);
		cp_table_cells(t, letter_words(sums[i].letter),
		    cp_run_string(w->run, sums[i].name));
	}
}

/* --------------------------------------------------- threads and processes */

struct task_line {
	const struct cp_waits *w;
	struct cp_wait_task task;
	uint32_t index;
};

static uint64_t
off_cpu(const struct cp_wait_task *t)
{
	return t->ns[CP_SPAN_PREEMPTED] + t->ns[CP_SPAN_WOKEN] +
	       t->ns[CP_SPAN_BLOCKED];
}

static int
compare_tasks(const void *va, const void *vb)
{
	const struct task_line *a = va, *b = vb;
	int c = descending(off_cpu(&a->task), off_cpu(&b->task));

	return c != 0 ? c : (a->index > b->index) - (a->index < b->index);
}

#define TASK_COLUMNS                                                           \
	CP_TIME("Lifetime"), CP_TIME("On CPU"), CP_TIME("Runnable"),           \
	    CP_TIME("Blocked"), CP_TIME("Unknown"), CP_COUNT("Waits"),         \
	    CP_TIME("Longest"), CP_TEXT("Command"), CP_TEXT("PID")

static void
task_cells(struct cp_table *t, const struct task_line *l)
{
	const struct cp_wait_task *task = &l->task;
	uint64_t life = 0;

	for (int i = 0; i < CP_SPAN_KINDS; i++)
		life += task->ns[i];
	cp_table_cells(t, life, task->ns[CP_SPAN_RUNNING],
	    task->ns[CP_SPAN_PREEMPTED] + task->ns[CP_SPAN_WOKEN],
	    task->ns[CP_SPAN_BLOCKED], task->ns[CP_SPAN_UNKNOWN], task->waits,
	    task->longest, cp_run_string(l->w->run, task->comm),
	    cp_cell_id(task->pid));
}

/* Limits the lines; the weight of the rest is its time off the CPU. */
static uint32_t
cut(struct cp_table *t, struct task_line *lines, uint32_t n, uint64_t top)
{
	uint64_t rest = 0;

	qsort(lines, n, sizeof(*lines), compare_tasks);
	if (top == 0 || top >= n)
		return n;
	for (uint32_t i = (uint32_t)top; i < n; i++)
		rest += off_cpu(&lines[i].task);
	cp_table_rest(t, n - top, rest);
	return (uint32_t)top;
}

void
cp_waits_show_threads(struct cp_waits *w, struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { TASK_COLUMNS,
		CP_TEXT("TID") };
	struct cp_table *t = cp_report_table(rep, "offcpu-threads",
	    "Threads by time off the CPU", CP_COLUMNS(columns));
	struct task_line *lines =
	    cp_run_alloc(w->run, w->n_tasks * sizeof(*lines));
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_tasks; i++)
		if (w->task[i].kept)
			lines[n++] = (struct task_line){ w, w->task[i], i };
	n = cut(t, lines, n, top);
	for (uint32_t i = 0; i < n; i++) {
		cp_table_row(t);
		task_cells(t, &lines[i]);
		cp_table_cells(t, cp_cell_id(lines[i].task.tid));
	}
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
	struct task_line *lines =
	    cp_run_alloc(w->run, w->n_tasks * sizeof(*lines));
	struct cp_index pids;
	uint32_t n;

	cp_index_init(&pids, w->run);
	for (uint32_t i = 0; i < w->n_tasks; i++) {
		const struct cp_wait_task *task = &w->task[i];
		uint32_t k, known = pids.n;

		if (!task->kept)
			continue;
		k = cp_index_put(&pids, task->pid,
		    task->pid == CP_NO_ID ? task->tid : CP_NO_ID);
		if (k == known)
			lines[k] = (struct task_line){ .w = w,
				.index = k,
				.task = {
				    .comm = task->comm, .pid = task->pid } };
		task_add(&lines[k].task, task);
	}
	n = cut(t, lines, pids.n, top);
	for (uint32_t i = 0; i < n; i++) {
		cp_table_row(t);
		task_cells(t, &lines[i]);
	}
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

struct wake_line {
	const struct cp_run *run;
	uint64_t n, ns;
	cp_string_id waker, woken, class;
};

static int
compare_wakes(const void *va, const void *vb)
{
	const struct wake_line *a = va, *b = vb;
	const struct cp_run *run = a->run;
	int c = descending(a->ns, b->ns);

	if (c == 0)
		c = strcmp(
		    cp_run_string(run, a->waker), cp_run_string(run, b->waker));
	if (c == 0)
		c = strcmp(
		    cp_run_string(run, a->woken), cp_run_string(run, b->woken));
	return c != 0 ? c
		      : strcmp(cp_run_string(run, a->class),
			    cp_run_string(run, b->class));
}

/* Sums by commands: who woke whom from what. */
static struct wake_line *
sum_wakes(struct cp_waits *w, struct cp_waitclasses *classes, uint32_t *n)
{
	struct wake_line *lines =
	    cp_run_alloc(w->run, w->wakes.n * sizeof(*lines));
	struct cp_index x;

	cp_index_init(&x, w->run);
	for (uint32_t i = 0; i < w->wakes.n; i++) {
		const struct cp_pair *row = &w->rows.all[w->wake[i].row];
		struct cp_wait_place p = cp_waits_place(w, (uint32_t)row->b);
		struct wake_line l = { .run = w->run,
			.waker = cp_run_intern(
			    w->run, cp_waits_waker(w, w->wake[i].link)),
			.woken = w->task[row->a].comm,
			.class = class_of(w, classes, &p) };
		uint32_t k;

		if (!w->task[row->a].kept)
			continue;
		k = cp_index_put(
		    &x, (uint64_t)l.waker << 32 | l.woken, l.class);
		if (lines[k].run == NULL)
			lines[k] = l;
		lines[k].n += w->wake[i].n;
		lines[k].ns += w->wake[i].ns;
	}
	*n = x.n;
	qsort(lines, x.n, sizeof(*lines), compare_wakes);
	return lines;
}

void
cp_waits_show_wakers(struct cp_waits *w, struct cp_waitclasses *classes,
    struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_COUNT("Waits"), CP_TEXT("Wait"), CP_TEXT("Woken"),
		CP_TEXT("Waker") };
	uint32_t n;
	struct wake_line *lines = sum_wakes(w, classes, &n);
	struct cp_table *t = cp_report_table(
	    rep, "offcpu-wakers", "Who ended the waits", CP_COLUMNS(columns));
	uint64_t rest = 0;

	if (top == 0 || top > n)
		top = n;
	for (uint32_t i = 0; i < top; i++) {
		cp_table_add(t, lines[i].ns, lines[i].n,
		    cp_run_string(w->run, lines[i].class),
		    cp_run_string(w->run, lines[i].woken),
		    cp_run_string(w->run, lines[i].waker));
	}
	for (uint32_t i = (uint32_t)top; i < n; i++)
		rest += lines[i].ns;
	if (top < n)
		cp_table_rest(t, n - top, rest);
}
