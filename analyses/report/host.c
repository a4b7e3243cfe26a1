/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <string.h>

enum { HARDWARE = 0, RAW = 4 };

static bool
begins(const char *s, const char *with)
{
	return s != NULL && strncmp(s, with, strlen(with)) == 0;
}

/* Whether a PMU's name begins so; NULL: whether PMUs are known at all. */
static bool
has_pmu(const struct cp_run *run, const char *name)
{
	const struct cp_fact *facts;
	size_t n = cp_run_facts(run, &facts);

	for (size_t i = 0; i < n; i++)
		if (strcmp(facts[i].key, "pmu") == 0 &&
		    (name == NULL || begins(facts[i].value, name)))
			return true;
	return false;
}

/* An event of the CPU's counters is proof. */
static bool
counted(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (e->type == HARDWARE || e->type == RAW)
			return true;
	}
	return false;
}

/* A value is "name = type": the blank ends the name. */
bool
cp_host_counts(const struct cp_run *run)
{
	static const char *const cpus[] = { "cpu ", "cpu_core ", "cpu_atom ",
		"armv", "apple_", "cpum_cf " };

	if (!has_pmu(run, NULL) || counted(run))
		return true;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		if (has_pmu(run, cpus[i]))
			return true;
	return false;
}

static bool
is_arm(const struct cp_run *run)
{
	const char *arch = cp_run_fact(run, "arch");

	return begins(arch, "arm") || begins(arch, "aarch64");
}

bool
cp_host_branches(const struct cp_run *run)
{
	return cp_host_counts(run) && !is_arm(run);
}

/* AMD samples operations, on whole CPUs; ARM writes a trace (SPE). */
bool
cp_host_memory(const struct cp_run *run)
{
	return cp_host_counts(run) && !is_arm(run) &&
	       (has_pmu(run, "ibs_op ") ||
		   !begins(cp_run_fact(run, "cpuid"), "AuthenticAMD"));
}
