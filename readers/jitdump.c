/* SPDX-License-Identifier: MIT */
#include "readers/jitdump.h"

#include <sys/stat.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/retry.h"

enum {
	HEADER_SIZE = 40,
	HEAD_SIZE = 16,  /* id, size, time */
	LOAD_INDEX = 48, /* up to the code's index */
	LOAD_SIZE = 56,  /* up to the name */
	MOVE_SIZE = 64,
	WINDOW = 128 << 10,
};

enum { CODE_LOAD, CODE_MOVE, DEBUG_INFO, CODE_CLOSE, UNWINDING_INFO };

#define ARCH_TIMESTAMP 1u
/*
 * Some writers count the addresses of lines from after the ELF header of the
 * file that perf inject makes.  V8 does, and writes this mark into the unused
 * field of the file's header; LLVM does, and has no mark.
 */
#define V8_PAD 0xdeadbeefu
#define LINE_SHIFT 0x40u

struct walk {
	struct cp_jitdump *d;
	struct cp_strings *strings;
	struct cp_jit *jit;
	int fd;
	uint64_t at, size; /* of the current record */
	uint64_t have;     /* bytes of it that the file has */
	uint32_t number;
	/* Offsets of records that belong to the next load; 0: none. */
	uint64_t unwinding, lines;
	bool shared; /* the unwinding is that of several loads */
	/*
	 * LLVM writes the lines of several functions, then their code: records
	 * of lines by the address of their code, as numbers of `pending' + 1.
	 */
	struct cp_map64 by_code;
	CP_VEC(uint64_t) pending;
	bool v8;
	/* Records whose first line is LINE_SHIFT after its code, or before. */
	uint64_t shifted, plain;
	uint64_t shift;           /* subtracted from the addresses of lines */
	struct cp_map64 by_index; /* code index -> number of load + 1 */
	uint8_t *window;
	uint64_t window_at;
	size_t window_len;
};

/* Returns n bytes at an offset, or NULL; n must fit the window. */
static const uint8_t *
view(struct walk *w, uint64_t at, size_t n)
{
	if (at >= w->window_at && at - w->window_at <= w->window_len &&
	    n <= w->window_len - (at - w->window_at))
		return w->window + (at - w->window_at);
	w->window_at = at;
	w->window_len = 0;
	while (w->window_len < n) {
		ssize_t got = cp_pread(w->fd, w->window + w->window_len,
		    WINDOW - w->window_len, (off_t)(at + w->window_len));

		if (got <= 0)
			return NULL;
		w->window_len += (size_t)got;
	}
	return w->window;
}

static bool
read_header(struct walk *w)
{
	const uint8_t *p = view(w, 0, HEADER_SIZE);
	struct cp_bytes b;
	uint32_t magic, version, size;
	uint64_t flags;

	if (p == NULL)
		return false;
	memcpy(&magic, p, sizeof(magic));
	w->d->swap = magic == __builtin_bswap32(CP_JITDUMP_MAGIC);
	if (magic != CP_JITDUMP_MAGIC && !w->d->swap)
		return false;
	b = cp_bytes_of(p + 4, HEADER_SIZE - 4, w->d->swap);
	version = cp_bytes_u32(&b);
	size = cp_bytes_u32(&b);
	w->d->machine = cp_bytes_u32(&b);
	w->v8 = cp_bytes_u32(&b) == V8_PAD;
	w->d->pid = cp_bytes_u32(&b);
	/* the clock of the writer, which nothing here needs */
	cp_bytes_u64(&b);
	flags = cp_bytes_u64(&b);
	/* LLVM 18 to 20 leave there what was in memory. */
	w->d->flags = flags;
	w->d->arch_time = flags == ARCH_TIMESTAMP;
	w->at = size;
	return version == 1 && size >= HEADER_SIZE;
}

static void
add_load(struct walk *w, struct cp_jit_load l, uint64_t index)
{
	l.number = ++w->number;
	*cp_vec_push(&w->jit->loads) = l;
	*cp_map64_put(&w->by_index, index) = (uint32_t)w->jit->loads.len;
}

