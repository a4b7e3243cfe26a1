/* SPDX-License-Identifier: MIT */
/*
 * verify: compares a bundle with its manifest.
 *
 * Each member is hashed as it comes; members that differ, are missing or were
 * added are printed by name.  A bundle of perf archive has no manifest: then
 * the build IDs of objects are compared with the names of their folders.
 */
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/manifest.h"
#include "base/digest.h"
#include "cli/command/bundle.h"
#include "cli/output.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"
#include "symbolize/file-index/file-kind.h"

#define CHUNK ((size_t)256 << 10)

struct seen {
	const char *name, *target;
	uint64_t size;
	char sha[65];
	bool known, broken;
};

struct verify {
	struct cp_cli *cli;
	struct cp_bundle b;
	struct cp_output o;
	struct cp_arena arena;
	struct cp_manifest manifest;
	bool has_manifest;
	CP_VEC(struct seen) seen;
	struct cp_map64 by_name; /* hash -> number + 1 */
	size_t wrong, checked;
};

static void
complain(struct verify *v, const char *what, const char *name)
{
	struct cp_buf b;

	cp_buf_init(&b, 64u << 10);
	cp_buf_printf(&b, "%s: ", what);
	cp_escape_terminal(&b, name);
	cp_buf_char(&b, '\n');
	cp_out_str(&v->o.out, cp_buf_text(&b));
	cp_buf_free(&b);
	v->wrong++;
}

static uint64_t
name_hash(const char *name)
{
	return cp_hash_bytes(name, strlen(name));
}

static struct seen *
remember(struct verify *v, const struct cp_member *m)
{
	const char *target = m->target != NULL ? m->target : "";
	struct seen *s = cp_vec_push(&v->seen);
	uint32_t *at;

	*s = (struct seen){
		.name = cp_arena_strndup(&v->arena, m->name, strlen(m->name)),
		.target = cp_arena_strndup(&v->arena, target, strlen(target)),
	};
	at = cp_map64_put(&v->by_name, name_hash(m->name));
	if (*at != 0)
		complain(v, "twice", m->name);
	else
		*at = (uint32_t)v->seen.len;
	return s;
}

/* The build ID that perf's layout has the member under, or 0. */
static void
check_folder(
    struct verify *v, const struct seen *s, const uint8_t *data, size_t size)
{
	uint8_t id[20], *copy, n = cp_kind_folder_id(s->name, id);
	struct cp_elf elf;

	if (n == 0 || size < 4 || memcmp(data, "\177ELF", 4) != 0)
		return;
	v->checked++;
	copy = cp_xmalloc(size);
	memcpy(copy, data, size);
	if (!cp_elf_init(
		&elf, (struct cp_content){ .data = copy, .size = size })) {
		complain(v, "damaged", s->name);
		return;
	}
	if (!cp_build_id_equal(elf.build_id, elf.build_id_size, id, n))
		complain(v, "another build ID", s->name);
	cp_elf_free(&elf);
}

/* Reads a member, as much as the manifest and objects need. */
static int
read_member(struct verify *v, struct seen *s, struct cp_buf *keep)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(CHUNK);
	struct cp_sha256 h;
	ssize_t n;

	cp_sha256_init(&h);
	while ((n = cp_archive_read(v->b.a, buf, CHUNK)) > 0) {
		cp_sha256_add(&h, buf, (size_t)n);
		s->size += (uint64_t)n;
		if (keep != NULL)
			cp_buf_add(keep, buf, (size_t)n);
	}
	cp_sha256_hex(&h, s->sha);
	s->broken = n < 0;
	return n < 0 ? -1 : 1;
}

static int
next_member(struct verify *v)
{
	struct cp_member m;
	struct cp_buf keep;
	struct seen *s;
	bool first = v->seen.len == 0;
	int r = cp_archive_next(v->b.a, &m);

	if (r != 1 || m.kind == CP_MEMBER_OTHER)
		return r;
	s = remember(v, &m);
	if (m.kind == CP_MEMBER_LINK)
		return 1;
	cp_buf_init(&keep, CP_MAX_MANIFEST);
	r = read_member(v, s, first || !v->has_manifest ? &keep : NULL);
	if (first && strcmp(m.name, CP_MANIFEST_NAME) == 0)
		v->has_manifest = cp_manifest_parse(&v->manifest,
		    CP_MANIFEST_MAGIC, cp_buf_text(&keep), keep.len);
	else if (!v->has_manifest && !keep.full && r == 1)
		check_folder(v, s, (const uint8_t *)keep.data, keep.len);
	cp_buf_free(&keep);
	return r;
}

