/* SPDX-License-Identifier: MIT */
/*
 * features: each is kept, dropped or written again, by its number.
 *
 * Texts end at their NUL: the padding after it is not copied.
 */
#include "readers/redact/state.h"

#include "base/limits.h"
#include "readers/header/features.h"

enum action {
	DROP,       /* the default */
	KEEP,       /* if it has the expected size */
	ARCH,       /* see put_arch() */
	TEXT,       /* one text */
	TEXTS,      /* a list of texts */
	WITH_CLASS, /* kept if the class is, and no word is to be replaced */
	BUILD_IDS,
	EVENTS
};

static const struct {
	enum action action;
	enum cp_redact_class c;
	size_t size; /* size of a feature that is kept */
} known[] = {
	[2] = { BUILD_IDS, CP_REDACT_PATH, 0 },
	[3] = { TEXT, CP_REDACT_HOST, 0 },
	[4] = { TEXT, CP_REDACT_SYSTEM, 0 }, /* release of the kernel */
	[5] = { TEXT, CP_REDACT_SYSTEM, 0 }, /* version of perf */
	[6] = { ARCH, CP_REDACT_SYSTEM, 0 },
	[7] = { KEEP, CP_REDACT_SYSTEM, 8 },  /* number of CPUs */
	[8] = { TEXT, CP_REDACT_SYSTEM, 0 },  /* CPU */
	[9] = { TEXT, CP_REDACT_SYSTEM, 0 },  /* its id */
	[10] = { KEEP, CP_REDACT_SYSTEM, 8 }, /* memory */
	[11] = { TEXTS, CP_REDACT_COMMAND, 0 },
	[12] = { EVENTS, CP_REDACT_EVENT, 0 },
	[13] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 }, /* topology */
	[14] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
	[15] = { KEEP, CP_REDACT_SYSTEM, 0 },      /* has branches */
	[16] = { WITH_CLASS, CP_REDACT_EVENT, 0 }, /* PMUs */
	[17] = { WITH_CLASS, CP_REDACT_EVENT, 0 }, /* groups */
	[19] = { KEEP, CP_REDACT_SYSTEM, 0 },      /* has counts */
	[20] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
	[21] = { KEEP, CP_REDACT_SYSTEM, 16 }, /* first and last sample */
	[22] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
	[23] = { KEEP, CP_REDACT_SYSTEM, 8 }, /* clock */
	[28] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
	[29] = { KEEP, CP_REDACT_SYSTEM, 24 }, /* clock */
	[30] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
	[31] = { WITH_CLASS, CP_REDACT_SYSTEM, 0 },
};

/* ----------------------------------------------------------------- writing */

static void
put32(struct cp_redaction *x, struct cp_buf *b, uint32_t v)
{
	v = x->src->rec->swap ? __builtin_bswap32(v) : v;
	cp_buf_add(b, &v, sizeof(v));
}

/* A text with its length, padded as perf pads it. */
static void
put_text(struct cp_redaction *x, struct cp_buf *b, const char *text)
{
	static const char zeros[64];
	size_t n = strlen(text) + 1, pad = -n & 63;

	put32(x, b, (uint32_t)(n + pad));
	cp_buf_add(b, text, n);
	cp_buf_add(b, zeros, pad);
}

/* Reads a text into room for n bytes and a NUL. */
static const char *
get_text(struct cp_bytes *in, struct cp_arena *arena)
{
	uint32_t n = cp_bytes_u32(in);
	const char *p = (const char *)cp_bytes_take(in, n);

	return p != NULL ? cp_arena_strndup(arena, p, strnlen(p, n)) : "";
}

/* ----------------------------------------------------------- each of them */

static bool
put_one(struct cp_redaction *x, enum cp_redact_class c, struct cp_bytes in,
    struct cp_buf *b, struct cp_arena *arena)
{
	const char *text = get_text(&in, arena);

	if (x->names->policy->how[c] == CP_REDACT_DROP) {
		cp_redact_drop(x->names, c, text);
		return false;
	}
	put_text(x, b, cp_redact_name(x->names, c, text));
	return !in.failed;
}

/* An argument may contain another's path or a value after "=". */
static void
drop_argument(struct cp_redaction *x, const char *text)
{
	const char *value = strchr(text, '=');

	cp_redact_drop(x->names, CP_REDACT_COMMAND, text);
	if (value != NULL)
		cp_redact_seek(x->names, value + 1);
}

static bool
put_list(struct cp_redaction *x, enum cp_redact_class c, struct cp_bytes in,
    struct cp_buf *b, struct cp_arena *arena)
{
	bool drop = x->names->policy->how[c] == CP_REDACT_DROP;
	uint32_t n = cp_bytes_u32(&in);

	put32(x, b, n);
	for (uint32_t i = 0; i < n && !in.failed; i++) {
		const char *text = get_text(&in, arena);

		if (drop)
			drop_argument(x, text);
		else
			put_text(x, b, cp_redact_name(x->names, c, text));
	}
	return !drop && !in.failed;
}

/* Records of a header, pid, id and name. */
static bool
put_build_ids(struct cp_redaction *x, struct cp_bytes in, struct cp_buf *b,
    struct cp_arena *arena)
{
	enum { FIXED = 8 + 4 + 24 };
	static const char zeros[64];

