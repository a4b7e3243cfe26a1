/* SPDX-License-Identifier: MIT */
/*
 * events: decodes samples and side-band records as events of the scheduler.
 *
 * Events are known by their names; their fields are looked up at the first
 * sample.  Does not check whether the sequence of events makes sense.
 */
#include "run/facts/facts.h"

#include <string.h>

enum field {
	F_PID,   /* prev_pid, or pid, or child_pid */
	F_NEXT,  /* next_pid, or parent_pid */
	F_STATE, /* prev_state, or runtime */
	F_CPU,   /* target_cpu, dest_cpu */
	F_FLAGS, /* common_flags */
	F_NAME,  /* of F_PID */
	F_NEXT_NAME,
	FIELDS
};

/*
 * A field in this machine's byte order: some bits of an aligned word, read
 * without a branch.  If the event lacks the field, all bits of `absent` are
 * set.
 */
struct quick {
	uint32_t at; /* of the word */
	uint32_t shift;
	uint64_t mask, absent;
};

struct cp_sched_layout {
	bool known;
	uint8_t kind; /* enum cp_sched_kind */
	bool leaves;  /* its samples are taken as a thread leaves the CPU */
	uint8_t has;  /* bits 1 << enum field: place is valid */
	/* a field has the other byte order: quick cannot be used */
	bool swap;
	uint32_t reach; /* bytes that hold all fields and their words */
	struct quick quick[F_NAME];
	struct cp_field_at place[F_NAME];
	const struct cp_field *name[2]; /* F_NAME, F_NEXT_NAME; or NULL */
};

static const struct known {
	const char *event;
	uint8_t kind;
	const char *field[FIELDS];
} known[] = {
	{ "sched_switch", CP_SCHED_SWITCH,
	    { "prev_pid", "next_pid", "prev_state", NULL, NULL, "prev_comm",
		"next_comm" } },
	{ "sched_waking", CP_SCHED_WAKE,
	    { "pid", NULL, NULL, "target_cpu", "common_flags", "comm" } },
	{ "sched_wakeup", CP_SCHED_WAKE,
	    { "pid", NULL, NULL, "target_cpu", "common_flags", "comm" } },
	{ "sched_wakeup_new", CP_SCHED_WAKE_NEW,
	    { "pid", NULL, NULL, "target_cpu", "common_flags", "comm" } },
	{ "sched_migrate_task", CP_SCHED_MIGRATE,
	    { "pid", NULL, NULL, "dest_cpu", NULL, "comm" } },
	{ "sched_stat_runtime", CP_SCHED_RUNTIME,
	    { "pid", NULL, "runtime", NULL, NULL, "comm" } },
	{ "sched_process_fork", CP_SCHED_FORK,
	    { "child_pid", "parent_pid", NULL, NULL, NULL, "child_comm" } },
};

/* perf_sw_ids, of PERF_TYPE_SOFTWARE. */
enum { SOFTWARE = 1, CONTEXT_SWITCHES = 3 };
/* TRACE_FLAG_HARDIRQ, _SOFTIRQ, _NMI. */
enum { IN_INTERRUPT = 0x08 | 0x10 | 0x40 };

/* Compares with "sched:NAME"; modifiers may follow. */
static bool
event_is(const char *text, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(text, "sched:", 6) != 0 || strncmp(text + 6, name, n) != 0)
		return false;
	return text[6 + n] == '\0' || text[6 + n] == ':';
}

/* Returns how many events record the tracepoint. */
static uint32_t
records(const struct cp_run *run, const char *name)
{
	uint32_t n = cp_run_evsel_count(run), count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += event_is(cp_run_evsel(run, i)->name, name);
	return count;
}

void
cp_sched_decoder_init(
    struct cp_sched_decoder *d, struct cp_run *run, uint64_t *seen)
{
	*d = (struct cp_sched_decoder){ .run = run, .seen = seen };
	cp_sched_states_parse(&d->states, "");
}

static const struct known *
known_of(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (event_is(name, known[i].event))
			return &known[i];
	return NULL;
}

