/* SPDX-License-Identifier: MIT */
/*
 * dump: records in file order, one line each, as far as they are decoded.
 */
#include "run/api.h"
#include "cli/output.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"

static void
put_text(struct cp_buf *b, const char *key, const char *text)
{
	cp_buf_printf(b, " %s=", key);
	cp_escape_terminal(b, text);
}

static void
put_hex(struct cp_buf *b, const char *key, uint64_t v)
{
	cp_buf_printf(b, " %s=0x%" PRIx64, key, v);
}

static void
dump_mmap(struct cp_buf *b, const struct cp_ev_mmap *m)
{
	cp_buf_printf(b, " pid=%" PRId32 " tid=%" PRId32, (int32_t)m->pid,
	    (int32_t)m->tid);
	put_hex(b, "addr", m->addr);
	put_hex(b, "len", m->len);
	put_hex(b, "pgoff", m->pgoff);
	if (m->v2)
		cp_buf_printf(
		    b, " prot=%" PRIu32 " flags=%" PRIu32, m->prot, m->flags);
	if (m->has_inode)
		cp_buf_printf(b,
		    " dev=%" PRIx32 ":%" PRIx32 " ino=%" PRIu64 " gen=%" PRIu64,
		    m->maj, m->min, m->ino, m->gen);
	if (m->build_id_size != 0)
		cp_buf_str(b, " build-id=");
	cp_buf_hex_of(b, m->build_id, m->build_id_size);
	put_text(b, "file", m->filename);
}

static void
dump_sample(struct cp_buf *b, const struct cp_ev_sample *s)
{
	put_hex(b, "ip", s->ip);
	cp_buf_printf(b, " period=%" PRIu64, s->period);
	if (s->addr != 0)
		put_hex(b, "addr", s->addr);
	for (uint64_t i = 0; i < s->nr; i++)
		cp_buf_printf(
		    b, i == 0 ? " chain=%" PRIx64 : ",%" PRIx64, s->ips[i]);
	if (s->raw_size != 0)
		cp_buf_printf(b, " raw=%" PRIu32, s->raw_size);
	if (s->branch_nr != 0)
		cp_buf_printf(b, " branches=%" PRIu64, s->branch_nr);
	if (s->user_abi != 0)
		cp_buf_printf(b, " user-stack=%" PRIu64, s->user_stack_size);
	if (s->weight != 0)
		cp_buf_printf(b, " weight=%" PRIu64, s->weight);
	if (s->data_src != 0)
		put_hex(b, "data-src", s->data_src);
	if (s->cgroup != 0)
		cp_buf_printf(b, " cgroup=%" PRIu64, s->cgroup);
}

/* The payload of a tracepoint as script -F trace prints it, last on its line.
 */
static void
dump_payload(struct cp_buf *b, struct cp_run *run, const struct cp_event *ev)
{
	struct cp_sample s = { .time = ev->time,
		.evsel = ev->evsel,
		.pid = ev->pid,
		.tid = ev->tid,
		.cpu = ev->cpu,
		.raw = ev->u.sample.raw,
		.raw_size = ev->u.sample.raw_size };
	const char *text;
	size_t n;

	if (ev->type != CP_RECORD_SAMPLE || ev->evsel == CP_NO_ID ||
	    s.raw == NULL)
		return;
	text = cp_sample_payload(run, &s, &n);
	if (text != NULL)
		put_text(b, "payload", text);
}

static void
dump_content(struct cp_buf *b, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2: dump_mmap(b, &ev->u.mmap); break;
	case CP_RECORD_SAMPLE: dump_sample(b, &ev->u.sample); break;
	case CP_RECORD_COMM:
		cp_buf_printf(b, " pid=%" PRId32 " tid=%" PRId32,
		    (int32_t)ev->u.comm.pid, (int32_t)ev->u.comm.tid);
		put_text(b, "comm", ev->u.comm.comm);
		break;
	case CP_RECORD_FORK:
	case CP_RECORD_EXIT:
		cp_buf_printf(b,
		    " pid=%" PRId32 " tid=%" PRId32 " ppid=%" PRId32
		    " ptid=%" PRId32,
		    (int32_t)ev->u.task.pid, (int32_t)ev->u.task.tid,
		    (int32_t)ev->u.task.ppid, (int32_t)ev->u.task.ptid);
		break;
	case CP_RECORD_LOST:
	case CP_RECORD_LOST_SAMPLES:
		cp_buf_printf(b, " lost=%" PRIu64, ev->u.lost.lost);
		break;
	case CP_RECORD_KSYMBOL:
		put_hex(b, "addr", ev->u.ksymbol.addr);
		cp_buf_printf(b, " len=%" PRIu32, ev->u.ksymbol.len);
		put_text(b, "name", ev->u.ksymbol.name);
		break;
	case CP_RECORD_CGROUP:
		cp_buf_printf(b, " id=%" PRIu64, ev->u.cgroup.id);
		put_text(b, "path", ev->u.cgroup.path);
		break;
	case CP_RECORD_HEADER_BUILD_ID:
		put_text(b, "file", ev->u.build_id.filename);
		break;
	default: break;
	}
}

static void
dump_event(struct cp_buf *b, struct cp_run *run, const struct cp_event *ev)
{
	const char *name = cp_record_name(ev->type);

	cp_buf_printf(b, "%" PRIu64 " 0x%" PRIx64 " ", ev->number, ev->offset);
	if (name != NULL)
		cp_buf_str(b, name);
	else
		cp_buf_printf(b, "type-%" PRIu32, ev->type);
	cp_buf_printf(b, " misc=0x%x size=%" PRIu32, ev->misc, ev->size);
	if (ev->time != CP_NO_TIME)
		cp_buf_printf(b, " time=%" PRIu64, ev->time);
	if (ev->pid != CP_NO_ID || ev->tid != CP_NO_ID)
		cp_buf_printf(b, " by=%" PRId32 "/%" PRId32, (int32_t)ev->pid,
		    (int32_t)ev->tid);
	if (ev->cpu != CP_NO_ID)
		cp_buf_printf(b, " cpu=%" PRIu32, ev->cpu);
	if (ev->id != 0)
		cp_buf_printf(b, " id=%" PRIu64, ev->id);
	dump_content(b, ev);
	dump_payload(b, run, ev);
	cp_buf_char(b, '\n');
}

int
cp_command_dump(struct cp_cli *cli)
{
	struct cp_run run = { 0 };
	struct cp_output o;
	struct cp_event ev;
	struct cp_buf b;
	bool opened;

	cp_buf_init(&b, 16 << 20);
	if (cp_output_open(&o, cli, false) != CP_OK)
		return cp_cli_status(cli);
	opened = cp_run_open(&run, &cli->run, &cli->diags,
		     cli->captures.data[0]) == CP_OK;
	while (opened && !o.out.failed && cp_capture_next(&run.capture, &ev)) {
		b.len = 0;
		dump_event(&b, &run, &ev);
		cp_out_add(&o.out, b.data, b.len);
	}
	cp_output_close(&o, cli, opened);
	cp_run_close(&run);
	cp_buf_free(&b);
	return cp_cli_status(cli);
}