/*
 * Reads the name at the end of the fixed part; 0 if it is not terminated, or
 * the file ends before.  A long one is cut, between characters.
 */
static cp_string_id
read_name(struct walk *w, uint64_t code_size)
{
	uint64_t left = w->size - LOAD_SIZE - code_size;
	uint64_t there = w->have - CP_MIN(w->have, LOAD_SIZE);
	size_t room =
	    (size_t)CP_MIN(CP_MIN(left, there), (uint64_t)CP_MAX_JIT_NAME);
	const uint8_t *p = view(w, w->at + LOAD_SIZE, room);
	const uint8_t *nul = p != NULL ? memchr(p, 0, room) : NULL;

	if (p == NULL || nul == p || (nul == NULL && room < CP_MAX_JIT_NAME))
		return 0;
	if (nul == NULL)
		for (nul = p + room - 1; nul > p && (*nul & 0xc0) == 0x80;)
			nul--;
	else /* zeros pad a name; other bytes are the rest of one */
		w->d->bad += !cp_is_zero(nul, room - (size_t)(nul - p));
	return cp_strings_addn(w->strings, (const char *)p, (size_t)(nul - p));
}

/*
 * Reads one line of a DEBUG_INFO record of which `left` bytes remain.  Returns
 * its size, 0 if it is damaged.
 */
static size_t
read_line(struct walk *w, uint64_t at, uint64_t left,
    const struct cp_jit_load *l, cp_string_id *file)
{
	size_t room = (size_t)CP_MIN(left, (uint64_t)CP_MAX_JIT_NAME);
	const uint8_t *p = view(w, at, room), *nul;
	struct cp_capture_line to = { .end = l->offset + (l->end - l->start) };
	struct cp_bytes b;
	uint64_t addr;

	nul = p != NULL && room > 16 ? memchr(p + 16, 0, room - 16) : NULL;
	if (nul == NULL)
		return 0;
	b = cp_bytes_of(p, room, w->d->swap);
	addr = cp_bytes_u64(&b) - w->shift;
	to.line = cp_bytes_u32(&b);
	to.column = w->v8 ? cp_bytes_u32(&b) : 0;
	/* "\377" means the file of the line before */
	if (p[16] != 0xff || nul != p + 17)
		*file = cp_strings_addn(
		    w->strings, (const char *)p + 16, (size_t)(nul - p) - 16);
	to.file = *file;
	to.start = l->offset + (addr - l->start);
	if (addr >= l->start && addr < l->end &&
	    w->jit->dso->lines.len < CP_MAX_JIT_LINES)
		*cp_vec_push(&w->jit->dso->lines) = to;
	return (size_t)(nul - p) + 1;
}

