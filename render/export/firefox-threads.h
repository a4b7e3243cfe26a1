/* SPDX-License-Identifier: MIT */
/* render/export/firefox-threads.h: sorts samples by thread. */
#ifndef CP_RENDER_EXPORT_FIREFOX_THREADS_H
#define CP_RENDER_EXPORT_FIREFOX_THREADS_H

#include "report/profile.h"

/* A thread of the profile: samples of one event. */
struct cp_firefox_thread {
	uint32_t event;
	uint32_t thread; /* CP_NO_ID: the smallest threads, joined */
	uint32_t joined; /* number of joined threads */
	size_t first, n; /* of order */
};

struct cp_firefox_threads {
	CP_VEC(struct cp_firefox_thread) all; /* most samples first */
	uint32_t *order; /* samples by thread, then in recorded order */
};

void cp_firefox_threads_init(
    struct cp_firefox_threads *, const struct cp_profile *);
void cp_firefox_threads_free(struct cp_firefox_threads *);

#endif
