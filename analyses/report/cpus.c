/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <inttypes.h>
#include <stdlib.h>

static void
add_cpus(struct cp_tally *cpus, const struct cp_tally *by_cpu)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(by_cpu, &rows);

	for (size_t i = 0; i < n; i++)
		if (rows[i].b != CP_NO_ID)
			cp_tally_add(cpus, rows[i].b, 0, 1);
}

/* Counts the CPUs of the capture, whatever the filters leave out. */
static uint32_t
cpus_seen(const struct cp_overview *r)
{
	const struct cp_tally_row *rows;
	struct cp_tally *cpus = cp_tally_new(r->run);

	add_cpus(cpus, r->by_cpu);
	add_cpus(cpus, r->left_out);
	return (uint32_t)cp_tally_rows(cpus, &rows);
}

uint32_t
cp_overview_cpus(const struct cp_overview *r)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_cpu, &rows);
	uint32_t cpus = 0;

	for (size_t i = 0; i < n; i++)
		cpus += rows[i].a == r->event && rows[i].b != CP_NO_ID;
	return cpus;
}

bool
cp_overview_lacks_cpus(const struct cp_overview *r)
{
	const char *online = cp_run_fact(r->run, "cpus-online");

	return online != NULL &&
	       strtoul(online, NULL, 10) > (unsigned long)cpus_seen(r);
}

void
cp_overview_note_waits(const struct cp_overview *r, struct cp_report *rep)
{
	cp_report_note(rep,
	    "threads that waited for a CPU, and who had it: coldperf sched");
	if (cp_overview_lacks_cpus(r) && cpus_seen(r) != 0)
		cp_report_note(rep,
		    "%" PRIu32 " of %.20s CPUs have samples: a thread that ran "
		    "on another looks as if it waited",
		    cpus_seen(r), cp_run_fact(r->run, "cpus-online"));
}

void
cp_overview_note_cpus(struct cp_overview *r, struct cp_report *rep)
{
	const struct cp_tally_row *rows, *most = NULL, *least = NULL;
	size_t n = cp_tally_rows(r->by_cpu, &rows);
	double all = (double)r->all.mass.weight;
	struct cp_word a, b;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].a != r->event || rows[i].b == CP_NO_ID)
			continue;
		if (most == NULL || rows[i].weight > most->weight ||
		    (rows[i].weight == most->weight && rows[i].b < most->b))
			most = &rows[i];
		if (least == NULL || rows[i].weight < least->weight ||
		    (rows[i].weight == least->weight && rows[i].b > least->b))
			least = &rows[i];
	}
	if (cp_overview_cpus(r) < 2)
		return;
	cp_report_note(rep,
	    "%" PRIu32 " CPUs have samples: CPU %" PRIu64
	    " the most, %s, CPU %" PRIu64 " the least, %s",
	    cp_overview_cpus(r), most->b,
	    cp_word_percent(&a, (double)most->weight, all), least->b,
	    cp_word_percent(&b, (double)least->weight, all));
}