static int
line_order(const void *a, const void *b)
{
	const struct cp_capture_line *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Reads the lines of a function. */
static void
read_lines(struct walk *w, const struct cp_jit_load *l)
{
	const uint8_t *p = view(w, l->lines, 32);
	uint64_t at = l->lines + 32, end, nr;
	size_t first = w->jit->dso->lines.len, n = 1;
	cp_string_id file = 0;

	if (p == NULL)
		return;
	end = l->lines + cp_load32(p + 4, w->d->swap);
	nr = cp_load64(p + 24, w->d->swap);
	for (; nr > 0 && at < end && n != 0; nr--, at += n)
		n = read_line(w, at, end - at, l, &file);
	w->d->bad += nr != 0;
	if (w->jit->dso->lines.len - first > 1)
		qsort(w->jit->dso->lines.data + first,
		    w->jit->dso->lines.len - first,
		    sizeof(*w->jit->dso->lines.data), line_order);
}

/*
 * Reads all lines, when it is known where their addresses count from.  Code
 * that was moved has those of its first place.
 */
static void
read_all_lines(struct walk *w)
{
	uint64_t last = 0;

	w->shift = w->v8 || w->shifted > w->plain ? LINE_SHIFT : 0;
	for (size_t i = 0; i < w->jit->loads.len; i++) {
		const struct cp_jit_load *l = &w->jit->loads.data[i];

		if (l->lines != 0 && l->offset > last)
			read_lines(w, l);
		last = CP_MAX(last, l->offset);
	}
}

/* Keeps a record of lines for its code, which comes later. */
static bool
debug_info(struct walk *w)
{
	const uint8_t *p = w->size >= 32 ? view(w, w->at, 32) : NULL;
	uint64_t code, first;

	if (p == NULL)
		return false;
	w->lines = w->at;
	code = cp_load64(p + 16, w->d->swap);
	if (w->pending.len < CP_MAX_JIT_LOADS) {
		*cp_vec_push(&w->pending) = w->at;
		*cp_map64_put(&w->by_code, code) = (uint32_t)w->pending.len;
	}
	p = w->size >= 40 ? view(w, w->at + 32, 8) : NULL;
	first = p != NULL ? cp_load64(p, w->d->swap) : code;
	w->shifted += first - code == LINE_SHIFT;
	w->plain += first - code < LINE_SHIFT;
	return true;
}

/*
 * Returns the record of lines that names the code's address, or else the last
 * one before it; 0: none.
 */
static uint64_t
lines_of(struct walk *w, uint64_t code)
{
	uint32_t *slot = cp_map64_get(&w->by_code, code) != 0
			     ? cp_map64_put(&w->by_code, code)
			     : NULL;
	uint64_t lines = w->lines;

	w->lines = 0;
	if (slot == NULL)
		return lines;
	lines = w->pending.data[*slot - 1];
	*slot = 0;
	return lines;
}

/*
 * Reads a load; its code is at the end of the record.  One whose name is not
 * known still ends what was at its addresses.
 */
static bool
code_load(struct walk *w, struct cp_bytes *b, uint64_t time)
{
	struct cp_jit_load l = { .time = time, .unwinding = w->unwinding };
	uint64_t size, index;
	cp_string_id name;

	w->unwinding = w->shared ? w->unwinding : 0;
	cp_bytes_take(b, 16); /* pid, tid, vma */
	l.start = cp_bytes_u64(b);
	l.lines = lines_of(w, l.start);
	size = cp_bytes_u64(b);
	index = cp_bytes_u64(b);
	if (b->failed || w->size < LOAD_SIZE + 1 ||
	    size > w->size - LOAD_SIZE - 1 || l.start > UINT64_MAX - size)
		return false;
	name = read_name(w, size);
	if (size == 0)
		return name != 0;
	l.end = l.start + size;
	l.offset = w->at + w->size - size;
	if (name != 0)
		*cp_vec_push(&w->jit->dso->symbols) =
		    (struct cp_capture_symbol){ .start = l.offset,
			    .end = l.offset + size,
			    .name = name };
	add_load(w, l, index);
	return name != 0;
}

static bool
code_move(struct walk *w, struct cp_bytes *b, uint64_t time)
{
	uint64_t old, to, size, index;
	struct cp_jit_load l;
	uint32_t i;

	cp_bytes_take(b, 16);
	old = cp_bytes_u64(b);
	to = cp_bytes_u64(b);
	size = cp_bytes_u64(b);
	index = cp_bytes_u64(b);
	i = cp_map64_get(&w->by_index, index);
	if (b->failed || i == 0 || size == 0 || to > UINT64_MAX - size)
		return false;
	l = w->jit->loads.data[i - 1];
	if (old != l.start || size > l.end - l.start)
		return false;
	l.time = time;
	l.start = to;
	l.end = to + size;
	add_load(w, l, index);
	return true;
}

/* LLVM's table is that of all functions of a module, which follow. */
static void
unwinding_info(struct walk *w)
{
	size_t n = CP_JIT_TABLE_HEAD + CP_JIT_SHARED;
	const uint8_t *p = w->size >= n ? view(w, w->at, n) : NULL;

	w->unwinding = w->at;
	w->shared = p != NULL && cp_jit_is_shared(p + CP_JIT_TABLE_HEAD);
}

static bool
take_record(struct walk *w, uint64_t time, uint32_t id)
{
	size_t n = id == CODE_LOAD ? LOAD_SIZE : MOVE_SIZE;
	size_t least = id == CODE_LOAD ? LOAD_INDEX : MOVE_SIZE;
	uint8_t fixed[MOVE_SIZE] = { 0 };
	const uint8_t *p;
	struct cp_bytes b;

	if (id == DEBUG_INFO)
		return debug_info(w);
	if (id == UNWINDING_INFO)
		unwinding_info(w);
	if (id != CODE_LOAD && id != CODE_MOVE)
		return true;
	if (w->size < n || w->have < least)
		return false;
	p = view(w, w->at, (size_t)CP_MIN(n, w->have));
	if (p == NULL)
		return false;
	memcpy(fixed, p, (size_t)CP_MIN(n, w->have));
	b = cp_bytes_of(fixed + HEAD_SIZE, n - HEAD_SIZE, w->d->swap);
	return id == CODE_LOAD ? code_load(w, &b, time)
			       : code_move(w, &b, time);
}

/* Returns false at the end, or where nothing usable follows. */
static bool
step(struct walk *w)
{
	const uint8_t *head;
	uint64_t time;
	uint32_t id;

	if (w->d->size - w->at < HEAD_SIZE ||
	    (head = view(w, w->at, HEAD_SIZE)) == NULL) {
		w->d->bad += w->d->size != w->at;
		return false;
	}
	id = cp_load32(head, w->d->swap);
	w->size = cp_load32(head + 4, w->d->swap);
	time = cp_load64(head + 8, w->d->swap);
	w->have = CP_MIN((uint64_t)w->size, w->d->size - w->at);
	if (w->size < HEAD_SIZE || w->have < w->size) {
		w->d->bad++;
		/* What it replaces is gone, though its own code is cut off. */
		if (w->have >= LOAD_INDEX && id == CODE_LOAD)
			(void)take_record(w, time, id);
		return false;
	}
	w->d->bad += !take_record(w, time, id);
	w->at += w->size;
	w->d->full = w->jit->loads.len >= CP_MAX_JIT_LOADS;
	return id != CODE_CLOSE && !w->d->full;
}

static bool
begin(struct walk *w)
{
	struct stat st;

	*w->d = (struct cp_jitdump){ 0 };
	if (fstat(w->fd, &st) != 0 || st.st_size < HEADER_SIZE)
		return false;
	w->d->size = (uint64_t)st.st_size;
	w->window = cp_xmalloc(WINDOW);
	return read_header(w) && w->at <= w->d->size;
}

bool
cp_jitdump_begins(struct cp_jitdump *d, int fd, uint64_t *time)
{
	struct walk w = { .d = d, .fd = fd };
	const uint8_t *head;
	bool ok = begin(&w);

	*time = UINT64_MAX;
	while (ok && *time == UINT64_MAX && d->size - w.at >= HEAD_SIZE &&
	       (head = view(&w, w.at, HEAD_SIZE)) != NULL) {
		w.size = cp_load32(head + 4, d->swap);
		if (w.size < HEAD_SIZE || w.size > d->size - w.at)
			break;
		if (cp_load32(head, d->swap) == CODE_LOAD)
			*time = cp_load64(head + 8, d->swap);
		w.at += w.size;
	}
	free(w.window);
	return ok;
}

bool
cp_jitdump_read(struct cp_jitdump *d, int fd, struct cp_strings *strings,
    struct cp_jit *jit)
{
	struct walk w = { .d = d, .strings = strings, .jit = jit, .fd = fd };
	bool ok = begin(&w);

	while (ok && step(&w))
		;
	if (ok)
		read_all_lines(&w);
	cp_map64_free(&w.by_code);
	cp_vec_free(&w.pending);
	free(w.window);
	cp_map64_free(&w.by_index);
	return ok;
}
