/* SPDX-License-Identifier: MIT */
#include "analyses/info/missing-files.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

static const char *CP_PRINTF(2, 3)
    text(struct cp_run *run, const char *fmt, ...)
{
	char b[8192];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(b, sizeof(b), fmt, ap);
	va_end(ap);
	return cp_run_string(run, cp_run_intern(run, b));
}

const char *
cp_lack_word(struct cp_run *run, const char *s)
{
	char b[4096];
	size_t n = 0;

	b[n++] = '\'';
	for (; *s != '\0'; s++) {
		if (n + 6 > sizeof(b))
			return NULL;
		if (*s == '\'') {
			memcpy(b + n, "'\\''", 4);
			n += 4;
		} else {
			b[n++] = *s;
		}
	}
	b[n++] = '\'';
	b[n] = '\0';
	return text(run, "%s", b);
}

static const char *
copy_of(struct cp_run *run, const char *name, const char *path)
{
	const char *from = cp_lack_word(run, path);
	const char *to = cp_lack_word(run, text(run, "%s.tar.gz", name));

	if (from == NULL || to == NULL)
		return "";
	return text(run, "tar -chzf %s %s", to, from);
}

static bool
is_deleted(const char *path)
{
	size_t n = strlen(path);

	return n > 10 && strcmp(path + n - 10, " (deleted)") == 0;
}

static void
lack_of_file(struct cp_run *run, uint32_t dso, struct cp_lack *l)
{
	const char *path = cp_word_path(run, dso);
	const char *id = cp_word_build_id(run, dso);
	const char *name = cp_word_object(run, dso);
	bool damaged = cp_run_dso_state(run, dso).damaged;

	if ((l->code[0] == '\0' || damaged) && l->symbols[0] == '\0') {
		l->what = is_deleted(path) ? "the file, which was deleted"
					   : "the file";
		if (path[0] == '/' && !is_deleted(path)) {
			l->command = copy_of(run, name, path);
			l->take = cp_lack_word(run, path);
		}
		return;
	}
	if (l->symbols[0] != '\0' && l->debug[0] != '\0')
		return;
	l->what = l->symbols[0] != '\0' ? "debug information"
					: "symbols and debug information";
	if (strlen(id) > 2)
		l->command = copy_of(run, text(run, "%s.debug", name),
		    text(run, "/usr/lib/debug/.build-id/%.2s/%s.debug", id,
			id + 2));
}

/* A worker may write into the map of its parent. */
static const char *
take_map(struct cp_run *run, const struct cp_dso *d)
{
	if (d->parent == 0)
		return text(run,
		    "tar -czf perf-%" PRIu32 ".tar.gz /tmp/perf-%" PRIu32
		    ".map",
		    d->pid, d->pid);
	return text(run,
	    "tar --ignore-failed-read -czf perf-%" PRIu32
	    ".tar.gz /tmp/perf-%" PRIu32 ".map /tmp/perf-%" PRIu32 ".map",
	    d->pid, d->pid, d->parent);
}

static void
lack_of_names(struct cp_run *run, uint32_t dso, uint8_t kind, struct cp_lack *l)
{
	struct cp_dso_state s = cp_run_dso_found(run, dso);
	const struct cp_dso *d = cp_run_dso(run, dso);

	if (s.symbolizer != NULL) {
		l->symbols = s.path != NULL ? s.path : s.symbolizer;
		return;
	}
	switch (kind) {
	case CP_DSO_KERNEL:
	case CP_DSO_MODULE:
		l->what = "kallsyms of that boot";
		l->command = "sudo cat /proc/kallsyms >kallsyms";
		break;
	case CP_DSO_ANON:
		l->what = "a perf map or jitdump";
		l->command = take_map(run, d);
		break;
	case CP_DSO_VDSO:
		l->what = "the vdso";
		l->command = "coldperf pack perf.data";
		break;
	default: break;
	}
}

bool
cp_lack_snapshot(struct cp_run *run)
{
	const char *container = cp_run_fact(run, "container");

	return container != NULL && strcmp(container, "snapshot") == 0;
}

struct cp_lack
cp_lack_of_snapshot(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);
	struct cp_lack l = { .code = "",
		.symbols = "",
		.debug = "",
		.what = "",
		.command = "" };

	if (d == NULL)
		return l;
	if (d->kind == CP_DSO_FILE && cp_run_dso_state(run, dso).symbols == 0)
		lack_of_file(run, dso, &l);
	else
		lack_of_names(run, dso, d->kind, &l);
	if (d->kind == CP_DSO_VDSO)
		l.command = "";
	return l;
}

struct cp_lack
cp_lack_of(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);
	struct cp_dso_files f = cp_run_dso_files(run, dso);
	struct cp_lack l = { .code = f.code != NULL ? f.code : "",
		.symbols = f.symbols != NULL ? f.symbols : "",
		.debug = f.debug != NULL ? f.debug : "",
		.what = "",
		.command = "" };

	if (d == NULL)
		return l;
	if (d->kind == CP_DSO_FILE)
		lack_of_file(run, dso, &l);
	else
		lack_of_names(run, dso, d->kind, &l);
	return l;
}

bool *
cp_lack_callers(struct cp_run *run, const struct cp_tally_row *rows, size_t n)
{
	bool *calls = cp_run_alloc(
	    run, ((size_t)cp_run_dso_count(run) + 1) * sizeof(*calls));
	bool *met = cp_run_alloc(run, cp_stack_count(run) * sizeof(*met));

	for (size_t i = 0; i < n; i++) {
		cp_stack_id s = (cp_stack_id)rows[i].b;

		while (
		    s != 0 && (s = cp_stack_parent(run, s)) != 0 && !met[s]) {
			cp_frame_id f = cp_stack_frame(run, s);

			met[s] = true;
			if (f != 0)
				calls[cp_frame_get(run, f)->dso] = true;
		}
	}
	return calls;
}
