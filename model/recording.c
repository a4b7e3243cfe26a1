/* SPDX-License-Identifier: MIT */
#include "model/recording.h"

/* perf numbers the descriptions in the order of the attrs. */
static void
link_evsel(struct cp_recording *rec, size_t i)
{
	struct cp_evsel_info *ev = rec->evsels.all.data[i];
	bool had = ev->tp != NULL;
	char name[256];

	if (ev->pub.tracepoint) {
		/*
		 * Looked up again, because layouts move when others are added.
		 */
		ev->tp = cp_tp_find(&rec->tracepoints, ev->pub.config);
		if (ev->tp != NULL && !had) {
			snprintf(name, sizeof(name), "%s:%s", ev->tp->system,
			    ev->tp->name);
			cp_evsels_rename(&rec->evsels, ev, name);
		}
	}
	if (i < rec->info.events.len && rec->info.events.data[i].name != NULL)
		cp_evsels_rename(
		    &rec->evsels, ev, rec->info.events.data[i].name);
}

/*
 * Names ev by a matching simpleperf description from index `from` on.  Layouts
 * name tracepoints, whether they come before the descriptions or after.
 */
static void
link_simpleperf(struct cp_recording *rec, struct cp_evsel_info *ev, size_t from)
{
	if (ev->tp != NULL)
		return;
	for (size_t i = from; i < rec->info.sp_events.len; i++) {
		const struct cp_sp_event *e = &rec->info.sp_events.data[i];

		if (e->type == ev->attr.type && e->config == ev->attr.config) {
			cp_evsels_rename(&rec->evsels, ev, e->name);
			return;
		}
	}
}

/* Looks only at new entries: a pipe may bring them one by one. */
void
cp_recording_link(struct cp_recording *rec)
{
	size_t n = rec->evsels.all.len, old = rec->linked.evsels;
	size_t events = CP_MIN(rec->info.events.len, old), first = old;

	if (rec->tracepoints.events.len != rec->linked.tracepoints)
		old = 0;
	for (size_t i = rec->linked.events; i < events; i++)
		link_evsel(rec, i);
	for (size_t i = old; i < n; i++)
		link_evsel(rec, i);
	if (rec->info.sp_events.len != rec->linked.sp_events)
		first = 0;
	for (size_t i = first; i < n && rec->info.simpleperf; i++)
		link_simpleperf(rec, rec->evsels.all.data[i],
		    i < rec->linked.evsels ? rec->linked.sp_events : 0);
	rec->linked.evsels = n;
	rec->linked.events = rec->info.events.len;
	rec->linked.tracepoints = rec->tracepoints.events.len;
	rec->linked.sp_events = rec->info.sp_events.len;
}

void
cp_recording_free(struct cp_recording *rec)
{
	cp_evsels_free(&rec->evsels);
	cp_info_free(&rec->info);
	cp_tracepoints_free(&rec->tracepoints);
	cp_counts_free(&rec->counts);
	*rec = (struct cp_recording){ 0 };
}