bool
cp_sched_decoder_finds(const struct cp_run *run, uint32_t from)
{
	for (; from < cp_run_evsel_count(run); from++)
		if (known_of(cp_run_evsel(run, from)->name) != NULL)
			return true;
	return false;
}

static inline bool
rarely(bool condition)
{
	return __builtin_expect(condition, 0);
}

/* ---------------------------------------------------------------- layouts */

static void
layouts_grow(struct cp_sched_decoder *d, uint32_t evsel)
{
	uint32_t n = cp_run_evsel_count(d->run);
	struct cp_sched_layout *all;

	if (n < 2 * d->n)
		n = 2 * d->n;
	if (n <= evsel)
		n = evsel + 1;
	all = cp_run_alloc(d->run, n * sizeof(*all));
	if (d->n != 0)
		memcpy(all, d->layout, d->n * sizeof(*all));
	d->layout = all;
	d->n = n;
}

/* Chooses the word that ends with the field, or else the first word. */
static void
place_note(struct cp_sched_layout *l, int i, const struct cp_field_at *at)
{
	struct quick *q = &l->quick[i];
	uint32_t end = at->size > UINT32_MAX - at->offset
			   ? UINT32_MAX
			   : at->offset + at->size;

	if (end < sizeof(uint64_t))
		end = sizeof(uint64_t);
	if (end > l->reach)
		l->reach = end;
	l->has |= (uint8_t)(1u << i);
	l->swap |= (at->swap && at->size != 1) ||
		   __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	q->at = end - (uint32_t)sizeof(uint64_t);
	q->shift = 8 * (at->offset - q->at);
	q->mask = UINT64_MAX >> (64 - 8 * at->size);
	q->absent = 0;
}

static void
field_find(struct cp_sched_layout *l, int i, const struct cp_field *f)
{
	if (i >= F_NAME)
		l->name[i - F_NAME] = f;
	else if (f != NULL && cp_field_place(f, &l->place[i]))
		place_note(l, i, &l->place[i]);
}

/* Drops events without the field of their task. */
static void
layout_find(
    struct cp_sched_decoder *d, uint32_t evsel, struct cp_sched_layout *l)
{
	const struct cp_evsel *e = cp_run_evsel(d->run, evsel);
	const struct known *k = known_of(e->name);

	l->known = true;
	for (int i = 0; i < F_NAME; i++)
		l->quick[i].absent = UINT64_MAX;
	l->leaves = k != NULL
			? k->kind == CP_SCHED_SWITCH
			: e->type == SOFTWARE && e->config == CONTEXT_SWITCHES;
	/* If not each one is there, most switches would be missing. */
	if (k == NULL || e->freq || e->sample_period > 1)
		return;
	for (int i = 0; i < FIELDS; i++)
		if (k->field[i] != NULL)
			field_find(
			    l, i, cp_run_field(d->run, evsel, k->field[i]));
	d->waking = records(d->run, "sched_waking") != 0;
	d->twice |= records(d->run, k->event) > 1;
	if ((l->has >> F_PID & 1) == 0 ||
	    (d->waking && event_is(e->name, "sched_wakeup")))
		return;
	l->kind = k->kind;
	if (k->kind == CP_SCHED_SWITCH)
		cp_sched_states_parse(
		    &d->states, cp_run_print_format(d->run, evsel));
}

/* Not inline: it runs once per event type. */
static __attribute__((noinline)) void
layout_make(struct cp_sched_decoder *d, uint32_t evsel)
{
	if (d->n == 0)
		d->scope = cp_run_scope(d->run);
	if (evsel >= d->n)
		layouts_grow(d, evsel);
	layout_find(d, evsel, &d->layout[evsel]);
}

static inline const struct cp_sched_layout *
layout_of(struct cp_sched_decoder *d, uint32_t evsel)
{
	if (rarely(evsel >= d->n || !d->layout[evsel].known))
		layout_make(d, evsel);
	return &d->layout[evsel];
}

/* ---------------------------------------------------------------- samples */

