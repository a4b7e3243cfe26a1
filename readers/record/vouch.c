/* SPDX-License-Identifier: MIT */
/*
 * vouch: which records of a compressed stream are believed.
 *
 * perf's zstd frames have no checksum, and a block refers to the bytes of those
 * before it.  So one flipped bit may change many records, and all of them may
 * have the form of a record.  What a compressed record adds is therefore looked
 * through before any of it is used.  Damage is proved by the rules HEAD and
 * CONTENT, or by values that no kernel writes: see impossible().
 *
 * From then on, until a new frame starts, a record is used only if all that it
 * says fits what was known before: events, threads, mappings, the clock.  What
 * is not vouched for may be right or wrong.  It is left out and counted.
 */
#include <ctype.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/vec.h"
#include "readers/record/ranges.h"
#include "readers/record/stream-state.h"
#include "readers/rules.h"

/* A ring's times step back by less: an interrupted sample, a coarse clock. */
#define BACK (UINT64_C(10) * 1000000)
#define FIRST_KERNEL (UINT64_C(1) << 63)
#define END_OF_USER (UINT64_C(1) << 57)

enum {
	MISC_OF_SAMPLE = CP_MISC_CPUMODE | CP_MISC_EXACT_IP | 0x8000,
	USER_MODE = 2,       /* of CP_MISC_CPUMODE */
	WRITE_BACKWARD = 27, /* flags of an attr */
	REALTIME = 0,        /* clocks that may be set back */
	CALM = 8,            /* samples that fit, before one is believed */
	NEAR = 1024,         /* bytes before the proof that are not believed */
	PAGE = 4096,
};

struct cp_vouch {
	struct cp_map64 threads; /* pid << 32 | tid */
	struct cp_ranges maps;
	CP_VEC(uint64_t) times; /* by event: of its last sample in the unit */
	CP_VEC(uint64_t) cpus;  /* by CPU: time of its last sample */
	uint64_t round;         /* least of the times that units end with */
	uint64_t floor;         /* the same of the round before */
	uint64_t time;          /* of the unit's last record that fits */
	uint64_t proof; /* in the inner window: where damage was proved */
	unsigned calm;  /* samples in a row that fit */
};

static struct cp_vouch *
state(struct cp_stream *s)
{
	if (s->vouch == NULL) {
		s->vouch = cp_xcalloc(1, sizeof(*s->vouch));
		s->vouch->floor = s->vouch->round = CP_NO_TIME;
	}
	return s->vouch;
}

void
cp_stream_vouch_free(struct cp_stream *s)
{
	if (s->vouch == NULL)
		return;
	cp_map64_free(&s->vouch->threads);
	cp_ranges_free(&s->vouch->maps);
	cp_vec_free(&s->vouch->times);
	cp_vec_free(&s->vouch->cpus);
	free(s->vouch);
	s->vouch = NULL;
}

/* -------------------------------------------------------- what is known */

static void
know_thread(struct cp_vouch *v, uint32_t pid, uint32_t tid)
{
	*cp_map64_put(&v->threads, (uint64_t)pid << 32 | tid) = 1;
}

void
cp_stream_know(struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_ev_mmap *m = &ev->u.mmap;

	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		cp_ranges_add(&state(s)->maps, m->addr, m->len);
		know_thread(state(s), m->pid, m->tid);
		break;
	case CP_RECORD_KSYMBOL:
		cp_ranges_add(
		    &state(s)->maps, ev->u.ksymbol.addr, ev->u.ksymbol.len);
		break;
	case CP_RECORD_COMM:
		know_thread(state(s), ev->u.comm.pid, ev->u.comm.tid);
		break;
	case CP_RECORD_FORK:
		know_thread(state(s), ev->u.task.pid, ev->u.task.tid);
		break;
	case CP_RECORD_FINISHED_ROUND:
		state(s)->floor = state(s)->round;
		s->vouch->round = CP_NO_TIME;
		break;
	default: break;
	}
}

