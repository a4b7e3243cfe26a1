/* SPDX-License-Identifier: MIT */
/*
 * neighbours: is a record another than its type says?
 *
 * A record whose type was damaged may have the size of another.  Its fields and
 * the times of the records around it tell what it was.  A time alone tells
 * nothing: a task may run on another CPU for a moment, minutes after the last
 * sample there.
 */
#include "readers/record/stream-state.h"

enum {
	LOOKS = 4,         /* records asked for their time */
	LEAST_IP = 1 << 16 /* programs have no code below */
};

static uint64_t
apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool
near(uint64_t a, uint64_t b)
{
	return apart(a, b) <= CP_SAMPLE_NEAR;
}

/*
 * Returns the time of the last sample, or of the next record that has a time.
 */
static uint64_t
time_around(struct cp_stream *s, struct cp_window *w, size_t size)
{
	size_t left = cp_window_have(w, CP_WINDOW_MAX), at = size;

	if (s->last_time != CP_NO_TIME)
		return s->last_time;
	for (int i = 0; i < LOOKS && left - at >= CP_HEAD_SIZE; i++) {
		struct cp_record_head h = cp_head_read(w->at + at, s->swap);
		struct cp_event ev;

		if (!cp_stream_plausible(s, &h) || h.size > left - at ||
		    cp_decode(&s->rec->evsels, w->at + at, &h, s->swap, &ev) !=
			CP_DECODED_EXACT)
			break;
		if (ev.time < CP_AFTER_ALL && ev.time != 0)
			return ev.time;
		at += h.size;
	}
	return CP_NO_TIME;
}

/*
 * True for types that perf writes at the start for existing tasks and maps,
 * without a time.
 */
static bool
perf_makes(uint32_t type)
{
	switch (type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
	case CP_RECORD_COMM:
	case CP_RECORD_FORK:
	case CP_RECORD_NAMESPACES:
	case CP_RECORD_CGROUP:
	case CP_RECORD_KSYMBOL:
	case CP_RECORD_BPF_EVENT: return true;
	default: return false;
	}
}

static bool
empty_trailer(const struct cp_event *ev)
{
	return ev->pid == 0 && ev->tid == 0 &&
	       (ev->cpu == 0 || ev->cpu == CP_NO_ID);
}

/* One of both ids may be damaged.  Equal zeros tell nothing. */
static bool
same_task(const struct cp_event *ev)
{
	uint32_t pid = cp_load32(ev->bytes + CP_HEAD_SIZE, ev->swap);
	uint32_t tid = cp_load32(ev->bytes + CP_HEAD_SIZE + 4, ev->swap);

	return (ev->pid == pid && ev->tid == tid) ||
	       (ev->pid == pid && pid != 0) || (ev->tid == tid && tid != 0);
}

/*
 * True if a record without a time has an empty trailer, or one with the
 * record's process or thread.
 */
static bool
fits_itself(const struct cp_event *ev)
{
	if (!perf_makes(ev->type) ||
	    (ev->type == CP_RECORD_FORK && ev->u.task.time != 0))
		return false;
	return ev->pid == CP_NO_ID || empty_trailer(ev) || same_task(ev);
}

/* The kernel writes the time of a FORK or an EXIT twice. */
static bool
has_time_twice(const struct cp_event *ev)
{
	return (ev->type == CP_RECORD_FORK || ev->type == CP_RECORD_EXIT) &&
	       near(ev->time, ev->u.task.time);
}

/* Does a record say twice whose it is, and fit the time of the last sample? */
static bool
tells_twice(const struct cp_stream *s, const struct cp_event *ev)
{
	if (ev->evsel == CP_NO_ID || !near(ev->time, s->last_time))
		return false;
	return has_time_twice(ev) ||
	       (ev->type != CP_RECORD_FORK && ev->type != CP_RECORD_EXIT &&
		   ev->pid != 0 && same_task(ev));
}

bool
cp_stream_disguised(
    struct cp_stream *s, struct cp_window *w, const struct cp_record_head *h)
{
	static const uint32_t types[] = { CP_RECORD_COMM, CP_RECORD_MMAP,
		CP_RECORD_MMAP2, CP_RECORD_FORK, CP_RECORD_EXIT };

