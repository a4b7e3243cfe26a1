/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/timehist.c: a line per switch, as `perf sched timehist` has
 * it; and which task each CPU ran, as `perf sched map` draws it.
 */
#include "analyses/sched/timehist.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

static void
task_cells(
    struct cp_sched *s, struct cp_table *t, uint32_t thread, cp_string_id comm)
{
	cp_table_cells(t, thread != 0 ? cp_run_string(s->run, comm) : "<idle>",
	    cp_cell_id(
		thread != 0 ? cp_spans_thread(s->tasks, thread - 1)->tid : 0));
}

struct timehist {
	struct cp_sched *s;
	struct cp_schedrows_reader reader;
};

static void
timehist_row(void *ctx, struct cp_table *t, uint64_t row)
{
	struct timehist *h = ctx;
	struct cp_sched *s = h->s;
	struct cp_sched_row r = cp_schedrows_at(&h->reader, &s->rows, row);
	const char state[] = { r.letter, '\0' };

	cp_table_add(t, r.time, cp_cell_id(r.cpu - 1));
	task_cells(s, t, r.thread, r.comm);
	cp_table_cells(t, r.wait, r.delay, r.run, state);
	task_cells(s, t, r.next, r.next_comm);
}

/* A loss is often told after the rows it concerns, so it is asked for last. */
static bool
is_doubtful(const struct cp_spans *tasks, const struct cp_sched_row *r)
{
	uint64_t began = r->time - r->run;
	uint64_t since = r->wait > r->delay ? r->wait : r->delay;

	return r->doubt || cp_spans_lost_within(tasks, began - since, began);
}

static void
note_doubts(struct cp_sched *s, struct cp_report *rep)
{
	struct cp_schedrows_reader reader;
	struct cp_word word;
	uint64_t n = 0;

	cp_schedrows_open(&reader, &s->rows);
	for (uint64_t i = 0; i < s->rows.n; i++) {
		struct cp_sched_row r = cp_schedrows_next(&reader);

		n += is_doubtful(s->tasks, &r);
	}
	if (n != 0)
		cp_report_note(rep,
		    "switches before which another one is missing, or records "
		    "were lost: %s; as in perf, their times count from the "
		    "last switch that was recorded, and may be shorter",
		    cp_word_count(&word, n));
}

/* A row for each switch, or the first of them that --top asks for. */
static void
switches_show(
    struct cp_sched *s, struct cp_table *t, uint64_t n, cp_row_fn fn, void *ctx)
{
	uint64_t shown = s->top != 0 && s->top < n ? s->top : n;

	cp_table_rows(t, shown, fn, ctx);
	if (shown < n)
		cp_table_rest(t, n - shown, 0);
}

void
cp_sched_timehist(struct cp_sched *s, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = {
		CP_COLUMN("Time", CP_COL_CLOCK, 0, "time_ns"), CP_TEXT("CPU"),
		CP_COLUMN("Command", CP_COL_TEXT, 0, "comm"), CP_TEXT("TID"),
		CP_COLUMN("Wait", CP_COL_TIME, 0, "wait_ns"),
		CP_COLUMN("Delay", CP_COL_TIME, 0, "delay_ns"),
		CP_COLUMN("Run", CP_COL_TIME, 0, "run_ns"), CP_TEXT("State"),
		CP_COLUMN("Next", CP_COL_TEXT, 0, "next_comm"),
		CP_TEXT("Next TID")
	};
	struct cp_table *t =
	    cp_report_table(rep, "timehist", "Switches", CP_COLUMNS(columns));
	struct timehist *h = cp_run_alloc(s->run, sizeof(*h));

	h->s = s;
	switches_show(s, t, s->rows.n, timehist_row, h);
	note_doubts(s, rep);
}

/* -------------------------------------------------------------------- map */

/* CPUs drawn in one map; more CPUs need several maps. */
enum { MAP_CPUS = 16 };

/*
 * With filters, rows exist only for the tasks selected.  Another task is named
 * when it takes the CPU from one of them, and then shown as `-', because it is
 * not known how long it ran.
 */
struct map {
	struct cp_sched *s;
	struct cp_schedrows_reader reader;
	uint64_t at;   /* the next of all rows */
	uint32_t *tag; /* by thread index; 0: none yet */
	uint32_t tags;
	uint32_t cpu[MAP_CPUS];  /* + 1, by column */
	uint32_t runs[MAP_CPUS]; /* thread + 1, 0: idle */
	bool seen[MAP_CPUS];     /* it had a switch */
	bool kept[MAP_CPUS];     /* what runs passes the filters */
	uint32_t columns;
	uint64_t rows;
};

/* A0 ... Z0, A1 ... Z9, then again. */
static void
tag_text(uint32_t tag, char mark, char out[static 4])
{
	out[0] = mark;
	out[1] = tag == 0 ? '.' : (char)('A' + (tag - 1) % 26);
	out[2] = tag == 0 ? '\0' : (char)('0' + (tag - 1) / 26 % 10);
	out[3] = '\0';
}

