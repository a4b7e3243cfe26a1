/* SPDX-License-Identifier: MIT */
#include "model/recording.h"

/* perf numbers the descriptions as it numbers the attrs. */
static void
link_evsel(struct cp_recording *rec, size_t i)
{
	struct cp_evsel_info *ev = rec->evsels.all.data[i];
	char name[256];

	if (ev->pub.tracepoint && ev->tp == NULL) {
		ev->tp = cp_tp_find(&rec->tracepoints, ev->pub.config);
		if (ev->tp != NULL) {
			snprintf(name, sizeof(name), "%s:%s", ev->tp->system,
			    ev->tp->name);
			cp_evsels_rename(&rec->evsels, ev, name);
		}
	}
	if (i < rec->info.events.len && rec->info.events.data[i].name != NULL)
		cp_evsels_rename(&rec->evsels, ev,
		    rec->info.events.data[i].name);
}

static void
link_simpleperf(struct cp_recording *rec, struct cp_evsel_info *ev)
{
	for (size_t i = 0; i < rec->info.sp_events.len; i++) {
		const struct cp_sp_event *e = &rec->info.sp_events.data[i];

		if (e->type == ev->attr.type && e->config == ev->attr.config) {
			cp_evsels_rename(&rec->evsels, ev, e->name);
			return;
		}
	}
}

void
cp_recording_link(struct cp_recording *rec)
{
	for (size_t i = 0; i < rec->evsels.all.len; i++) {
		link_evsel(rec, i);
		if (rec->info.simpleperf)
			link_simpleperf(rec, rec->evsels.all.data[i]);
	}
}

void
cp_recording_free(struct cp_recording *rec)
{
	cp_evsels_free(&rec->evsels);
	cp_info_free(&rec->info);
	cp_tracepoints_free(&rec->tracepoints);
	*rec = (struct cp_recording) { 0 };
}
