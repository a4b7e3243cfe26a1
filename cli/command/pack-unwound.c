/* SPDX-License-Identifier: MIT */
/*
 * packunwound: in the first pass over the capture user stacks are unwound to
 * chains; a second pass writes the records with these chains in place of the
 * stacks.
 *
 * perf does not know our markers of an unwound part, but it accepts several
 * markers of user frames in a row.  So our markers are written in that way: see
 * model/callchain.c, which reads them.
 */
#include "cli/command/pack-unwound.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "readers/rewrite/rewrite.h"

/* ------------------------------------------------------------ first pass */

static const char *
reason(unsigned why)
{
	switch (why) {
	case CP_UNWIND_COMPLETE: return "complete";
	case CP_UNWIND_CUT: return "cut";
	case CP_UNWIND_NO_TABLE: return "no-table";
	case CP_UNWIND_UNREADABLE: return "unreadable";
	case CP_UNWIND_LOOP: return "loop";
	case CP_UNWIND_UNSUPPORTED: return "unsupported";
	default: return "limit";
	}
}

static const char *
object_name(const struct cp_run *run, uint32_t dso)
{
	const struct cp_session *s = &run->session;

	if (dso == 0)
		return "-";
	return cp_strings_get(&s->strings, cp_dsos_at(&s->dsos, dso)->pub.name);
}

/*
 * Makes a number that identifies a record: records are numbered by file, and a
 * folder has several files.
 */
static uint64_t
record_key(const struct cp_event *ev)
{
	return (uint64_t)ev->source << 48 | ev->number;
}

static int
watch(void *ctx, struct cp_run *run, const struct cp_queued *q,
    const struct cp_sample *s)
{
	struct cp_pack_unwound *p = ctx;
	uint32_t *at;

	/*
	 * Was the chain unwound from the stack, or extended by the link
	 * register (model/user-stack.c)?
	 */
	if (run->session.chain != q->chain && q->event != NULL)
		*cp_map64_put(&p->chains, record_key(q->event)) =
		    run->session.chain;
	if (s->unwound == CP_UNWIND_NONE)
		return CP_OK;
	if (p->tells && q->event != NULL)
		*cp_map64_put(&p->told, record_key(q->event)) = s->unwound;
	at =
	    cp_map64_put(&p->seen, (uint64_t)s->unwound << 32 | s->unwound_dso);
	if (*at == 0) {
		*cp_vec_push(&p->ends) =
		    (struct cp_pack_end){ reason(s->unwound),
			    object_name(run, s->unwound_dso), 0 };
		*at = (uint32_t)p->ends.len;
	}
	p->ends.data[*at - 1].n++;
	return CP_OK;
}

void
cp_pack_unwound_watch(struct cp_pack_unwound *p, struct cp_run *run)
{
	p->run = run;
	run->tap = watch;
	run->tap_ctx = p;
	run->tap_uncounted = true;
	run->filter.any = false; /* every sample is kept */
}

/* ----------------------------------------------------------- second pass */

/* Converts a word of a chain to words that perf knows; returns how many. */
static size_t
plain_words(uint64_t word, uint64_t out[5])
{
	out[0] = out[1] = out[2] = out[3] = out[4] = CP_CONTEXT_USER;
	switch (word) {
	case CP_CONTEXT_USER_UNWOUND: return 2;
	case CP_CONTEXT_USER_GUESSED: return 3;
	case CP_CONTEXT_USER_SCANNED: return 4;
	case CP_CONTEXT_USER_EDGE: return 5;
	default: out[0] = word; return 1;
	}
}

enum { MOST_END_WORDS = CP_CONTEXT_USER_ENDS + CP_UNWIND_LIMIT };

/* Makes the chain of a stack that could not be unwound: its first address. */
static size_t
lone_words(const struct cp_event *ev, uint32_t end, uint64_t *out)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (s->nr != 0 && end != 0 && s->nr <= CP_MAX_CHAIN) {
		memcpy(out, s->ips, (size_t)s->nr * sizeof(*out));
		return (size_t)s->nr;
	}
	if (s->nr != 0 || s->user_stack == NULL ||
	    (ev->misc & CP_MISC_CPUMODE) != CP_LEVEL_USER)
		return 0;
	out[0] = CP_CONTEXT_USER;
	out[1] = s->ip;
	return 2;
}

/* Adds how unwinding ended: model/event.h. */
static size_t
put_end(uint32_t end, uint64_t *words, size_t n)
{
	for (uint32_t i = 0; i < CP_CONTEXT_USER_ENDS + end; i++)
		words[n++] = CP_CONTEXT_USER;
	return n;
}

