/* SPDX-License-Identifier: MIT */
#include "analyses/common/ratio.h"

#include <math.h>

const struct cp_ratio_def cp_ratio_defs[CP_RATIOS] = {
	[CP_RATIO_CPI] = { "cycles per instruction", "CPI", CP_ROLE_CYCLES,
	    CP_ROLE_INSTRUCTIONS, 1 },
	[CP_RATIO_CACHE_PER_1000] = { "cache misses per 1000 instructions",
	    "Cache/1000", CP_ROLE_CACHE_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_CACHE_SHARE] = { "cache misses per cache reference",
	    "Cache missed", CP_ROLE_CACHE_MISSES, CP_ROLE_CACHE_REFERENCES, 1 },
	[CP_RATIO_BRANCH_PER_1000] = { "branch misses per 1000 instructions",
	    "Branch/1000", CP_ROLE_BRANCH_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_BRANCH_SHARE] = { "branch misses per branch", "Branch missed",
	    CP_ROLE_BRANCH_MISSES, CP_ROLE_BRANCHES, 1 },
	[CP_RATIO_FRONT_STALLS] = { "front-end stalls per cycle",
	    "Front stalls", CP_ROLE_FRONT_STALLS, CP_ROLE_CYCLES, 1 },
	[CP_RATIO_BACK_STALLS] = { "back-end stalls per cycle", "Back stalls",
	    CP_ROLE_BACK_STALLS, CP_ROLE_CYCLES, 1 },
	[CP_RATIO_L1D_PER_1000] = { "L1 data misses per 1000 instructions",
	    "L1D/1000", CP_ROLE_L1D_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_L1I_PER_1000] = { "L1 code misses per 1000 instructions",
	    "L1I/1000", CP_ROLE_L1I_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_LLC_PER_1000] = { "last-level cache misses per 1000 "
				    "instructions",
	    "LLC/1000", CP_ROLE_LLC_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_DTLB_PER_1000] = { "data TLB misses per 1000 instructions",
	    "dTLB/1000", CP_ROLE_DTLB_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
	[CP_RATIO_ITLB_PER_1000] = { "code TLB misses per 1000 instructions",
	    "iTLB/1000", CP_ROLE_ITLB_MISSES, CP_ROLE_INSTRUCTIONS, 1000 },
};

/* Student's t for 95 % and n values; within 1 % of the table from n = 3 on. */
static double
student(double n)
{
	double f = n - 1;

	if (f < 2)
		return 12.7;
	return 1.96 + 2.37 / f + 2.8 / (f * f) + 2.4 / (f * f * f);
}

struct cp_ratio
cp_ratio_around(double value, double sd, double samples)
{
	double t = student(samples);

	return (struct cp_ratio){ value, value * exp(-t * sd),
		value * exp(t * sd) };
}

static const struct cp_ratio not_known = { NAN, NAN, NAN };

/* Returns the relative variance of a count that was sampled by itself. */
static double
relative_variance(
    const struct cp_counts *c, const struct cp_counts *whole, enum cp_role role)
{
	struct cp_mass part = c->mass[role], all = whole->mass[role];
	double p = cp_share((double)part.weight, (double)all.weight);
	double k = cp_mass_samples(part);
	double n = cp_effective(part, (struct cp_whole){ .mass = all });

	/* The count is off by up to half a period at each end. */
	return (1 - p) / (p * n) + 1 / (12 * k * k);
}

static struct cp_ratio
independent(const struct cp_counts *c, const struct cp_counts *whole,
    const struct cp_ratio_def *d)
{
	uint64_t a = c->samples[d->above], b = c->samples[d->below];
	double variance;

	if (a < CP_RATIO_LEAST || b < CP_RATIO_LEAST ||
	    c->mass[d->above].weight == 0 || c->mass[d->below].weight == 0)
		return not_known;
	variance = relative_variance(c, whole, d->above) +
		   relative_variance(c, whole, d->below);
	return cp_ratio_around((double)c->mass[d->above].weight * d->scale /
				   (double)c->mass[d->below].weight,
	    sqrt(variance), (double)(a < b ? a : b));
}

static struct cp_ratio
from_readings(const struct cp_counts *c, enum cp_ratio_kind kind)
{
	const struct cp_ratio_def *d = &cp_ratio_defs[kind];
	struct cp_mass a = c->mass[d->above], b = c->mass[d->below];
	double k = (double)c->readings[kind], r, ab, residuals;

	if (k < CP_RATIO_LEAST || a.weight == 0 || b.weight == 0)
		return not_known;
	r = (double)a.weight / (double)b.weight;
	ab = (c->both_sq[kind] - a.weight_sq - b.weight_sq) / 2;
	residuals = a.weight_sq - 2 * r * ab + r * r * b.weight_sq;
	/*
	 * With equal readings only rounding errors are left, which may be
	 * negative.
	 */
	if (residuals < 0)
		residuals = 0;
	return cp_ratio_around(
	    r * d->scale, sqrt(residuals * k / (k - 1)) / (double)a.weight, k);
}

struct cp_ratio
cp_ratio_of(const struct cp_counts *c, const struct cp_counts *whole,
    enum cp_ratio_kind kind, bool readings)
{
	return readings ? from_readings(c, kind)
			: independent(c, whole, &cp_ratio_defs[kind]);
}

struct cp_ratio
cp_ratio_inverse(struct cp_ratio r)
{
	return (struct cp_ratio){ 1 / r.value, 1 / r.hi, 1 / r.lo };
}

struct cp_cell
cp_ratio_cell(struct cp_ratio r)
{
	return cp_cell_value(r.value, r.lo, r.hi);
}
