/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/stream.h"

#include "base/limits.h"
#include "render/export/snapshot/chunk.h"
#include "render/export/snapshot/page.h"
#include "render/export/snapshot/tables.h"

enum { COLUMNS = CP_SNAPSHOT_SAMPLE_COLUMNS };

/* Rows that wait for their page, by column. */
struct batch {
	uint64_t time[CP_PAGE_ROWS], weight[CP_PAGE_ROWS];
	uint32_t stack[CP_PAGE_ROWS], thread[CP_PAGE_ROWS];
	uint32_t event[CP_PAGE_ROWS], cpu[CP_PAGE_ROWS];
	uint32_t context[CP_PAGE_ROWS];
};

struct cp_snapshot_stream {
	unsigned jobs;
	uint64_t rows;  /* of all */
	size_t waiting; /* rows in the batch */
	struct batch *batch;
	const void *column[COLUMNS]; /* in the batch */
	struct cp_parquet_table table;
	CP_VEC(struct cp_parquet_chunk) chunks; /* COLUMNS of each group */
	struct cp_spill file;
	bool full;
};

struct cp_snapshot_stream *
cp_snapshot_stream_new(unsigned jobs)
{
	struct cp_snapshot_stream *s = cp_xcalloc(1, sizeof(*s));
	struct batch *b = cp_xmalloc(sizeof(*b));
	const void *column[COLUMNS] = { b->time, b->weight, b->stack, b->thread,
		b->event, b->cpu, b->context };

	s->jobs = jobs;
	s->batch = b;
	memcpy(s->column, column, sizeof(column));
	cp_snapshot_samples(&s->table, s->column, 0);
	cp_spill_init(&s->file);
	cp_spill_add(&s->file, CP_PARQUET_MAGIC, 4);
	return s;
}

static struct cp_parquet_chunk *
last_group(struct cp_snapshot_stream *s)
{
	return s->chunks.data + s->chunks.len - COLUMNS;
}

/* Moves the pages of the last group to the file. */
static void
end_group(struct cp_snapshot_stream *s)
{
	for (size_t i = 0; i < COLUMNS && s->chunks.len != 0; i++) {
		struct cp_parquet_chunk *c = &last_group(s)[i];

		c->offset = cp_spill_size(&s->file);
		c->size = c->bytes.len;
		s->full |= c->bytes.full;
		cp_spill_add(&s->file, cp_buf_text(&c->bytes), c->bytes.len);
		cp_buf_free(&c->bytes);
	}
}

/* Packs the batch as a page of each column. */
static void
end_page(struct cp_snapshot_stream *s)
{
	if ((s->rows - s->waiting) % CP_GROUP_ROWS == 0) {
		end_group(s);
		for (size_t i = 0; i < COLUMNS; i++)
			cp_parquet_chunk_init(
			    cp_vec_push(&s->chunks), &s->table, i, 0, 0);
	}
	for (size_t i = 0; i < COLUMNS; i++)
		last_group(s)[i].rows = s->waiting;
	cp_parquet_pack(last_group(s), COLUMNS, s->jobs);
	s->waiting = 0;
}

void
cp_snapshot_stream_add(void *ctx, const struct cp_profile_sample *row)
{
	struct cp_snapshot_stream *s = ctx;
	struct batch *b = s->batch;
	size_t i = s->waiting++;

	b->time[i] = row->time;
	b->weight[i] = row->weight;
	b->stack[i] = row->stack;
	b->thread[i] = row->thread;
	b->event[i] = row->event;
	b->cpu[i] = row->cpu;
	b->context[i] = row->context;
	s->rows++;
	if (s->waiting == CP_PAGE_ROWS)
		end_page(s);
}

bool
cp_snapshot_stream_end(struct cp_snapshot_stream *s)
{
	struct cp_buf end;

	if (s->waiting != 0)
		end_page(s);
	end_group(s);
	free(s->batch);
	s->batch = NULL;
	cp_buf_init(&end, CP_MAX_EXPORT);
	cp_parquet_footer(
	    &end, &s->table, s->rows, s->chunks.data, s->chunks.len / COLUMNS);
	cp_spill_add(&s->file, cp_buf_text(&end), end.len);
	cp_buf_free(&end);
	return !s->full && cp_spill_size(&s->file) <= CP_MAX_EXPORT;
}

uint64_t
cp_snapshot_stream_rows(const struct cp_snapshot_stream *s)
{
	return s->rows;
}

const struct cp_spill *
cp_snapshot_stream_file(const struct cp_snapshot_stream *s)
{
	return &s->file;
}

void
cp_snapshot_stream_free(struct cp_snapshot_stream *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->chunks.len; i++)
		cp_buf_free(&s->chunks.data[i].bytes);
	cp_vec_free(&s->chunks);
	cp_spill_free(&s->file);
	free(s->batch);
	free(s);
}
