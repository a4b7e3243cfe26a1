/* SPDX-License-Identifier: MIT */
/*
 * perfetto: a trace for ui.perfetto.dev and its trace processor.
 *
 * A sequence of packets has one event's samples, so that each has its own
 * clock of events.  Perfetto's flame graph counts samples; their weights are
 * the steps of that clock.  Samples without a time stand at the beginning.
 */
#include "render/export/common/about.h"
#include "render/export/perfetto-code.h"
#include "render/export/perfetto-states.h"

static void
put_clock(struct cp_perfetto *w, uint64_t clock)
{
	cp_proto_u64(&w->part, PF_CLOCK_ID, clock);
	cp_proto_always(&w->part, PF_CLOCK_TIME, w->start);
	cp_proto_take(&w->field, PF_CLOCKS_CLOCK, &w->part);
}

static void
put_clocks(struct cp_perfetto *w)
{
	put_clock(w, PF_CLOCK_MONOTONIC);
	put_clock(w, PF_CLOCK_BOOTTIME);
	cp_proto_u64(&w->field, PF_CLOCKS_PRIMARY, PF_CLOCK_BOOTTIME);
	cp_proto_take(&w->packet, PF_PACKET_CLOCK_SNAPSHOT, &w->field);
	cp_perfetto_put(w, w->start);
}

/* Begins a sequence; e may be NULL. */
static void
put_defaults(struct cp_perfetto *w, const struct cp_profile_event *e)
{
	w->sequence++;
	cp_proto_u64(&w->field, PF_DEFAULTS_CLOCK, PF_CLOCK_MONOTONIC);
	if (e != NULL) {
		cp_proto_u64(&w->list,
		    e->freq ? PF_TIMEBASE_FREQUENCY : PF_TIMEBASE_PERIOD,
		    e->period);
		cp_proto_text(&w->list, PF_TIMEBASE_NAME, e->name);
		cp_proto_take(&w->part, PF_PERF_TIMEBASE, &w->list);
		cp_proto_take(&w->field, PF_DEFAULTS_PERF, &w->part);
	}
	cp_proto_take(&w->packet, PF_PACKET_DEFAULTS, &w->field);
	cp_proto_u64(&w->packet, PF_PACKET_FLAGS, PF_FLAG_CLEARED);
	cp_perfetto_put(w, w->start);
}

static void
put_processes(struct cp_perfetto *w)
{
	for (size_t i = 0; i < w->p->threads.len; i++) {
		const struct cp_profile_thread *t = &w->p->threads.data[i];
		const char *process = t->process != NULL ? t->process : t->name;

		if (t->pid == CP_NO_ID || t->tid == CP_NO_ID)
			continue;
		cp_proto_always(&w->part, PF_PROCESS_PID, t->pid);
		cp_proto_text(&w->part, PF_PROCESS_CMDLINE,
		    process != NULL ? process : "");
		cp_proto_take(&w->field, PF_TREE_PROCESS, &w->part);
		cp_proto_always(&w->part, PF_THREAD_TID, t->tid);
		cp_proto_text(
		    &w->part, PF_THREAD_NAME, t->name != NULL ? t->name : "");
		cp_proto_always(&w->part, PF_THREAD_TGID, t->pid);
		cp_proto_take(&w->field, PF_TREE_THREAD, &w->part);
	}
	cp_proto_take(&w->packet, PF_PACKET_PROCESS_TREE, &w->field);
	cp_perfetto_put(w, w->start);
}

static uint64_t
mode_of(uint8_t level)
{
	switch (level) {
	case CP_LEVEL_KERNEL: return PF_MODE_KERNEL;
	case CP_LEVEL_USER: return PF_MODE_USER;
	case CP_LEVEL_HYPERVISOR: return PF_MODE_HYPERVISOR;
	case CP_LEVEL_GUEST_KERNEL: return PF_MODE_GUEST_KERNEL;
	case CP_LEVEL_GUEST_USER: return PF_MODE_GUEST_USER;
	default: return 0;
	}
}

static void
put_id(struct cp_perfetto *w, unsigned field, uint32_t id)
{
	if (id != CP_NO_ID)
		cp_proto_always(&w->field, field, id);
}