static void
map_forget(struct map *m)
{
	m->tags = 0;
	m->at = 0;
	memset(m->tag, 0, m->s->tasks->n_threads * sizeof(*m->tag));
	memset(m->seen, 0, sizeof(m->seen));
}

static void
map_cell(const struct map *m, uint32_t i, bool moved, char out[static 4])
{
	if (!m->seen[i])
		out[0] = '\0';
	else if (!moved && !m->kept[i])
		memcpy(out, " -", 3);
	else
		tag_text(m->runs[i] != 0 ? m->tag[m->runs[i] - 1] : 0,
		    moved ? '*' : ' ', out);
}

/* Notes the task that runs from now on; a new task gets a tag. */
static void
map_move(struct map *m, const struct cp_sched_row *r, uint32_t at, char *text,
    size_t size)
{
	const struct cp_sched_thread *next =
	    r->next != 0 ? cp_spans_thread(m->s->tasks, r->next - 1) : NULL;
	char tag[4];

	m->runs[at] = r->next;
	m->seen[at] = true;
	m->kept[at] = cp_schedrows_keeps(&m->s->moves, next, r->next_comm);
	if (next == NULL || m->tag[r->next - 1] != 0)
		return;
	m->tag[r->next - 1] = ++m->tags;
	tag_text(m->tags, ' ', tag);
	snprintf(text, size, "%s => %.40s:%" PRIu32, tag + 1,
	    cp_run_string(m->s->run, r->next_comm), next->tid);
}

static uint32_t
cpu_with_rows(const struct cp_schedrows *moves, uint32_t cpu)
{
	while (cpu < moves->n_cpus && moves->cpu[cpu].rows == 0)
		cpu++;
	return cpu;
}

/* Returns the next row of this map's CPUs, and the column of its CPU. */
static struct cp_sched_row
map_next(struct map *m, uint32_t *column)
{
	struct cp_sched_row r;

	do {
		r = cp_schedrows_at(&m->reader, &m->s->moves, m->at++);
		*column = 0;
		while (*column < m->columns && m->cpu[*column] != r.cpu)
			++*column;
	} while (*column == m->columns);
	return r;
}

static void
map_row(void *ctx, struct cp_table *t, uint64_t row)
{
	struct map *m = ctx;
	struct cp_sched_row r;
	char text[64] = "", cell[4];
	uint32_t column;

	if (row == 0)
		map_forget(m);
	r = map_next(m, &column);
	map_move(m, &r, column, text, sizeof(text));
	cp_table_row(t);
	for (uint32_t i = 0; i < m->columns; i++) {
		map_cell(m, i, i == column, cell);
		cp_table_cells(t, cell);
	}
	cp_table_cells(t, r.time, text);
}

/*
 * Chooses the CPUs of a map, from `cpu` on; returns the CPU for the next map.
 */
static uint32_t
map_choose(struct map *m, uint32_t cpu)
{
	const struct cp_schedrows *moves = &m->s->moves;

	while (cpu < moves->n_cpus && m->columns < MAP_CPUS) {
		m->rows += moves->cpu[cpu].rows;
		m->cpu[m->columns++] = cpu;
		cpu = cpu_with_rows(moves, cpu + 1);
	}
	return cpu;
}

static const char *
map_title(const struct map *m, bool all, char *text, size_t size)
{
	struct cp_word from, to;

	if (all)
		return "Tasks on the CPUs";
	snprintf(text, size, "Tasks on CPUs %s to %s",
	    cp_word_id(&from, m->cpu[0] - 1),
	    cp_word_id(&to, m->cpu[m->columns - 1] - 1));
	return text;
}

static void
map_show(struct map *m, bool all, struct cp_report *rep)
{
	char text[120], key[60];
	struct cp_table *t = cp_report_table(
	    rep, "map", map_title(m, all, text, sizeof(text)), NULL, 0);
	struct cp_word word;

	for (uint32_t i = 0; i < m->columns; i++) {
		const char *cpu = cp_word_id(&word, m->cpu[i] - 1);

		snprintf(text, sizeof(text), "CPU %s", cpu);
		snprintf(key, sizeof(key), "cpu_%s", cpu);
		cp_table_column(
		    t, CP_COLUMN(all ? text : cpu, CP_COL_TEXT, 0, key));
	}
	cp_table_column(t, CP_COLUMN("Time", CP_COL_CLOCK, 0, "time_ns"));
	cp_table_column(t, CP_TEXT("Task"));
	switches_show(m->s, t, m->rows, map_row, m);
}

void
cp_sched_map(struct cp_sched *s, struct cp_report *rep)
{
	uint32_t cpu = cpu_with_rows(&s->moves, 0);
	bool all = true;
	struct map *m;

	do {
		m = cp_run_alloc(s->run, sizeof(*m));
		m->s = s;
		m->tag = cp_run_alloc(
		    s->run, s->tasks->n_threads * sizeof(*m->tag) + 1);
		cpu = map_choose(m, cpu);
		all &= cpu == s->moves.n_cpus;
		map_show(m, all, rep);
	} while (cpu < s->moves.n_cpus);
}
