/* SPDX-License-Identifier: MIT */
#include "readers/record-head.h"

#include "base/limits.h"

/* Smallest size of each type, header included; 0: any size. */
static const uint16_t smallest[] = {
	[CP_RECORD_MMAP] = 48,
	[CP_RECORD_LOST] = 24,
	[CP_RECORD_COMM] = 24,
	[CP_RECORD_EXIT] = 32,
	[CP_RECORD_THROTTLE] = 32,
	[CP_RECORD_UNTHROTTLE] = 32,
	[CP_RECORD_FORK] = 32,
	[CP_RECORD_READ] = 24,
	[CP_RECORD_SAMPLE] = 8,
	[CP_RECORD_MMAP2] = 80,
	[CP_RECORD_AUX] = 32,
	[CP_RECORD_ITRACE_START] = 16,
	[CP_RECORD_LOST_SAMPLES] = 16,
	[CP_RECORD_SWITCH] = 8,
	[CP_RECORD_SWITCH_CPU_WIDE] = 16,
	[CP_RECORD_NAMESPACES] = 24,
	[CP_RECORD_KSYMBOL] = 32,
	[CP_RECORD_BPF_EVENT] = 24,
	[CP_RECORD_CGROUP] = 24,
	[CP_RECORD_TEXT_POKE] = 24,
	[CP_RECORD_AUX_OUTPUT_HW_ID] = 16,
	[CP_RECORD_CALLCHAIN_DEFERRED] = 24,
	[CP_RECORD_HEADER_ATTR] = 72,
	[CP_RECORD_HEADER_EVENT_TYPE] = 16,
	[CP_RECORD_TRACING_DATA] = 12,
	[CP_RECORD_HEADER_BUILD_ID] = 37,
	[CP_RECORD_FINISHED_ROUND] = 8,
	[CP_RECORD_ID_INDEX] = 16,
	[CP_RECORD_AUXTRACE_INFO] = 16,
	[CP_RECORD_AUXTRACE] = 48,
	[CP_RECORD_AUXTRACE_ERROR] = 48,
	[CP_RECORD_THREAD_MAP] = 16,
	[CP_RECORD_CPU_MAP] = 16,
	[CP_RECORD_STAT_CONFIG] = 16,
	[CP_RECORD_STAT] = 48,
	[CP_RECORD_STAT_ROUND] = 24,
	[CP_RECORD_EVENT_UPDATE] = 24,
	[CP_RECORD_TIME_CONV] = 32,
	[CP_RECORD_HEADER_FEATURE] = 16,
	[CP_RECORD_COMPRESSED] = 8,
	[CP_RECORD_FINISHED_INIT] = 8,
	[CP_RECORD_COMPRESSED2] = 16,
	[CP_RECORD_BPF_METADATA] = 528,
	[CP_RECORD_SCHEDSTAT_CPU] = 24,
	[CP_RECORD_SCHEDSTAT_DOMAIN] = 24,
};

/* Types whose size need not be a multiple of 8, whoever wrote them. */
static bool
odd_size(uint32_t type)
{
	return type == CP_RECORD_TRACING_DATA ||
	       type == CP_RECORD_HEADER_BUILD_ID ||
	       type == CP_RECORD_COMPRESSED || type == CP_RECORD_HEADER_FEATURE;
}

static bool
has_smallest(uint32_t type)
{
	return type < CP_ARRAY_LEN(smallest) && smallest[type] != 0;
}

uint64_t
cp_extra_size(const struct cp_event *ev)
{
	if (ev->type == CP_RECORD_AUXTRACE)
		return cp_load64(ev->bytes + CP_HEAD_SIZE, ev->swap);
	if (ev->type == CP_RECORD_TRACING_DATA && !cp_tracing_inside(ev))
		return cp_align8(cp_load32(ev->bytes + CP_HEAD_SIZE, ev->swap));
	return 0;
}

bool
cp_head_possible(const struct cp_record_head *h)
{
	if (h->size < CP_HEAD_SIZE || h->size > CP_MAX_RECORD)
		return false;
	if (h->type > CP_SIMPLEPERF_FIRST && h->type <= CP_SIMPLEPERF_LAST)
		return true;
	/* A record whose texts are not padded may be shorter. */
	return has_smallest(h->type) && cp_align8(h->size) >= smallest[h->type];
}

/* Larger types than these are damage: 22 and 86 are the last ones today. */
enum { LAST_KERNEL = 48, LAST_PERF = 112 };

bool
cp_head_plausible_(const struct cp_record_head *h, bool *known)
{
	*known = false;
	if (h->size < CP_HEAD_SIZE || h->type == 0)
		return false;
	if (h->type > CP_SIMPLEPERF_FIRST && h->type <= CP_SIMPLEPERF_LAST) {
		*known = true;
		return h->size % 4 == 0 && h->size <= CP_MAX_RECORD;
	}
	if (h->size % 8 != 0 && !odd_size(h->type))
		return false;
	if (!has_smallest(h->type))
		/* newer kernels and perfs may add some types */
		return h->type < LAST_KERNEL ||
		       (h->type >= CP_RECORD_HEADER_ATTR &&
			   h->type < LAST_PERF);
	*known = true;
	return h->size >= smallest[h->type];
}
