/* SPDX-License-Identifier: MIT */
/*
 * pack: a capture, and the files that name its addresses, in one file.
 *
 * Objects that samples touched are laid out as in perf's build-id cache, so
 * that the bundle can be unpacked into ~/.debug; other files are below
 * coldperf/, and the manifest lists those that were not found.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "run/api.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/command/pack-objects.h"
#include "cli/command/pack-unwound.h"
#include "cli/command/packlist.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "config.h"
#include "render/common/format.h"

/* ------------------------------------------------------------ the capture */

static int
add_capture(struct cp_packing *p, const char *name, int fd)
{
	struct cp_pack_item *it;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return CP_FAIL;
	it = cp_packlist_add(&p->list, name);
	if (it == NULL)
		return CP_FAIL;
	it->role = "capture";
	it->fd = fd;
	it->mode = st.st_mode & 0666;
	it->size = (uint64_t)st.st_size;
	return CP_OK;
}

/* Adds all regular files of a directory capture. */
static int
add_folder(struct cp_packing *p, const char *path)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, NULL, alphasort), status = CP_OK;

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		struct stat st;
		int fd;

		if (lstat(cp_packing_text(p, "%s/%s", path, name), &st) == 0 &&
		    S_ISREG(st.st_mode)) {
			fd = open(cp_packing_text(p, "%s/%s", path, name),
			    O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
			*cp_vec_push(&p->fds) = fd;
			status |= add_capture(
			    p, cp_packing_text(p, "perf.data/%s", name), fd);
		}
		free(names[i]);
	}
	free(names);
	return n > 0 ? status : CP_FAIL;
}

static int
add_input(struct cp_packing *p, struct cp_pack_unwound *unwound)
{
	struct cp_run *run = p->run;
	const char *path = run->options->capture;
	struct stat st;
	int status;

	if (unwound != NULL)
		return cp_pack_unwound(unwound, &p->list);
	if (strcmp(run->capture.reader->name, "series") == 0) {
		cp_diag(run->diags, CP_D_USAGE,
		    "pack takes one file: `coldperf repair -o joined.data "
		    "FOLDER' joins those of --switch-output");
		return CP_FAIL;
	}
	if (strcmp(run->capture.reader->name, "directory") != 0)
		status = add_capture(p, "perf.data", run->capture.in.fd);
	else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		status = add_folder(p, path);
	else
		status = CP_FAIL;
	if (status != CP_OK)
		cp_diag(run->diags, CP_D_USAGE,
		    "what is packed is read twice: save it to a file");
	return status;
}

/* ------------------------------------------------------------ the command */

struct packed {
	struct cp_output o;
	uint64_t bytes; /* size of the bundle */
};

static int
push(void *ctx, const void *data, size_t n)
{
	struct packed *to = ctx;

	cp_out_add(&to->o.out, data, n);
	to->bytes += n;
	return to->o.out.failed;
}

static void
say_packed(const struct cp_packing *p, const char *path, uint64_t packed,
    uint64_t bytes)
{
	struct cp_buf size;

	cp_buf_init(&size, 64);
	cp_format_bytes(&size, packed);
	cp_buf_str(&size, " (");
	cp_format_bytes(&size, bytes);
	fprintf(stderr,
	    "coldperf: %s: %zu member%s, %s unpacked), %zu not found\n", path,
	    p->list.items.len, cp_s(p->list.items.len), cp_buf_text(&size),
	    p->list.missing.len);
	cp_buf_free(&size);
}

static int
write_bundle(struct cp_packing *p, struct cp_cli *cli)
{
	struct packed to = { .bytes = 0 };
	const char *why;
	uint64_t bytes;

	cli->private = true;
	if (cp_output_open(&to.o, cli, false) != CP_OK)
		return CP_FAIL;
	why = cp_packlist_write(
	    &p->list, cli->output, push, &to, PACKAGE_STRING, &bytes);
	if (why != NULL && !to.o.out.failed)
		cp_diag(&cli->diags, CP_D_OUTPUT, "%s", why);
	if (cp_output_close(&to.o, cli, why == NULL) != CP_OK || why != NULL)
		return CP_FAIL;
	say_packed(p, cli->output, to.bytes, bytes);
	if (cli->run.redact == NULL)
		cp_pack_weights_say(p->run, &p->list);
	return CP_OK;
}

/*
 * Adds the members.  A redacted bundle has only the capture, because a policy
 * cannot redact names in objects, maps of JIT code and sources.
 */
static void
add_members(struct cp_packing *p, const struct cp_cli *cli)
{
	if (cli->run.redact != NULL) {
		fprintf(stderr,
		    "coldperf: objects, maps and sources are left out\n");
		return;
	}
	cp_packing_objects(p);
	if (cli->sources)
		cp_packing_sources(p);
}

int
cp_command_pack(struct cp_cli *cli)
{
	struct cp_run run;
	struct cp_packing p = {
		.run = &run, .slim = cli->slim, .lines = cli->sources
	};
	struct cp_pack_unwound unwound = { 0 };

	p.list.labels = cli->capture.labels.data;
	p.list.n_labels = cli->capture.labels.len;

	/* The cache of lines lacks checksums of source files. */
	cli->run.no_cache |= cli->sources;
	cli->unwound |= cli->run.redact != NULL;
	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
		CP_OK &&
	    cp_pack_weights_watch(&run) == CP_OK) {
		if (cli->unwound)
			cp_pack_unwound_watch(&unwound, &run);
		cp_progress_read(cli, &run);
		p.symbols = cp_run_symbols(&run);
		add_members(&p, cli);
		if (add_input(&p, cli->unwound ? &unwound : NULL) == CP_OK)
			write_bundle(&p, cli);
	}
	cp_run_close(&run);
	cp_packing_free(&p);
	cp_pack_unwound_free(&unwound);
	return cp_cli_status(cli);
}