static size_t
put_chain(void *ctx, const struct cp_event *ev, uint64_t *words, size_t max)
{
	const struct cp_pack_unwound *p = ctx;
	uint64_t ours[CP_MAX_CHAIN];
	uint32_t end = cp_map64_get(&p->told, record_key(ev));
	size_t have = cp_chains_words(&p->run->session.chains,
	    cp_map64_get(&p->chains, record_key(ev)), ours, CP_MAX_CHAIN);
	size_t n = 0;

	if (have == 0)
		have = lone_words(ev, end, ours);
	max -= CP_MIN(max, p->tells ? (size_t)MOST_END_WORDS : 0);
	for (size_t i = 0; i < have; i++) {
		uint64_t plain[5];
		size_t m = plain_words(ours[i], plain);

		if (m > max - n)
			break;
		memcpy(words + n, plain, m * sizeof(*plain));
		n += m;
	}
	return n != 0 && end != 0 ? put_end(end, words, n) : n;
}

/* Opens a folder again for the second pass; a single file is reused. */
static int
open_again(const struct cp_pack_unwound *p, bool folder, struct cp_capture *src)
{
	const struct cp_input *in = &p->run->capture.in;
	int fd = folder ? open(p->run->options->capture,
			      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			: fcntl(in->fd, F_DUPFD_CLOEXEC, 3);

	if (fd < 0 ||
	    cp_input_adopt(&src->in, fd, in->path, src->diags) != CP_OK)
		return CP_FAIL;
	return cp_capture_start(src);
}

/* Adds the files under the names that the files of a folder have. */
static int
add_files(struct cp_pack_unwound *p, bool folder, const struct cp_capture *src,
    struct cp_packlist *list)
{
	int status = CP_OK;

	for (size_t i = 0; i < p->files.len; i++) {
		char name[40] = "perf.data";
		struct cp_pack_item *it = NULL;
		struct stat st;

		if (folder && i == 0)
			snprintf(name, sizeof(name), "perf.data/data");
		else if (folder)
			snprintf(name, sizeof(name), "perf.data/data.%" PRIu32,
			    src->parts.data[i - 1]);
		if (fstat(p->files.data[i], &st) == 0)
			it = cp_packlist_add(list, name);
		if (it == NULL) {
			status = CP_FAIL;
			continue;
		}
		it->role = "capture-unwound";
		it->fd = p->files.data[i];
		it->mode = 0600;
		it->size = (uint64_t)st.st_size;
	}
	return status;
}

/*
 * Rewrites the capture; drops diagnostics, which the first pass has given
 * already.
 */
static const char *
rewrite(struct cp_pack_unwound *p, struct cp_packlist *list)
{
	bool folder = strcmp(p->run->capture.reader->name, "directory") == 0;
	struct cp_rewrite r = {
		.chain = put_chain, .ctx = p, .fields = p->tells
	};
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_recording rec = { 0 };
	struct cp_quality quality = { 0 };
	struct cp_capture src = { .readers = p->run->capture.readers,
		.rec = &rec,
		.quality = &quality,
		.diags = diags };
	const char *why = "it cannot be read again";

	cp_diags_init(diags);
	cp_info_init(&rec.info);
	if (open_again(p, folder, &src) == CP_OK) {
		why = cp_rewrite(&r, &src);
		for (size_t i = 0; i < r.files.len; i++)
			*cp_vec_push(&p->files) = r.files.data[i];
		cp_vec_free(&r.files);
	}
	if (why == NULL && add_files(p, folder, &src, list) != CP_OK)
		why = "it is there already";
	cp_capture_close(&src);
	cp_recording_free(&rec);
	if (why == NULL && r.dropped != 0)
		*cp_vec_push(&p->ends) =
		    (struct cp_pack_end){ "dropped", "-", r.dropped };
	free(diags);
	return why;
}

static int
end_order(const void *a, const void *b)
{
	const struct cp_pack_end *x = a, *y = b;
	int c = strcmp(x->reason, y->reason);

	return c != 0 ? c : strcmp(x->object, y->object);
}

int
cp_pack_unwound(struct cp_pack_unwound *p, struct cp_packlist *list)
{
	const char *why = rewrite(p, list);

	if (why != NULL) {
		cp_diag(p->run->diags, CP_D_USAGE,
		    "cannot be packed unwound: %s", why);
		return CP_FAIL;
	}
	if (p->ends.len != 0)
		qsort(p->ends.data, p->ends.len, sizeof(*p->ends.data),
		    end_order);
	for (size_t i = 0; i < p->ends.len; i++)
		*cp_vec_push(&list->ends) = p->ends.data[i];
	return CP_OK;
}

void
cp_pack_unwound_free(struct cp_pack_unwound *p)
{
	for (size_t i = 0; i < p->files.len; i++)
		close(p->files.data[i]);
	cp_vec_free(&p->files);
	cp_map64_free(&p->chains);
	cp_map64_free(&p->told);
	cp_map64_free(&p->seen);
	cp_vec_free(&p->ends);
}
