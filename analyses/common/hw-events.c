/* SPDX-License-Identifier: MIT */
#include "analyses/common/hw-events.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { TYPE_HARDWARE = 0, TYPE_HW_CACHE = 3, TYPE_RAW = 4 };

static const struct {
	const char *name;
	enum cp_role role;
} names[] = {
	{ "cycles", CP_ROLE_CYCLES },
	{ "cpu-cycles", CP_ROLE_CYCLES },
	{ "cpu_cycles", CP_ROLE_CYCLES },
	{ "unhalted_core_cycles", CP_ROLE_CYCLES },
	{ "cpu_clk_unhalted", CP_ROLE_CYCLES },
	{ "cpu_clk_unhalted.thread", CP_ROLE_CYCLES },
	{ "cpu_clk_unhalted.thread_p", CP_ROLE_CYCLES },
	{ "cpu_clk_unhalted.core", CP_ROLE_CYCLES },
	{ "cpu_clk_unhalted.core_p", CP_ROLE_CYCLES },
	{ "ls_not_halted_cyc", CP_ROLE_CYCLES },
	{ "pm_cyc", CP_ROLE_CYCLES },
	{ "pm_run_cyc", CP_ROLE_CYCLES },
	{ "instructions", CP_ROLE_INSTRUCTIONS },
	{ "inst_retired", CP_ROLE_INSTRUCTIONS },
	{ "inst_retired.any", CP_ROLE_INSTRUCTIONS },
	{ "inst_retired.any_p", CP_ROLE_INSTRUCTIONS },
	{ "inst_retired.prec_dist", CP_ROLE_INSTRUCTIONS },
	{ "instruction_retired", CP_ROLE_INSTRUCTIONS },
	{ "instructions_retired", CP_ROLE_INSTRUCTIONS },
	{ "ex_ret_instr", CP_ROLE_INSTRUCTIONS },
	{ "pm_inst_cmpl", CP_ROLE_INSTRUCTIONS },
	{ "pm_run_inst_cmpl", CP_ROLE_INSTRUCTIONS },
	{ "cache-references", CP_ROLE_CACHE_REFERENCES },
	{ "longest_lat_cache.reference", CP_ROLE_CACHE_REFERENCES },
	{ "cache-misses", CP_ROLE_CACHE_MISSES },
	{ "longest_lat_cache.miss", CP_ROLE_CACHE_MISSES },
	{ "branches", CP_ROLE_BRANCHES },
	{ "branch-instructions", CP_ROLE_BRANCHES },
	{ "br_inst_retired.all_branches", CP_ROLE_BRANCHES },
	{ "br_retired", CP_ROLE_BRANCHES },
	{ "ex_ret_brn", CP_ROLE_BRANCHES },
	{ "branch-misses", CP_ROLE_BRANCH_MISSES },
	{ "br_misp_retired.all_branches", CP_ROLE_BRANCH_MISSES },
	{ "br_mis_pred_retired", CP_ROLE_BRANCH_MISSES },
	{ "br_mis_pred", CP_ROLE_BRANCH_MISSES },
	{ "ex_ret_brn_misp", CP_ROLE_BRANCH_MISSES },
	{ "stalled-cycles-frontend", CP_ROLE_FRONT_STALLS },
	{ "idle-cycles-frontend", CP_ROLE_FRONT_STALLS },
	{ "stall_frontend", CP_ROLE_FRONT_STALLS },
	{ "stalled-cycles-backend", CP_ROLE_BACK_STALLS },
	{ "idle-cycles-backend", CP_ROLE_BACK_STALLS },
	{ "stall_backend", CP_ROLE_BACK_STALLS },
	{ "l1-dcache-load-misses", CP_ROLE_L1D_MISSES },
	{ "l1d_cache_refill", CP_ROLE_L1D_MISSES },
	{ "l1-icache-load-misses", CP_ROLE_L1I_MISSES },
	{ "l1i_cache_refill", CP_ROLE_L1I_MISSES },
	{ "llc-load-misses", CP_ROLE_LLC_MISSES },
	{ "ll_cache_miss_rd", CP_ROLE_LLC_MISSES },
	{ "dtlb-load-misses", CP_ROLE_DTLB_MISSES },
	{ "l1d_tlb_refill", CP_ROLE_DTLB_MISSES },
	{ "dtlb_walk", CP_ROLE_DTLB_MISSES },
	{ "itlb-load-misses", CP_ROLE_ITLB_MISSES },
	{ "l1i_tlb_refill", CP_ROLE_ITLB_MISSES },
	{ "itlb_walk", CP_ROLE_ITLB_MISSES },
};

