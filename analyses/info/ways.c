/* SPDX-License-Identifier: MIT */
/*
 * For the overview of a capture whose samples have no names: the ways to get
 * them, ready to paste.
 */
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/common/losses.h"
#include "analyses/info/errand.h"
#include "analyses/info/missing-files.h"

#define ASKED 64 /* objects, by weight */
#define WAYS "to-get-names"

static void
way(struct cp_report *rep, struct cp_run *run, const char *key,
    const char *command, const char *capture)
{
	size_t room = strlen(command) + strlen(capture) + 2;
	char *text = cp_run_alloc(run, room);

	(void)snprintf(text, room, "%s %s", command, capture);
	cp_report_scalar_text(rep, WAYS, key, text);
}

/*
 * Shows the command that collects files; for the kernel and generated code,
 * shows the heaviest.  Returns true if any object has a build ID, by which
 * servers can be asked.
 */
static bool
on_the_host(struct cp_run *run, const struct cp_unnamed_object *all,
    size_t objects, const bool *calls, struct cp_report *rep)
{
	struct cp_errand files = { .n = 0 };
	const char *kernel = NULL, *code = NULL, *command;
	bool id = false;

	for (size_t i = 0, asked = 0; i < objects && asked < ASKED; i++) {
		struct cp_lack l;

		if (all[i].dso == 0 ||
		    (all[i].samples == 0 && !calls[all[i].dso]))
			continue;
		asked++;
		l = cp_lack_of(run, all[i].dso);
		if (l.symbols[0] != '\0')
			continue;
		id |= cp_run_dso(run, all[i].dso)->build_id_size != 0;
		switch (cp_run_dso(run, all[i].dso)->kind) {
		case CP_DSO_FILE:
			if (l.take != NULL)
				cp_errand_add(run, &files, l.take);
			break;
		case CP_DSO_KERNEL:
		case CP_DSO_MODULE:
			if (kernel == NULL)
				kernel = l.command;
			break;
		case CP_DSO_ANON:
			if (code == NULL)
				code = l.command;
			break;
		default: break;
		}
	}
	command = cp_errand_command(run, &files);
	if (command != NULL)
		cp_report_scalar_text(rep, WAYS, "on the host", command);
	if (kernel != NULL && kernel[0] != '\0')
		cp_report_scalar_text(
		    rep, WAYS, "on the host, same boot", kernel);
	if (code != NULL && code[0] != '\0')
		cp_report_scalar_text(rep, WAYS, "on the host, JIT", code);
	return id;
}

/*
 * The capture as a word of a command.  A pipe is read once, so its user must
 * name the file that has it; a dash would begin an option.
 */
static const char *
capture_word(struct cp_run *run)
{
	const char *path = cp_run_fact(run, "path"), *word;
	char *here;

	if (path == NULL || strcmp(path, "-") == 0)
		return "CAPTURE";
	here = cp_run_alloc(run, strlen(path) + 3);
	(void)snprintf(
	    here, strlen(path) + 3, "%s%s", path[0] == '-' ? "./" : "", path);
	word = cp_lack_word(run, here);
	return word != NULL ? word : "CAPTURE";
}

void
cp_lack_ways(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    struct cp_report *rep)
{
	size_t objects = (size_t)cp_run_dso_count(run) + 1;
	const struct cp_unnamed_object *all =
	    cp_unnamed_objects(run, rows, n, objects);
	const char *capture = capture_word(run);
	bool debuginfod;

	debuginfod =
	    on_the_host(run, all, objects, cp_lack_callers(run, rows, n), rep);
	way(rep, run, "with such a file or folder",
	    "coldperf report --symbols PATH", capture);
	if (debuginfod)
		way(rep, run, "from debuginfod", "coldperf symbols --fetch",
		    capture);
	way(rep, run, "what is missing", "coldperf info --objects", capture);
}
