/* SPDX-License-Identifier: MIT */
/*
 * fuzz-redact: the input is a capture that is redacted, by the policy `share'
 * if its size is odd, else by `public'.
 *
 * The new capture is whole, and has the samples that are counted.  By `public'
 * no text has the word that tests/redact/plant.py gives each secret; numbers
 * may have its bytes.
 */
#include "config.h" /* memfd_create */

#include "tests/fuzz/reading.h"

#include "readers/redact/redact.h"
#include "tests/fuzz/fuzz.h"

struct redacting {
	struct cp_policy policy;
	struct cp_redact names;
	bool public;
};

static void
check_text(const struct redacting *x, const char *text)
{
	if (x->public && text != NULL && strstr(text, "Leak") != NULL) {
		fprintf(stderr, "left: %.200s\n", text);
		abort();
	}
}

static void
check_record(const struct redacting *x, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2: check_text(x, ev->u.mmap.filename); break;
	case CP_RECORD_COMM: check_text(x, ev->u.comm.comm); break;
	case CP_RECORD_CGROUP: check_text(x, ev->u.cgroup.path); break;
	case CP_RECORD_KSYMBOL: check_text(x, ev->u.ksymbol.name); break;
	default: break;
	}
}

static void
check_head(const struct redacting *x, const struct cp_recording *rec)
{
	const struct cp_info *info = &rec->info;

	check_text(x, info->hostname);
	for (uint32_t i = 0; i < info->cmdline.n; i++)
		check_text(x, info->cmdline.item[i]);
	for (size_t i = 0; i < info->build_ids.len; i++)
		check_text(x, info->build_ids.data[i].filename);
	for (size_t i = 0; i < rec->evsels.all.len; i++)
		check_text(x, rec->evsels.all.data[i]->pub.name);
}

static void
read_back(const struct redacting *x, const struct cp_repair *made)
{
	static struct fuzz_reading r;
	struct cp_event ev;
	uint64_t samples = 0;

	FUZZ_ASSERT(fuzz_reading_open(&r, made->fd));
	while (cp_capture_next(&r.capture, &ev)) {
		samples += ev.type == CP_RECORD_SAMPLE;
		check_record(x, &ev);
	}
	check_head(x, &r.rec);
	FUZZ_ASSERT(samples == made->samples);
	FUZZ_ASSERT(r.quality.bytes_skipped == 0);
	FUZZ_ASSERT(r.quality.bytes_total == made->size);
	fuzz_reading_close(&r);
}

static void
redact(struct redacting *x, int fd)
{
	static struct fuzz_reading r;
	struct cp_redaction made = { .file = { .fd = -1 } };

	if (fuzz_reading_open(&r, fd))
		(void)cp_redact_learn(&x->names, &r.capture);
	fuzz_reading_close(&r);
	if (fuzz_reading_open(&r, fd) &&
	    cp_redaction(&made, &x->names, &r.capture) == NULL)
		read_back(x, &made.file);
	cp_redaction_free(&made);
	fuzz_reading_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct redacting x = { .public = size % 2 == 0 };
	char why[200];
	int fd = fuzz_file(data, size);

	cp_redact_init(&x.names, &x.policy);
	FUZZ_ASSERT(cp_policy_read(&x.policy, x.public ? "public" : "share",
			why, sizeof(why)) == NULL);
	cp_redact_begin(&x.names);
	redact(&x, fd);
	cp_redact_free(&x.names);
	cp_policy_free(&x.policy);
	close(fd);
	return 0;
}