/* By the low byte of config of PERF_TYPE_HARDWARE. */
static const enum cp_role hardware[] = { CP_ROLE_CYCLES, CP_ROLE_INSTRUCTIONS,
	CP_ROLE_CACHE_REFERENCES, CP_ROLE_CACHE_MISSES, CP_ROLE_BRANCHES,
	CP_ROLE_BRANCH_MISSES, CP_ROLES, CP_ROLE_FRONT_STALLS,
	CP_ROLE_BACK_STALLS };

/* By cache of PERF_TYPE_HW_CACHE, for its load misses. */
static const enum cp_role caches[] = { CP_ROLE_L1D_MISSES, CP_ROLE_L1I_MISSES,
	CP_ROLE_LLC_MISSES, CP_ROLE_DTLB_MISSES, CP_ROLE_ITLB_MISSES };

/* Raw event numbers, for events that were recorded without a name. */
static const struct {
	const char *machine; /* prefix of the cpuid, or the arch */
	uint64_t config;
	enum cp_role role;
} raw[] = {
	{ "GenuineIntel", 0x3c, CP_ROLE_CYCLES },
	{ "GenuineIntel", 0xc0, CP_ROLE_INSTRUCTIONS },
	{ "GenuineIntel", 0xc4, CP_ROLE_BRANCHES },
	{ "GenuineIntel", 0xc5, CP_ROLE_BRANCH_MISSES },
	{ "GenuineIntel", 0x4f2e, CP_ROLE_CACHE_REFERENCES },
	{ "GenuineIntel", 0x412e, CP_ROLE_CACHE_MISSES },
	{ "AuthenticAMD", 0x76, CP_ROLE_CYCLES },
	{ "AuthenticAMD", 0xc0, CP_ROLE_INSTRUCTIONS },
	{ "AuthenticAMD", 0xc2, CP_ROLE_BRANCHES },
	{ "AuthenticAMD", 0xc3, CP_ROLE_BRANCH_MISSES },
	{ "aarch64", 0x11, CP_ROLE_CYCLES },
	{ "aarch64", 0x08, CP_ROLE_INSTRUCTIONS },
	{ "aarch64", 0x21, CP_ROLE_BRANCHES },
	{ "aarch64", 0x22, CP_ROLE_BRANCH_MISSES },
	{ "aarch64", 0x23, CP_ROLE_FRONT_STALLS },
	{ "aarch64", 0x24, CP_ROLE_BACK_STALLS },
	{ "aarch64", 0x03, CP_ROLE_L1D_MISSES },
	{ "aarch64", 0x01, CP_ROLE_L1I_MISSES },
	{ "aarch64", 0x05, CP_ROLE_DTLB_MISSES },
	{ "aarch64", 0x02, CP_ROLE_ITLB_MISSES },
};

/* ---------------------------------------------------------------- its name */

static bool
is_modifiers(const char *s)
{
	return s[0] != '\0' && strspn(s, "ukhpPGHISDWebR") == strlen(s);
}

/*
 * Extracts the modifiers that restrict counting (u, k, h ...), in a fixed
 * order.
 */
static void
scope_of(const char *modifiers, char scope[static 8])
{
	static const char letters[] = "ukhGH";
	size_t n = 0;

	for (size_t i = 0; letters[i] != '\0'; i++)
		if (strchr(modifiers, letters[i]) != NULL)
			scope[n++] = letters[i];
	scope[n] = '\0';
}