	for (size_t i = 0; i < CP_ARRAY_LEN(types); i++) {
		struct cp_record_head as = *h;
		struct cp_event ev;

		as.type = types[i];
		if (cp_stream_plausible(s, &as) &&
		    cp_decode(&s->rec->evsels, w->at, &as, s->swap, &ev) ==
			CP_DECODED_EXACT &&
		    tells_twice(s, &ev))
			return true;
	}
	return false;
}

/*
 * All ones: a task that has ended.  Until Linux 4.14 it could lose one of its
 * ids, which cp_stream_task_exists() does not allow.
 */
static bool
ids_exist(uint32_t pid, uint32_t tid)
{
	return pid == CP_NO_ID || tid == CP_NO_ID ||
	       (pid <= 1u << 22 && tid <= 1u << 22);
}

/* The idle task's ids are both 0; a task that ended loses one, rarely. */
static bool
half_gone(const struct cp_event *ev)
{
	return (ev->pid == 0) != (ev->tid == 0);
}

/*
 * Does its content show that it is not of its type?  AUX data are announced,
 * and perf stat writes no samples.
 */
static bool
strange_content(const struct cp_stream *s, const struct cp_event *is)
{
	const struct cp_ev_switch *sw = &is->u.sw;

	switch (is->type) {
	case CP_RECORD_AUX:
	case CP_RECORD_ITRACE_START:
	case CP_RECORD_AUX_OUTPUT_HW_ID: return !s->aux;
	case CP_RECORD_SWITCH_CPU_WIDE:
		return !ids_exist(sw->next_prev_pid, sw->next_prev_tid);
	case CP_RECORD_LOST:
	case CP_RECORD_LOST_SAMPLES: return is->u.lost.lost > UINT32_MAX;
	case CP_RECORD_STAT:
	case CP_RECORD_STAT_ROUND: return true;
	default: return false;
	}
}

/* The trailer's fields keep their defaults where there is none. */
static bool
strange(const struct cp_stream *s, const struct cp_event *is)
{
	return !ids_exist(is->pid, is->tid) || !cp_stream_cpu_exists(s, is) ||
	       !cp_stream_id_known(s, is) || strange_content(s, is);
}

bool
cp_stream_trailerless(const struct cp_stream *s, const struct cp_event *is)
{
	return is->type < CP_RECORD_HEADER_ATTR &&
	       cp_record_name(is->type) == NULL && is->evsel != CP_NO_ID &&
	       (is->time != 0 || is->pid != 0) &&
	       !(cp_stream_cpu_exists(s, is) && cp_stream_id_known(s, is) &&
		   ids_exist(is->pid, is->tid));
}

/*
 * If the record is really of its type, the time in its trailer is nearer.  A
 * type that is not known may have the fields of a sample; then its content
 * tells.
 */
bool
cp_stream_retyped(struct cp_stream *s, struct cp_window *w,
    const struct cp_record_head *h, const struct cp_event *is,
    enum cp_decoded d)
{
	struct cp_record_head as = *h;
	bool timed = is->time != CP_NO_TIME && is->time != 0;
	bool loose = d <= CP_DECODED_LOOSE, code, wrong;
	struct cp_event ev;
	uint64_t around;

	as.type = CP_RECORD_SAMPLE;
	if (cp_stream_judge(s, w->at, &as) == CP_NO_RECORD)
		return false;
	cp_decode(&s->rec->evsels, w->at, &as, s->swap, &ev);
	wrong = strange(s, is) || cp_stream_trailerless(s, is) ||
		(half_gone(is) && !half_gone(&ev));
	if (!ids_exist(ev.pid, ev.tid) ||
	    (!wrong && d != CP_DECODED_SLACK &&
		(timed ? has_time_twice(is) : fits_itself(is))))
		return false;
	code = ev.u.sample.ip >= LEAST_IP;
	around =
	    ev.time < CP_AFTER_ALL ? time_around(s, w, h->size) : CP_NO_TIME;
	if (around == CP_NO_TIME)
		return wrong || (loose && code);
	if (!near(ev.time, around))
		return false;
	if (wrong || !timed || d == CP_DECODED_SLACK)
		return true;
	return apart(ev.time, around) < apart(is->time, around) ||
	       (loose && ev.time == is->time && code);
}
