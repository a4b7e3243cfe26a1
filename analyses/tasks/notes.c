/* SPDX-License-Identifier: MIT */
#include "analyses/tasks/notes.h"

#include "analyses/common/label.h"
#include "analyses/lost/waits.h"

const struct cp_probe cp_sched_probes[] = {
	{ "sched:sched_switch", { NULL } },
	{ "sched:sched_wak*", { NULL } },
	{ "sched:sched_migrate_task", { NULL } },
	{ NULL, { NULL } },
};

void
cp_spans_note(const struct cp_spans *s, struct cp_report *rep)
{
	struct cp_word count, by;

	if ((s->switches || s->begins) && cp_spans_tasks_only(s))
		cp_report_note(rep,
		    "only switches of the recorded threads are in the capture: "
		    "who had their CPU meanwhile, and what other threads did, "
		    "is not known%s; this records the whole machine: perf "
		    "record -a",
		    s->begins ? ""
			      : ", nor when a thread got the CPU "
				"(--switch-events would tell)");
	cp_lost_late_note(rep, s->late);
	if (s->skewed != 0)
		cp_report_note(rep,
		    "threads that began to run on a CPU before they had left "
		    "another: %s, by %s at most; the clocks of the CPUs "
		    "differ, "
		    "and the time that both count is in both",
		    cp_word_count(&count, s->skewed),
		    cp_word_time(&by, s->skew));
}

void
cp_spans_renamed_note(const struct cp_spans *s, struct cp_report *rep)
{
	struct cp_word word;
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->n_threads; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(s, i);

		n += t->was_kept && !cp_sched_thread_kept(s, t);
	}
	if (n != 0)
		cp_report_note(rep,
		    "threads that had a name of --comm and have another since: "
		    "%s; they are left out, since a thread is counted under "
		    "its last name",
		    cp_word_count(&word, n));
}