/*
 * Splits "cpu_core/cycles,period=9/u" or "cycles:u" into PMU, event and
 * modifiers.
 */
static void
name_split(const char *name, struct cp_counted *c, char *event, size_t size)
{
	const char *slash = strchr(name, '/'), *end = strrchr(name, '/');
	const char *colon = strrchr(name, ':'), *from = name;
	size_t n;

	if (slash != NULL && end != slash) {
		n = (size_t)(slash - name);
		if (n < sizeof(c->unit) &&
		    (n != 3 || memcmp(name, "cpu", 3) != 0)) {
			memcpy(c->unit, name, n);
			c->unit[n] = '\0';
		}
		from = slash + 1;
		scope_of(end + 1, c->scope);
	} else if (colon != NULL && is_modifiers(colon + 1)) {
		end = colon;
		scope_of(colon + 1, c->scope);
	} else {
		end = name + strlen(name);
	}
	n = strcspn(from, ",");
	if (n > (size_t)(end - from))
		n = (size_t)(end - from);
	snprintf(event, size, "%.*s", (int)(n < size ? n : size - 1), from);
	for (size_t i = 0; event[i] != '\0'; i++)
		event[i] = (char)tolower((unsigned char)event[i]);
}

static enum cp_role
role_of_name(const char *event)
{
	for (size_t i = 0; i < N_OF(names); i++)
		if (strcmp(names[i].name, event) == 0)
			return names[i].role;
	return CP_ROLES;
}

static enum cp_role
role_of_raw(const struct cp_run *run, uint64_t config)
{
	const char *cpuid = cp_run_fact(run, "cpuid");
	const char *arch = cp_run_fact(run, "arch");

	for (size_t i = 0; i < N_OF(raw); i++) {
		size_t n = strlen(raw[i].machine);

		if (raw[i].config == config &&
		    ((cpuid != NULL &&
			 strncmp(cpuid, raw[i].machine, n) == 0) ||
			(arch != NULL && strcmp(arch, raw[i].machine) == 0)))
			return raw[i].role;
	}
	return CP_ROLES;
}

static enum cp_role
role_of_number(
    const struct cp_run *run, const struct cp_evsel *e, const char *unit)
{
	uint64_t low = e->config & UINT32_MAX;

	if (e->type == TYPE_HARDWARE)
		return low < N_OF(hardware) ? hardware[low] : CP_ROLES;
	if (e->type == TYPE_HW_CACHE)
		return low >> 8 == 0x100 && (low & 0xff) < N_OF(caches)
			   ? caches[low & 0xff]
			   : CP_ROLES;
	if (e->type == TYPE_RAW || strncmp(unit, "armv8", 5) == 0)
		return role_of_raw(run, e->config);
	return CP_ROLES;
}

struct cp_counted
cp_counted_of(const struct cp_run *run, uint32_t event)
{
	const struct cp_evsel *e = cp_run_evsel(run, event);
	struct cp_counted c = { .role = CP_ROLES };
	char name[64];

	if (e->tracepoint || e->dummy)
		return c;
	name_split(e->name, &c, name, sizeof(name));
	if (e->type == TYPE_HARDWARE || e->type == TYPE_HW_CACHE) {
		c.role = role_of_number(run, e, c.unit);
		return c;
	}
	if (e->type >= TYPE_RAW)
		c.role = role_of_name(name);
	if (c.role == CP_ROLES)
		c.role = role_of_number(run, e, c.unit);
	return c;
}

bool
cp_counted_apart(const struct cp_counted *a, const struct cp_counted *b)
{
	static const char levels[] = "ukh";
	bool some_a = false, some_b = false;

	if (strcmp(a->unit, b->unit) != 0)
		return true;
	for (size_t i = 0; levels[i] != '\0'; i++) {
		bool in_a = strchr(a->scope, levels[i]) != NULL;
		bool in_b = strchr(b->scope, levels[i]) != NULL;

		if (in_a && in_b)
			return false;
		some_a |= in_a;
		some_b |= in_b;
	}
	return some_a && some_b;
}

