/* SPDX-License-Identifier: MIT */
/*
 * fuzz-snapshot: the tables of a snapshot that name addresses, as the manifest
 * has them and as they are; and a Parquet file by itself.
 */
#include "config.h" /* memfd_create */

#include "base/parquet/parquet.h"
#include "symbolize/object/snapshot-members.h"
#include "symbolize/object/snapshot.h"
#include "tests/fuzz/input.h"

#define MAX_PLAIN (UINT64_C(64) << 20)
#define MAX_ROWS (UINT64_C(1) << 20)

static size_t sink;

/* Every column, as numbers and as texts. */
static void
read_columns(struct cp_parquet *p)
{
	struct cp_arena arena = { 0 };
	int64_t *number = cp_xcalloc((size_t)p->rows + 1, sizeof(*number));
	const char **text = cp_xcalloc((size_t)p->rows + 1, sizeof(*text));

	for (size_t g = 0; g < p->groups.len; g++)
		for (int c = 0; c < (int)p->fields.len; c++) {
			sink += cp_parquet_numbers(p, g, c, number);
			if (!cp_parquet_texts(p, g, c, &arena, text))
				continue;
			for (size_t i = 0; i < p->groups.data[g]; i++)
				sink += strlen(text[i]);
		}
	free(number);
	free(text);
	cp_arena_free(&arena);
}

static void
read_parquet(const uint8_t *data, size_t size)
{
	struct cp_parquet p;

	if (cp_parquet_open(&p, data, size, MAX_PLAIN) && p.rows <= MAX_ROWS)
		read_columns(&p);
	cp_parquet_close(&p);
}

static void
ask_spots(const struct cp_snapshot *s, const struct cp_snapshot_frame *f)
{
	for (size_t i = 0; i < f->spots; i++)
		sink += strlen(cp_snapshot_spot(s, f->first_spot + i)->file);
}

/* What is in a table is found, and all of it is text. */
static void
ask(const struct cp_snapshot *s)
{
	const struct cp_snapshot_symbol *all;
	size_t n = cp_snapshot_symbols(s, &all);
	struct cp_content c;
	uint64_t vaddr;

	for (size_t i = 0; i < n; i++) {
		const struct cp_snapshot_frame *f = cp_snapshot_frame_at(
		    s, (size_t)all[i].object, all[i].start);

		sink += strlen(all[i].name) + strlen(all[i].raw);
		sink += (size_t)cp_snapshot_source(all[i].source);
		sink += cp_snapshot_vaddr(
		    s, (size_t)all[i].object, all[i].start, &vaddr);
		if (f != NULL)
			ask_spots(s, f);
	}
	sink += strlen(cp_snapshot_jit_file(s, 23457, "/tmp/jit-23457.dump"));
	if (cp_snapshot_jitdump(s, 23457, "/tmp/jit-23457.dump", &c))
		cp_content_free(&c);
}

static void
read_snapshot(int fd, bool checked)
{
	struct cp_snapshot_members m;
	struct cp_snapshot *s;
	struct cp_diags diags;

	cp_diags_init(&diags);
	cp_snapshot_members_read(&m, fd, CP_SNAPSHOT_NAMING);
	if (checked)
		cp_snapshot_members_check(&m);
	s = cp_snapshot_of(&m, &diags);
	if (s != NULL)
		ask(s);
	cp_snapshot_free(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);

	if (size != 0) {
		read_snapshot(fd, true);
		read_snapshot(fd, false);
	}
	close(fd);
	read_parquet(data, size);
	return 0;
}
