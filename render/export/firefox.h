/* SPDX-License-Identifier: MIT */
/*
 * render/export/firefox.h: what the files of the Firefox profile share.
 *
 * firefox.c writes the head and the threads, firefox-code.c the tables that
 * all threads refer to, firefox-threads.c says which samples are of which
 * thread.
 */
#ifndef CP_RENDER_EXPORT_FIREFOX_H
#define CP_RENDER_EXPORT_FIREFOX_H

#include "base/strings.h"
#include "render/export/functions.h"
#include "render/export/json-text.h"

/* A thread of the profile: samples of one event. */
struct cp_firefox_thread {
	uint32_t event;
	uint32_t thread; /* CP_NO_ID: the small ones, joined */
	uint32_t joined; /* how many they are */
	size_t first, n; /* of order */
};

struct cp_firefox_threads {
	CP_VEC(struct cp_firefox_thread) all; /* most samples first */
	uint32_t *order; /* samples by thread, then as they were recorded */
};

void cp_firefox_threads_init(
    struct cp_firefox_threads *, const struct cp_profile *);
void cp_firefox_threads_free(struct cp_firefox_threads *);

struct cp_firefox {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_strings strings;
	struct cp_functions functions;
	uint32_t *first_stack; /* by stack: its row, of its outermost line */
	uint32_t *function;    /* by row of frames */
	uint32_t frames, stacks;
};

/* Lays out the rows; then writes "shared", or "libs". */
void cp_firefox_code_init(struct cp_firefox *);
void cp_firefox_put_shared(struct cp_firefox *);
void cp_firefox_put_libs(struct cp_firefox *);
/* The row of the stack's innermost line. */
uint32_t cp_firefox_stack(const struct cp_firefox *, uint32_t stack);
void cp_firefox_code_free(struct cp_firefox *);

/* Categories of frames. */
enum { CP_FIREFOX_OTHER, CP_FIREFOX_USER, CP_FIREFOX_KERNEL };

#endif