static struct seen *
find(struct verify *v, const char *name)
{
	uint32_t at = cp_map64_get(&v->by_name, name_hash(name));

	return at != 0 ? &v->seen.data[at - 1] : NULL;
}

static void
compare_file(struct verify *v, const struct cp_manifest_line *l)
{
	struct seen *s = find(v, l->field[5]);

	v->checked++;
	if (s == NULL) {
		complain(v, "missing", l->field[5]);
		return;
	}
	s->known = true;
	if (s->broken || strcmp(s->sha, l->field[1]) != 0 ||
	    strtoull(l->field[2], NULL, 10) != s->size)
		complain(v, "damaged", l->field[5]);
}

static void
compare_link(struct verify *v, const struct cp_manifest_line *l)
{
	struct seen *s = find(v, l->field[2]);

	v->checked++;
	if (s == NULL) {
		complain(v, "missing", l->field[2]);
		return;
	}
	s->known = true;
	if (strcmp(s->target, l->field[1]) != 0)
		complain(v, "damaged", l->field[2]);
}

static void
compare(struct verify *v)
{
	for (size_t i = 0; i < v->manifest.lines.len; i++) {
		const struct cp_manifest_line *l = &v->manifest.lines.data[i];

		if (l->n == 6 && strcmp(l->field[0], "file") == 0)
			compare_file(v, l);
		else if (l->n == 3 && strcmp(l->field[0], "link") == 0)
			compare_link(v, l);
	}
	for (size_t i = 1; i < v->seen.len; i++)
		if (!v->seen.data[i].known)
			complain(v, "added", v->seen.data[i].name);
}

static int
report(struct verify *v, bool whole)
{
	size_t last = v->seen.len;

	if (!v->has_manifest && last != 0 && v->seen.data[last - 1].broken)
		complain(v, "damaged", v->seen.data[last - 1].name);
	if (v->has_manifest)
		compare(v);
	if (!whole)
		cp_bundle_say_why(&v->b, v->cli, "");
	if (v->checked == 0 && v->wrong == 0 && whole)
		complain(v, "nothing to check in", v->cli->captures.data[0]);
	if (v->has_manifest)
		cp_out_printf(&v->o.out,
		    "%zu member%s checked against the manifest, %zu wrong\n",
		    v->checked, cp_s(v->checked), v->wrong);
	else
		cp_out_printf(&v->o.out,
		    "no manifest: %zu of %zu members are objects with a build "
		    "ID to compare, %zu wrong, the content of none is "
		    "known\n",
		    v->checked, v->seen.len, v->wrong);
	return v->wrong == 0 && whole ? CP_OK : CP_FAIL;
}

int
cp_command_verify(struct cp_cli *cli)
{
	struct verify v = { .cli = cli };
	int r, status = CP_FAIL;

	if (cp_bundle_open(&v.b, cli, cli->captures.data[0]) == CP_OK &&
	    cp_output_open(&v.o, cli, false) == CP_OK) {
		while ((r = next_member(&v)) == 1)
			;
		status = report(&v, r == 0);
		if (cp_output_close(&v.o, cli, true) != CP_OK)
			status = CP_OK; /* which decides by itself */
	}
	cp_bundle_close(&v.b);
	cp_manifest_free(&v.manifest);
	cp_vec_free(&v.seen);
	cp_map64_free(&v.by_name);
	cp_arena_free(&v.arena);
	r = cp_cli_status(cli);
	/* a limit and a failed output leave the question open */
	if (status != CP_OK && (r == CP_EXIT_OK || r == CP_EXIT_PARTIAL))
		return CP_EXIT_GATE;
	return r == CP_EXIT_OK && !v.has_manifest ? CP_EXIT_PARTIAL : r;
}
