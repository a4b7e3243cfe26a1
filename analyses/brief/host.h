/* SPDX-License-Identifier: MIT */
/*
 * analyses/brief/host.h: what the capture's host can record, so that the
 * overview advises nothing that perf refuses there.
 *
 * The capture's list of PMUs tells, and its architecture.  Where they are
 * missing the host is taken to be able.
 */
#ifndef CP_ANALYSES_BRIEF_HOST_H
#define CP_ANALYSES_BRIEF_HOST_H

#include <coldperf/plugin.h>

/* Whether its CPUs have counters; a virtual machine may have none. */
bool cp_host_counts(const struct cp_run *);
/* Whether it can record what the advice says. */
bool cp_host_branches(const struct cp_run *);
bool cp_host_memory(const struct cp_run *);

#endif