/* The place for the time of the last sample of the event's CPU, or NULL. */
static uint64_t *
of_cpu(struct cp_vouch *v, uint32_t cpu)
{
	if (cpu >= CP_MAX_CPUS)
		return NULL;
	while (v->cpus.len <= cpu)
		*cp_vec_push(&v->cpus) = 0;
	return &v->cpus.data[cpu];
}

static void
note_time(struct cp_vouch *v, const struct cp_event *ev)
{
	uint64_t *last = of_cpu(v, ev->cpu);

	if (ev->time >= CP_AFTER_ALL)
		return;
	v->time = ev->time;
	if (last != NULL)
		*last = ev->time;
}

static bool
is_new(struct cp_vouch *v, const struct cp_event *ev)
{
	const uint64_t *last = of_cpu(v, ev->cpu);

	if (last != NULL)
		return ev->time > *last;
	return v->floor == CP_NO_TIME || ev->time > v->floor;
}

/* Kernel addresses are not known where they were hidden from perf. */
static bool
is_code(struct cp_vouch *v, uint64_t address)
{
	return cp_ranges_have(&v->maps, address) ||
	       (address >= FIRST_KERNEL && address < CP_CONTEXT_MAX &&
		   cp_ranges_last(&v->maps) < FIRST_KERNEL);
}

/* ---------------------------------------------------------------- proof */

/* The kernel's two clock events have one period, whatever the frequency. */
static uint64_t
fixed_period(const struct cp_attr *a)
{
	enum { CPU_CLOCK, TASK_CLOCK };
	const uint64_t second = UINT64_C(1000000000);

	if (a->type != CP_TYPE_SOFTWARE || a->config > TASK_CLOCK ||
	    a->sample_period == 0)
		return 0;
	return cp_attr_flag(a, CP_ATTR_FREQ) ? second / a->sample_period
					     : a->sample_period;
}

static bool
period_fits(const struct cp_attr *a, const struct cp_event *ev)
{
	uint64_t fixed = fixed_period(a);

	return fixed == 0 || ev->u.sample.period == fixed;
}

/* Do the event's times only grow in the buffer of a CPU? */
static bool
has_order(const struct cp_attr *a)
{
	return !cp_attr_flag(a, WRITE_BACKWARD) &&
	       !(cp_attr_flag(a, CP_ATTR_USE_CLOCKID) &&
		   a->clockid == REALTIME);
}

static bool
steps_back(
    struct cp_vouch *v, const struct cp_attr *a, const struct cp_event *ev)
{
	uint64_t *last = &v->times.data[ev->evsel];
	uint64_t before = *last;

	if (ev->time >= CP_AFTER_ALL || !has_order(a))
		return false;
	*last = ev->time;
	return before != CP_NO_TIME && ev->time < before &&
	       before - ev->time > BACK;
}

/* A vsyscall is user code at an address of the kernel's. */
static bool
mode_fits(const struct cp_event *ev)
{
	return (ev->misc & CP_MISC_CPUMODE) != USER_MODE ||
	       ev->u.sample.ip < END_OF_USER ||
	       ev->u.sample.ip >= (uint64_t) - (10 << 20);
}

/* Has this sample a value that no kernel writes? */
static enum cp_rule
impossible(struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_evsels *e = &s->rec->evsels;
	const struct cp_attr *a;

	if (ev->evsel >= e->all.len)
		return CP_R_SOUND;
	a = &e->all.data[ev->evsel]->attr;
	if (!cp_stream_task_exists(ev->pid, ev->tid))
		return CP_R_TASK;
	if (!mode_fits(ev))
		return CP_R_MODE;
	if (!period_fits(a, ev))
		return CP_R_PERIOD;
	return steps_back(s->vouch, a, ev) ? CP_R_BACKWARD : CP_R_SOUND;
}

