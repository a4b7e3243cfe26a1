/* SPDX-License-Identifier: MIT */
/*
 * readers/header/feature-read.h: what the readers of single features share.
 *
 * Internal to readers/header/feature*.c.  Each feature is a function over a
 * cursor; it reads, stores, and stops at damage.  features.c reports the
 * damage.
 */
#ifndef CP_READERS_HEADER_FEATURE_READ_H
#define CP_READERS_HEADER_FEATURE_READ_H

#include "base/bytes.h"
#include "base/diag.h"
#include "model/info.h"

struct cp_fx {
	struct cp_info *info;
	struct cp_diags *diags;
	struct cp_bytes b;
	uint32_t bit;
	const char *name;
	const char *group; /* prefix of the keys of facts */
	const char *bad;   /* the first damage found, in words */
};

typedef void (*cp_fx_read)(struct cp_fx *);

/* Reports damage; the first reason is kept. */
void cp_fx_bad(struct cp_fx *, const char *reason);
/* True while no read failed and no damage was found. */
static inline bool
cp_fx_ok(const struct cp_fx *x)
{
	return !x->b.failed && x->bad == NULL;
}

/* Copies a length-prefixed text; "" if it cannot be read. */
const char *cp_fx_text(struct cp_fx *);

/*
 * Limits n, a count of things of at least min bytes each, to what the rest of
 * the payload can hold (more is damage) and to max.
 */
uint32_t cp_fx_fit(struct cp_fx *, uint64_t n, size_t min, uint32_t max);
/* Reads a u32 and limits it in the same way. */
uint32_t cp_fx_count(struct cp_fx *, size_t min, uint32_t max);
/* Reads a list of texts. */
struct cp_strlist cp_fx_list(struct cp_fx *, uint32_t max);

#define cp_fx_fact(x, key, ...)                                                \
	cp_info_fact((x)->info, (x)->bit, (x)->group, (key), __VA_ARGS__)

/* feature-events.c */
void cp_fx_event_desc(struct cp_fx *);
void cp_fx_group_desc(struct cp_fx *);
void cp_fx_pmu_mappings(struct cp_fx *);
void cp_fx_build_ids(struct cp_fx *);

/* feature-host.c */
void cp_fx_cpu_topology(struct cp_fx *);
void cp_fx_numa(struct cp_fx *);
void cp_fx_cache(struct cp_fx *);
void cp_fx_mem_topology(struct cp_fx *);
void cp_fx_cpu_pmu_caps(struct cp_fx *);
void cp_fx_pmu_caps(struct cp_fx *);
void cp_fx_hybrid(struct cp_fx *);
void cp_fx_cpu_domains(struct cp_fx *);

/* feature-bpf.c */
void cp_fx_bpf_progs(struct cp_fx *);
void cp_fx_bpf_btf(struct cp_fx *);

/* feature-simpleperf.c */
void cp_fx_sp_file(struct cp_fx *);
void cp_fx_sp_file2(struct cp_fx *);
void cp_fx_sp_meta(struct cp_fx *);

#endif