/* ------------------------------------------------------------- the machine */

/*
 * Width of the narrowest stage that all instructions pass (allocation or
 * dispatch), from the vendors' optimization manuals.
 */
static const struct {
	/* 'I', 'A': family and models follow; else ARM's MIDR */
	uint32_t vendor;
	/* family, and a range of models or part numbers */
	uint32_t family, first, last;
	unsigned width;
} widths[] = {
	{ 'I', 6, 0x0f, 0x5e, 4 }, /* Core 2 ... Skylake; Atoms see below */
	{ 'I', 6, 0x66, 0x66, 4 }, { 'I', 6, 0x8e, 0x8e, 4 },
	{ 'I', 6, 0x9e, 0x9e, 4 }, { 'I', 6, 0xa5, 0xa6, 4 },
	{ 'I', 6, 0x6a, 0x6c, 5 }, /* Ice Lake servers */
	{ 'I', 6, 0x7d, 0x7e, 5 }, { 'I', 6, 0x8c, 0x8d, 5 },
	{ 'I', 6, 0xa7, 0xa7, 5 },
	{ 'I', 6, 0x8f, 0x8f, 6 }, /* Sapphire Rapids */
	{ 'I', 6, 0xcf, 0xcf, 6 }, { 'A', 21, 0, 0xff, 4 },
	{ 'A', 23, 0, 0xff, 6 }, /* Zen, Zen 2 */
	{ 'A', 25, 0, 0xff, 6 }, /* Zen 3, Zen 4 */
	{ 'A', 26, 0, 0xff, 8 },
	{ 0x41, 0, 0xd03, 0xd05, 2 }, /* Cortex-A53, A35, A55 */
	{ 0x41, 0, 0xd07, 0xd08, 3 }, /* A57, A72 */
	{ 0x41, 0, 0xd0a, 0xd0a, 3 }, /* A75 */
	{ 0x41, 0, 0xd0b, 0xd0c, 4 }, /* A76, Neoverse N1 */
	{ 0x41, 0, 0xd40, 0xd40, 8 }, /* Neoverse V1 */
	{ 0x41, 0, 0xd49, 0xd49, 5 }, /* Neoverse N2 */
	{ 0x41, 0, 0xd4f, 0xd4f, 8 }, /* Neoverse V2 */
};

/* Atom model numbers lie between those of other cores. */
static bool
is_atom(uint32_t model)
{
	static const uint8_t models[] = { 0x1c, 0x26, 0x27, 0x35, 0x36, 0x37,
		0x4a, 0x4c, 0x4d, 0x57, 0x5a, 0x5c, 0x5d, 0x5f };

	return memchr(models, (int)model, sizeof(models)) != NULL &&
	       model <= 0xff;
}

static unsigned
width_of(uint32_t vendor, uint32_t family, uint32_t model)
{
	if (vendor == 'I' && is_atom(model))
		return 0;
	for (size_t i = 0; i < N_OF(widths); i++)
		if (widths[i].vendor == vendor && widths[i].family == family &&
		    model >= widths[i].first && model <= widths[i].last)
			return widths[i].width;
	return 0;
}

unsigned
cp_machine_width(const struct cp_run *run)
{
	const char *cpuid = cp_run_fact(run, "cpuid");
	unsigned family, model;
	unsigned long long midr;

	if (cpuid == NULL)
		return 0;
	if (sscanf(cpuid, "GenuineIntel,%5u,%5u", &family, &model) == 2)
		return width_of('I', family, model);
	if (sscanf(cpuid, "AuthenticAMD,%5u,%5u", &family, &model) == 2)
		return width_of('A', family, model);
	if (cpuid[0] != '0' || cpuid[1] != 'x')
		return 0;
	midr = strtoull(cpuid, NULL, 16);
	return width_of(midr >> 24 & 0xff, 0, midr >> 4 & 0xfff);
}