static enum cp_rule
proof(struct cp_stream *s, const uint8_t *p, const struct cp_record_head *h,
    struct cp_event *last)
{
	struct cp_event ev;

	if (cp_decode(&s->rec->evsels, p, h, s->swap, &ev) == CP_DECODED_BAD)
		return CP_R_CONTENT;
	if (h->type != CP_RECORD_SAMPLE)
		return CP_R_SOUND;
	last->time = ev.time;
	last->cpu = ev.cpu;
	return impossible(s, &ev);
}

/* From here on records of the frame are vouched for. */
static void
proved(struct cp_stream *s, enum cp_rule rule, uint64_t offset)
{
	s->doubt = true;
	s->vouch->proof = offset;
	s->vouch->calm = CALM;
	/* The others are said where the record is met. */
	if (rule != CP_R_HEAD && rule != CP_R_CONTENT)
		cp_found(s->diags, rule, s->outer.offset,
		    "a compressed sample has %s", cp_rule_text(rule));
}

static void
forget_times(struct cp_vouch *v, size_t events)
{
	v->times.len = 0;
	while (v->times.len < events)
		*cp_vec_push(&v->times) = CP_NO_TIME;
	v->round = CP_MIN(v->round, v->time);
	v->time = CP_NO_TIME; /* of this unit */
}

void
cp_stream_unit(struct cp_stream *s)
{
	const struct cp_window *w = &s->inner;
	const uint8_t *p = w->at;
	struct cp_event last = { .time = CP_NO_TIME, .cpu = CP_NO_ID };

	forget_times(state(s), s->rec->evsels.all.len);
	while (!s->doubt && !s->anew && w->end - p >= CP_HEAD_SIZE) {
		struct cp_record_head h = cp_head_read(p, s->swap);
		enum cp_rule rule = CP_R_HEAD;
		bool known;

		if (cp_head_plausible(&h, &known) ||
		    (s->odd && cp_head_possible(&h))) {
			if (h.size > (size_t)(w->end - p))
				break;
			rule = proof(s, p, &h, &last);
		}
		if (rule != CP_R_SOUND)
			proved(s, rule, w->offset + (uint64_t)(p - w->at));
		p += h.size;
	}
	if (!s->doubt)
		note_time(s->vouch, &last);
}

/* ------------------------------------------------------------- vouching */

/* The time of the next sample in view. */
static uint64_t
next_time(const struct cp_stream *s, const uint8_t *p)
{
	const struct cp_window *w = &s->inner;

	while (w->end - p >= CP_HEAD_SIZE) {
		struct cp_record_head h = cp_head_read(p, s->swap);
		struct cp_event ev;
		bool known;

		if (!cp_head_plausible(&h, &known) ||
		    h.size > (size_t)(w->end - p))
			break;
		if (h.type == CP_RECORD_SAMPLE)
			return cp_decode(&s->rec->evsels, p, &h, s->swap,
				   &ev) == CP_DECODED_EXACT
				   ? ev.time
				   : CP_NO_TIME;
		p += h.size;
	}
	return CP_NO_TIME;
}

static bool
time_vouched(const struct cp_stream *s, const struct cp_event *ev)
{
	uint64_t next;

	if (ev->time == CP_NO_TIME)
		return true;
	if ((s->vouch->time != CP_NO_TIME && ev->time < s->vouch->time) ||
	    (ev->type == CP_RECORD_SAMPLE && !is_new(s->vouch, ev)))
		return false;
	next = next_time(s, ev->bytes + ev->size);
	return next == CP_NO_TIME || ev->time <= next;
}

static bool
thread_vouched(const struct cp_stream *s, uint32_t pid, uint32_t tid)
{
	if (pid == CP_NO_ID || pid == 0 || s->vouch->threads.len == 0)
		return true;
	return cp_map64_get(&s->vouch->threads, (uint64_t)pid << 32 | tid) != 0;
}