static void
put_sample(
    struct cp_perfetto *w, const struct cp_profile_sample *s, uint64_t count)
{
	const struct cp_profile *p = w->p;
	uint32_t frame = p->stacks.data[s->stack].frame;

	put_id(w, PF_SAMPLE_CPU, s->cpu);
	if (s->thread != CP_NO_ID) {
		put_id(w, PF_SAMPLE_PID, p->threads.data[s->thread].pid);
		put_id(w, PF_SAMPLE_TID, p->threads.data[s->thread].tid);
	}
	cp_proto_u64(&w->field, PF_SAMPLE_CALLSTACK, s->stack + 1);
	cp_proto_u64(
	    &w->field, PF_SAMPLE_MODE, mode_of(p->frames.data[frame].level));
	cp_proto_always(&w->field, PF_SAMPLE_COUNT, count);
	cp_proto_take(&w->packet, PF_PACKET_PERF_SAMPLE, &w->field);
	cp_proto_u64(&w->packet, PF_PACKET_FLAGS, PF_FLAG_NEEDED);
	cp_perfetto_put(w, s->time != CP_NO_TIME ? s->time : w->start);
}

static void
put_event(struct cp_perfetto *w, struct cp_perfetto_code *code, uint32_t event)
{
	const struct cp_profile_event *e = &w->p->events.data[event];
	uint64_t count = 0;

	put_defaults(w, e);
	cp_perfetto_put_code(w, code, event);
	for (size_t i = 0; i < cp_profile_samples(w->p); i++) {
		struct cp_profile_sample s = cp_profile_sample_at(w->p, i);

		if (s.event != event)
			continue;
		count += s.weight;
		put_sample(w, &s, count);
	}
}

/* The sentences about the capture, on a track of their own. */
static void
put_about(void *ctx, const char *line)
{
	struct cp_perfetto *w = ctx;

	cp_proto_u64(&w->field, PF_EVENT_TYPE, PF_EVENT_INSTANT);
	cp_proto_u64(&w->field, PF_EVENT_TRACK, 1);
	cp_proto_text(&w->field, PF_EVENT_CATEGORY, "coldperf");
	cp_proto_text(&w->field, PF_EVENT_NAME, line);
	cp_proto_take(&w->packet, PF_PACKET_TRACK_EVENT, &w->field);
	cp_perfetto_put(w, w->start);
}

static void
put_about_track(struct cp_perfetto *w)
{
	cp_proto_u64(&w->field, PF_TRACK_UUID, 1);
	cp_proto_text(&w->field, PF_TRACK_NAME, "about the capture");
	cp_proto_take(&w->packet, PF_PACKET_TRACK, &w->field);
	cp_perfetto_put(w, w->start);
}

static void
put_all(struct cp_perfetto *w, const struct cp_render_options *opt,
    const struct cp_report *r)
{
	struct cp_export x = { .report = r, .profile = w->p };
	struct cp_perfetto_code code;

	w->sequence = 0;
	put_defaults(w, NULL);
	put_clocks(w);
	put_processes(w);
	put_about_track(w);
	cp_export_about(&x, opt, put_about, w);
	cp_perfetto_put_states(w);
	cp_perfetto_put_losses(w);
	cp_perfetto_code_init(&code, w->p);
	for (uint32_t i = 0; i < w->p->events.len; i++)
		if (w->p->events.data[i].samples != 0)
			put_event(w, &code, i);
	cp_perfetto_code_free(&code);
}

static void
perfetto_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	struct cp_perfetto w = { .p = cp_profile_of(r), .out = out };
	struct cp_buf *all[] = { &w.packet, &w.field, &w.part, &w.list };

	if (w.p == NULL)
		return;
	w.start = cp_profile_first_time(w.p);
	if (w.start == CP_NO_TIME)
		w.start = 1;
	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_buf_init(all[i], SIZE_MAX / 2);
	put_all(&w, opt, r);
	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_buf_free(all[i]);
}

const struct cp_renderer cp_renderer_perfetto = {
	.name = "perfetto",
	.suffix = ".perfetto-trace",
	.others = ".pftrace",
	.shows = CP_SHOWS(CP_SECTION_PROFILE),
	.write = perfetto_write,
};