static uint64_t
load(const uint8_t *p, const struct cp_field_at *at)
{
	uint64_t v = 0;

	memcpy(&v, p, at->size);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		v >>= 8 * (8 - at->size);
	if (at->swap)
		v = __builtin_bswap64(v) >> 8 * (8 - at->size);
	return v;
}

/* True if the sample is long enough for the field. */
static bool
fits(const struct cp_field_at *at, const struct cp_sample *s)
{
	return s->raw != NULL && at->offset <= s->raw_size &&
	       at->size <= s->raw_size - at->offset;
}

/* A sample being decoded. */
struct look {
	const struct cp_sched_layout *l;
	const struct cp_sample *s;
	bool quick; /* all fields have their words */
};

static __attribute__((noinline)) uint64_t
slow_number(
    const struct cp_sched_layout *l, const struct cp_sample *s, enum field f)
{
	const struct cp_field_at *at = &l->place[f];

	if ((l->has >> f & 1) == 0 || !fits(at, s))
		return UINT64_MAX;
	return load(s->raw + at->offset, at);
}

/*
 * Returns the field without its sign: ids have 32 bits, states are sets of
 * bits. If the event lacks the field, all bits are set.
 */
static inline __attribute__((always_inline)) uint64_t
number(const struct look *k, enum field f)
{
	const struct quick *q = &k->l->quick[f];
	uint64_t word;

	if (!k->quick)
		return slow_number(k->l, k->s, f);
	memcpy(&word, k->s->raw + q->at, sizeof(word));
	return (word >> q->shift & q->mask) | q->absent;
}

static inline __attribute__((always_inline)) bool
has(const struct look *k, enum field f)
{
	return (k->l->has >> f & 1) != 0 &&
	       (k->quick || fits(&k->l->place[f], k->s));
}

static inline __attribute__((always_inline)) uint32_t
id(const struct look *k, enum field f)
{
	return (uint32_t)number(k, f);
}

static inline __attribute__((always_inline)) void
decode_state(const struct cp_sched_decoder *d, const struct look *k,
    struct cp_sched_event *out)
{
	uint64_t v;

	if (!has(k, F_STATE)) {
		out->letter = '?';
		return;
	}
	v = number(k, F_STATE);
	out->letter = cp_sched_states_letter(&d->states, v);
	out->runnable = out->letter == 'R';
	out->preempted = (v & d->states.preempted) != 0;
	out->dead = out->letter == 'X' || out->letter == 'Z';
}

static inline __attribute__((always_inline)) void
decode_fields(const struct cp_sched_decoder *d, const struct look *k,
    struct cp_sched_event *out)
{
	if (k->s->tid == out->tid)
		out->pid = k->s->pid;
	if (out->kind == CP_SCHED_RUNTIME) {
		out->value = has(k, F_STATE) ? number(k, F_STATE) : 0;
		return;
	}
	out->next = id(k, F_NEXT);
	out->to_cpu = id(k, F_CPU);
	if (out->kind == CP_SCHED_SWITCH)
		decode_state(d, k, out);
	else if (has(k, F_FLAGS))
		out->interrupt = (number(k, F_FLAGS) & IN_INTERRUPT) != 0;
}

static inline __attribute__((always_inline)) void
decode(struct cp_sched_decoder *d, const struct look *k,
    struct cp_sched_event *out)
{
	out->tid = id(k, F_PID);
	if (out->tid == CP_NO_ID)
		return;
	out->kind = k->l->kind;
	out->again = out->kind == CP_SCHED_FORK;
	decode_fields(d, k, out);
	out->sample = k->s;
	out->layout = k->l;
	d->seen[out->kind]++;
}

/*
 * A capture of some tasks has their own switches, and sees by accident who gets
 * the CPU after them and whom they wake.  Of other threads nothing else is
 * known, not even when they stop to run.
 */
static bool
foreign(const struct cp_sched_decoder *d, uint32_t tid)
{
	uint32_t pid;
	cp_string_id comm;

	return tid != CP_NO_ID &&
	       (tid == 0 || !cp_run_thread(d->run, tid, &pid, &comm));
}