static bool
chain_vouched(struct cp_vouch *v, const struct cp_ev_sample *s)
{
	for (uint64_t i = 0; i < s->nr; i++)
		if (s->ips[i] < CP_CONTEXT_MAX && s->ips[i] != 0 &&
		    !is_code(v, s->ips[i]))
			return false;
	return s->nr < 2 || s->ips[0] < CP_CONTEXT_MAX || s->ips[1] == s->ip;
}

/* The first fields of a tracepoint's payload: its number and the thread. */
static bool
raw_vouched(const struct cp_attr *a, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (a->type != CP_TYPE_TRACEPOINT || s->raw == NULL)
		return true;
	return s->raw_size >= 8 && cp_load16(s->raw, ev->swap) == a->config &&
	       cp_load32(s->raw + 4, ev->swap) == ev->tid;
}

/* Do its fields contradict what is known? */
static bool
contradicts(const struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_evsels *e = &s->rec->evsels;
	const struct cp_attr *a;

	if (ev->evsel >= e->all.len)
		return true;
	a = &e->all.data[ev->evsel]->attr;
	return !cp_stream_fits(s, ev) || (ev->misc & ~MISC_OF_SAMPLE) != 0 ||
	       !cp_stream_task_exists(ev->pid, ev->tid) ||
	       !thread_vouched(s, ev->pid, ev->tid) || !mode_fits(ev) ||
	       !period_fits(a, ev) || !raw_vouched(a, ev);
}

bool
cp_stream_sample_fits(const struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_ev_sample *sample = &ev->u.sample;
	const struct cp_attr *a;

	if (contradicts(s, ev))
		return false;
	a = &s->rec->evsels.all.data[ev->evsel]->attr;
	return (!(a->sample_type & CP_SAMPLE_IP) ||
		   is_code(s->vouch, sample->ip)) &&
	       time_vouched(s, ev);
}

static bool
sample_vouched(struct cp_stream *s, const struct cp_event *ev)
{
	struct cp_vouch *v = s->vouch;
	uint64_t at = s->inner.offset;

	if (!cp_stream_sample_fits(s, ev)) {
		v->calm = 0;
		return false;
	}
	note_time(v, ev);
	v->calm += v->calm < CALM;
	return v->calm == CALM && chain_vouched(v, &ev->u.sample) &&
	       (at >= v->proof || at + NEAR < v->proof);
}

static bool
is_text(const char *t)
{
	const unsigned char *c = (const unsigned char *)t;

	if (*c == 0)
		return false;
	while (isprint(*c) || *c >= 0x80)
		c++;
	return *c == 0;
}

static bool
content_vouched(const struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_ev_mmap *m = &ev->u.mmap;
	const struct cp_ev_task *t = &ev->u.task;

	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		return thread_vouched(s, m->pid, m->tid) &&
		       m->addr % PAGE == 0 && m->len != 0 &&
		       m->addr + m->len > m->addr && is_text(m->filename);
	case CP_RECORD_COMM:
		return thread_vouched(s, ev->u.comm.pid, ev->u.comm.tid) &&
		       is_text(ev->u.comm.comm);
	case CP_RECORD_FORK:
		return cp_stream_task_exists(t->pid, t->tid) &&
		       thread_vouched(s, t->ppid, t->ptid);
	case CP_RECORD_EXIT: return thread_vouched(s, t->pid, t->tid);
	case CP_RECORD_LOST:
	case CP_RECORD_LOST_SAMPLES: return ev->u.lost.lost <= UINT32_MAX;
	default: return true;
	}
}

bool
cp_stream_vouched(struct cp_stream *s, const struct cp_event *ev)
{
	if (ev->type == CP_RECORD_SAMPLE)
		return sample_vouched(s, ev);
	if (ev->type >= CP_RECORD_HEADER_ATTR)
		return ev->size == CP_HEAD_SIZE; /* the end of a round */
	return cp_stream_fits(s, ev) && content_vouched(s, ev) &&
	       time_vouched(s, ev);
}