	while (cp_bytes_left(&in) >= FIXED) {
		const uint8_t *head = in.at;
		uint16_t size = cp_load16(head + 6, in.swap);
		const char *name, *to;
		uint16_t all;
		size_t n, pad;

		if (size < FIXED || cp_bytes_take(&in, size) == NULL)
			return false;
		name = cp_arena_strndup(arena, (const char *)head + FIXED,
		    strnlen((const char *)head + FIXED, size - FIXED));
		to = cp_redact_name(x->names, CP_REDACT_PATH, name);
		n = CP_MIN(strlen(to) + 1, (size_t)4096);
		pad = -n & 63;
		all = (uint16_t)(FIXED + n + pad);
		all = in.swap ? __builtin_bswap16(all) : all;
		cp_buf_add(b, head, 6);
		cp_buf_add(b, &all, 2);
		cp_buf_add(b, head + 8, FIXED - 8);
		cp_buf_add(b, to, n - 1);
		cp_buf_add(b, zeros, pad + 1);
	}
	return true;
}

/* Layout: n, size of an attr, and for each event attr, number of ids, name. */
static bool
put_events(struct cp_redaction *x, struct cp_bytes in, struct cp_buf *b,
    struct cp_arena *arena)
{
	const struct cp_evsels *all = &x->src->rec->evsels;
	uint32_t n = cp_bytes_u32(&in), size = cp_bytes_u32(&in);

	if (n != all->all.len)
		return false;
	put32(x, b, n);
	put32(x, b, size);
	for (uint32_t i = 0; i < n && !in.failed; i++) {
		const uint8_t *attr = cp_bytes_take(&in, size);
		uint32_t ids = cp_bytes_u32(&in);
		const char *name = get_text(&in, arena);
		const uint8_t *id = cp_bytes_take(&in, (size_t)ids * 8);

		if (attr == NULL || id == NULL)
			return false;
		cp_buf_add(b, attr, size);
		put32(x, b, ids);
		put_text(
		    x, b, cp_redact_event(x->names, all->all.data[i], name));
		cp_buf_add(b, id, (size_t)ids * 8);
	}
	return !in.failed;
}

/* Writes the architecture, if the name is a known one. */
static bool
put_arch(struct cp_redaction *x, struct cp_bytes in, struct cp_buf *b,
    struct cp_arena *arena)
{
	static const char *const known_ones[] = { "x86_64", "i386", "i686",
		"aarch64", "arm64", "arm", "armv7l", "armv8l", "ppc64le",
		"ppc64", "s390x", "riscv64", "mips64", "sparc64",
		"loongarch64" };
	const char *text = get_text(&in, arena);

	for (size_t i = 0; i < CP_ARRAY_LEN(known_ones); i++)
		if (strcmp(text, known_ones[i]) == 0) {
			put_text(x, b, text);
			return true;
		}
	return false;
}

/* Its texts stand between numbers: a piece may begin with some of these. */
static bool
is_clean(struct cp_redaction *x, const struct cp_repair_feature *f,
    struct cp_arena *arena)
{
	for (size_t at = 0, n; at < f->size; at += n + 1) {
		const char *text = (const char *)f->data + at;

		n = strnlen(text, f->size - at);
		text = cp_arena_strndup(arena, text, n);
		if (strcmp(cp_redact_text(x->names, text), text) != 0)
			return false;
	}
	return true;
}

static bool
put_feature(struct cp_redaction *x, const struct cp_repair_feature *f,
    struct cp_buf *b, struct cp_arena *arena)
{
	struct cp_bytes in = cp_bytes_of(f->data, f->size, x->src->rec->swap);
	enum cp_redact_class c;

	if (f->bit >= CP_ARRAY_LEN(known))
		return false;
	c = known[f->bit].c;
	switch (known[f->bit].action) {
	case TEXT: return put_one(x, c, in, b, arena);
	case TEXTS: return put_list(x, c, in, b, arena);
	case BUILD_IDS: return put_build_ids(x, in, b, arena);
	case EVENTS: return put_events(x, in, b, arena);
	case WITH_CLASS:
		cp_buf_add(b, f->data, f->size);
		return x->names->policy->how[c] == CP_REDACT_KEEP &&
		       is_clean(x, f, arena);
	case KEEP:
		cp_buf_add(b, f->data, f->size);
		return f->size == known[f->bit].size;
	case ARCH: return put_arch(x, in, b, arena);
	case DROP: break;
	}
	return false;
}

/*
 * Periods of events are kept: the command line, which is not, may have asked
 * for them.
 */
static void
keep_periods(struct cp_redaction *x)
{
	const struct cp_evsels *all = &x->src->rec->evsels;
	struct cp_redact *r = x->names;
	char text[24];

	for (size_t i = 0; i < all->all.len; i++) {
		snprintf(text, sizeof(text), "%" PRIu64,
		    all->all.data[i]->attr.sample_period);
		*cp_vec_push(&r->kept) = cp_strings_add(&r->texts, text);
	}
}

void
cp_redact_features(struct cp_redaction *x, struct cp_repair *r)
{
	struct cp_arena arena = { 0 };
	size_t kept = 0;

	keep_periods(x);
	for (size_t i = 0; i < r->features.len; i++) {
		struct cp_repair_feature f = r->features.data[i];
		struct cp_buf b;

		cp_buf_init(&b, CP_MAX_FEATURE);
		cp_buf_add(&b, "", 0); /* data is not NULL if it stays empty */
		if (put_feature(x, &f, &b, &arena) && !b.full) {
			r->features.data[kept++] =
			    (struct cp_repair_feature){ f.bit,
				    (uint8_t *)b.data, b.len };
		} else {
			cp_buf_free(&b);
			/* Tracing data are made again. */
			if (f.bit != CP_FEATURE_TRACING_DATA)
				x->names->count[CP_REDACT_SYSTEM].dropped +=
				    f.bit >= CP_ARRAY_LEN(known) ||
				    known[f.bit].c == CP_REDACT_SYSTEM;
		}
		free(f.data);
	}
	r->features.len = kept;
	cp_arena_free(&arena);
}
