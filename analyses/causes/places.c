/* SPDX-License-Identifier: MIT */
#include "analyses/causes/places.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

static bool
begins(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strncmp(text, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* Libraries that programs wait in, and say nothing of why. */
static bool
is_library(const struct cp_run *run, const struct cp_frame *f)
{
	static const char *const names[] = { "libc.", "libc-", "libpthread",
		"ld-", "ld.", "libm.", "libm-", "librt.", "librt-", "libstdc++",
		"libgcc_s", "libc++", "libdl", "[vdso]", NULL };
	const struct cp_dso *d = cp_run_dso(run, f->dso);

	return d == NULL || d->kind == CP_DSO_VDSO ||
	       begins(cp_word_object(run, f->dso), names);
}

/* The same in a program that has its libraries inside. */
static bool
is_runtime(const char *name)
{
	static const char *const names[] = { "runtime.", "internal/", "sync.",
		"syscall.", "std::", "<std::", "core::", "<core::", "alloc::",
		"parking_lot", "lock_api::", "pthread_", "__", "___", "futex",
		"_start", "start_thread", "clone", "_dl_", NULL };

	return begins(name, names);
}

bool
cp_place_own(const struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);
	const struct cp_symbol *s = cp_frame_symbol(run, id);

	return f->level == CP_LEVEL_USER && (f->flags & CP_FRAME_LOST) == 0 &&
	       s != NULL && !is_library(run, f) && !is_runtime(s->name);
}

static const char *
symbol_at(const struct cp_run *run, cp_stack_id stack)
{
	const struct cp_symbol *s =
	    cp_frame_symbol(run, cp_stack_frame(run, stack));

	return s != NULL ? s->name : NULL;
}

static bool
is_user(const struct cp_run *run, cp_stack_id stack)
{
	const struct cp_frame *f =
	    cp_frame_get(run, cp_stack_frame(run, stack));

	return f->level == CP_LEVEL_USER && (f->flags & CP_FRAME_LOST) == 0;
}

/* Entries of the kernel: "__x64_sys_fsync" is the call fsync. */
const char *
cp_place_call(const char *name)
{
	static const char *const heads[] = { "__x64_sys_", "__ia32_sys_",
		"__arm64_sys_", "__riscv_sys_", "__s390x_sys_", "__se_sys_",
		"__do_sys_", "SyS_", "ksys_", NULL };

	for (int i = 0; heads[i] != NULL; i++)
		if (strncmp(name, heads[i], strlen(heads[i])) == 0)
			return name + strlen(heads[i]);
	return NULL;
}

const char *
cp_place_below(struct cp_run *run, const char *inner, const char *caller)
{
	size_t size = strlen(inner) + strlen(" < ") + strlen(caller) + 1;
	char *text = cp_run_alloc(run, size);

	(void)snprintf(text, size, "%s < %s", inner, caller);
	return text;
}

struct cp_where
cp_place_where(struct cp_run *run, cp_stack_id stack)
{
	struct cp_where w = { 0 };
	const char *text = "";
	int own = 0;

	for (; stack != 0 && own < 2; stack = cp_stack_parent(run, stack)) {
		const char *name = symbol_at(run, stack), *call;

		if (!is_user(run, stack)) {
			call = name != NULL ? cp_place_call(name) : NULL;
			if (call != NULL)
				w.call = cp_run_intern(run, call);
			continue;
		}
		w.user = true;
		if (!cp_place_own(run, cp_stack_frame(run, stack))) {
			if (own != 0)
				break;
			continue;
		}
		text = own++ == 0 ? name : cp_place_below(run, text, name);
	}
	if (own != 0)
		w.own = cp_run_intern(run, text);
	return w;
}

cp_string_id
cp_place_root(struct cp_run *run, cp_stack_id stack)
{
	const char *root = NULL;

	for (; stack != 0; stack = cp_stack_parent(run, stack))
		if (cp_place_own(run, cp_stack_frame(run, stack)))
			root = symbol_at(run, stack);
	return root != NULL ? cp_run_intern(run, root) : 0;
}

bool
cp_place_has(
    const struct cp_run *run, cp_stack_id stack, const char *const *names)
{
	for (; stack != 0; stack = cp_stack_parent(run, stack)) {
		const char *name = symbol_at(run, stack);

		/* A name of glibc's own copies. */
		if (name != NULL && strncmp(name, "__GI_", 5) == 0)
			name += 5;
		if (name != NULL && begins(name, names))
			return true;
	}
	return false;
}
