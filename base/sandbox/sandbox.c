/* SPDX-License-Identifier: MIT */
#include "base/sandbox/sandbox.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/sandbox/walls.h"

/*
 * A sanitizer traces the process at its end and starts a program to name
 * addresses; coverage data are written next to each source file.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(CP_COVERAGE)
#define CP_NO_WALLS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CP_NO_WALLS 1
#endif
#endif
#ifndef CP_NO_WALLS
#define CP_NO_WALLS 0
#endif

/*
 * Forbids core files, which would hold the data that was read.  Other limits
 * would disturb: NPROC counts all processes of the user, AS and FSIZE depend on
 * the capture.
 */
static void
leave_no_core(void)
{
	const struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
}

unsigned
cp_sandbox_enter(const struct cp_sandbox *s)
{
	unsigned walls = 0;

	if (CP_NO_WALLS || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0;
	leave_no_core();
	if (!s->processes && cp_landlock_enter(s->writable, s->n))
		walls |= CP_WALL_FILES;
	if (cp_seccomp_enter(s->network, s->terminal))
		walls |= CP_WALL_CALLS;
	return walls;
}