static void
leave_out_foreign(struct cp_sched_decoder *d, struct cp_sched_event *ev)
{
	if (ev->kind == CP_SCHED_SWITCH) {
		/* The idle task's own switches are those of a whole CPU. */
		if (ev->tid == 0)
			d->scope = CP_SCOPE_SYSTEM;
		else if (foreign(d, ev->next))
			ev->next = CP_NO_ID;
	} else if (foreign(d, ev->tid)) {
		ev->kind = CP_SCHED_NONE;
	}
}

void
cp_sched_decode_sample(struct cp_sched_decoder *d, const struct cp_sample *s,
    struct cp_sched_event *out)
{
	const struct cp_sched_layout *l = layout_of(d, s->evsel);

	*out = (struct cp_sched_event){ .time = s->time,
		.cpu = s->cpu,
		.actor = s->tid,
		.stack = s->stack,
		.tid = CP_NO_ID,
		.next = CP_NO_ID,
		.pid = CP_NO_ID,
		.to_cpu = CP_NO_ID };
	if (l->kind == CP_SCHED_NONE ||
	    (rarely(d->twice) &&
		cp_sample_repeats(d->run, &d->repeats, l->kind, s)))
		return;
	if (rarely(l->swap || s->raw_size < l->reach))
		decode(d, &(const struct look){ l, s, false }, out);
	else
		decode(d, &(const struct look){ l, s, true }, out);
	if (rarely(d->scope == CP_SCOPE_TASKS))
		leave_out_foreign(d, out);
}

bool
cp_sched_is_switch(struct cp_sched_decoder *d, const struct cp_sample *s)
{
	return layout_of(d, s->evsel)->leaves;
}

bool
cp_sched_event_name(const struct cp_sched_event *ev, uint32_t tid,
    char out[static CP_SCHED_NAME])
{
	const struct cp_field *f;
	const char *text;
	size_t n;

	if (ev->layout == NULL)
		return false;
	f = ev->layout->name[tid == ev->tid ? 0 : 1];
	text = f != NULL ? cp_field_text(f, ev->sample, &n) : NULL;
	if (text == NULL)
		return false;
	if (n >= CP_SCHED_NAME)
		n = CP_SCHED_NAME - 1;
	memset(out, 0, CP_SCHED_NAME);
	memcpy(out, text, n);
	return true;
}

/* --------------------------------------------------------------- records */

/* Forks that perf synthesizes for existing tasks have no time. */
static uint8_t
kind_of(const struct cp_sideband *b)
{
	bool timed = b->time != 0 && b->time != CP_NO_TIME;

	switch (b->kind) {
	case CP_SIDE_SWITCH_OUT: return CP_SCHED_OUT;
	case CP_SIDE_SWITCH_IN: return CP_SCHED_IN;
	case CP_SIDE_FORK: return timed ? CP_SCHED_FORK : CP_SCHED_COMM;
	case CP_SIDE_EXIT: return CP_SCHED_EXIT;
	case CP_SIDE_COMM: return CP_SCHED_COMM;
	case CP_SIDE_LOST: return CP_SCHED_LOST;
	default: return CP_SCHED_NONE;
	}
}

void
cp_sched_decode_sideband(struct cp_sched_decoder *d,
    const struct cp_sideband *b, struct cp_sched_event *out)
{
	*out = (struct cp_sched_event){ .time = b->time,
		.cpu = b->cpu,
		.kind = kind_of(b),
		.tid = b->tid,
		.pid = b->pid,
		.actor = CP_NO_ID,
		.next = b->other_tid,
		.to_cpu = CP_NO_ID,
		.comm = b->comm,
		.value = b->lost };
	if (out->time == 0)
		out->time = CP_NO_TIME;
	if (out->kind == CP_SCHED_IN) {
		out->next = b->tid;
		out->tid = CP_NO_ID;
	} else if (out->kind == CP_SCHED_EXIT) {
		out->actor = b->tid;
	} else if (out->kind == CP_SCHED_OUT) {
		out->next = CP_NO_ID;
		out->runnable = out->preempted = b->preempted;
		out->letter = b->preempted ? 'R' : '?';
	}
	d->seen[out->kind]++;
}
