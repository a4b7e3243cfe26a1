/* SPDX-License-Identifier: MIT */
#include "sql/words.h"

#include <coldperf/plugin.h>

#include "base/base.h"

#define WORD(list, i) ((i) < CP_ARRAY_LEN(list) ? (list)[i] : NULL)

const char *
cp_sql_kind(uint8_t kind)
{
	static const char *const words[] = {
#define CP_KIND_WORD(id, word) [CP_DSO_##id] = (word),
#include <coldperf/words.def>
	};

	return WORD(words, kind);
}

const char *
cp_sql_level(uint8_t level)
{
	static const char *const words[] = {
		[CP_LEVEL_KERNEL] = "kernel",
		[CP_LEVEL_USER] = "user",
		[CP_LEVEL_HYPERVISOR] = "hypervisor",
		[CP_LEVEL_GUEST_KERNEL] = "guest kernel",
		[CP_LEVEL_GUEST_USER] = "guest user",
	};

	return WORD(words, level);
}

const char *
cp_sql_end(uint8_t end)
{
	static const char *const words[] = {
#define CP_END_WORD(id, word) [CP_UNWIND_##id] = (word),
#include <coldperf/words.def>
	};

	return WORD(words, end);
}

const char *
cp_sql_mark(uint8_t kind)
{
	static const char *const words[] = {
		[CP_SIDE_FORK] = "fork",
		[CP_SIDE_EXIT] = "exit",
		[CP_SIDE_COMM] = "comm",
		[CP_SIDE_LOST] = "lost",
		[CP_SIDE_THROTTLE] = "throttle",
		[CP_SIDE_UNTHROTTLE] = "unthrottle",
	};

	return WORD(words, kind);
}

const char *
cp_sql_tone(uint8_t tone)
{
	static const char *const words[] = {
		[CP_TONE_RUN] = "running",
		[CP_TONE_WAIT] = "runnable",
		[CP_TONE_BLOCK] = "blocked",
		[CP_TONE_IDLE] = "idle",
	};

	return WORD(words, tone);
}

const char *
cp_sql_guess(uint8_t flags)
{
	if ((flags & CP_FRAME_GUESSED) == 0)
		return NULL;
	if ((flags & CP_FRAME_LOST) != 0)
		return "call";
	if ((flags & CP_FRAME_SCANNED) != 0)
		return "scan";
	return (flags & CP_FRAME_EDGE) != 0 ? "edge" : "pointer";
}
