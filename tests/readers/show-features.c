/* SPDX-License-Identifier: MIT */
/*
 * show-features FILE: what the features of a perf.data file say, as text.
 *
 * For features-perf.t, which compares it with perf's own words.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "readers/header/features.h"
#include "readers/header/tracing.h"
#include "tests/readers/sections.h"

struct show {
	struct cp_info info;
	struct cp_tracepoints tp;
	struct cp_diags diags;
};

static void
section(void *arg, uint32_t bit, struct cp_bytes payload)
{
	struct show *s = arg;

	cp_feature_read(&s->info, bit, payload, &s->diags);
	if (bit == CP_FEATURE_TRACING_DATA)
		cp_tracing_read(&s->tp, payload, &s->diags);
}

static void
show_events(const struct cp_info *in)
{
	for (size_t i = 0; i < in->events.len; i++) {
		const struct cp_event_desc *e = &in->events.data[i];

		printf("ids: %s =", e->name);
		for (uint32_t k = 0; k < e->n_ids; k++)
			printf("%s %" PRIu64, k != 0 ? "," : "", e->ids[k]);
		putchar('\n');
	}
	for (size_t i = 0; i < in->groups.len; i++) {
		const struct cp_group_desc *g = &in->groups.data[i];
		bool anon = strcmp(g->name, "{anon_group}") == 0;

		printf("members: %s{", anon ? "" : g->name);
		for (uint32_t k = 0; k < g->members; k++)
			printf("%s%s", k != 0 ? "," : "",
			    g->leader + k < in->events.len
				? in->events.data[g->leader + k].name
				: "?");
		puts("}");
	}
}

static void
show_cpus(const struct cp_info *in)
{
	for (size_t i = 0; i < in->cpus.len; i++) {
		const struct cp_cpu_topology *c = &in->cpus.data[i];

		printf("CPU %zu: Core ID %d, ", i, (int)c->core);
		if (c->die != CP_NO_ID)
			printf("Die ID %d, ", (int)c->die);
		printf("Socket ID %d\n", (int)c->socket);
	}
}

static void
show_bpf(const struct cp_info *in)
{
	for (size_t i = 0; i < in->bpf_progs.len; i++) {
		const struct cp_bpf_prog *p = &in->bpf_progs.data[i];

		for (uint32_t k = 0; k < p->n_ksyms; k++)
			printf("bpf: %" PRIu32 " addr 0x%" PRIx64
			       " size %" PRIu32 "\n",
			    p->id, p->ksyms[k].addr, p->ksyms[k].len);
	}
}

static void
show_build_ids(const struct cp_info *in)
{
	for (size_t i = 0; i < in->build_ids.len; i++) {
		const struct cp_build_id *b = &in->build_ids.data[i];

		printf("build-id: ");
		for (unsigned k = 0; k < b->size; k++)
			printf("%02x", b->id[k]);
		printf(" %s\n", b->filename);
	}
}

static void
show_objects(const struct cp_info *in)
{
	for (size_t i = 0; i < in->sp_files.len; i++) {
		const struct cp_sp_file *f = &in->sp_files.data[i];

		for (size_t k = 0; k < f->symbols.len; k++)
			printf("symbol: %s %" PRIx64 " %" PRIu32 " %s\n",
			    f->path, f->symbols.data[k].vaddr,
			    f->symbols.data[k].len, f->symbols.data[k].name);
	}
	for (size_t i = 0; i < in->sp_events.len; i++)
		printf("event-type: %s %" PRIu32 " %" PRIu64 "\n",
		    in->sp_events.data[i].name, in->sp_events.data[i].type,
		    in->sp_events.data[i].config);
}

/* In the words of the format files, without what was not kept. */
static void
show_formats(const struct cp_tracepoints *tp)
{
	for (size_t i = 0; i < tp->events.len; i++) {
		const struct cp_tp_event *e = &tp->events.data[i];

		printf(
		    "format: %s/%s %" PRIu64 "\n", e->system, e->name, e->id);
		for (uint32_t k = 0; k < e->n_fields; k++)
			printf("field: %s | %s | %" PRIu32 " | %" PRIu32
			       " | %d\n",
			    e->fields[k].type, e->fields[k].name,
			    e->fields[k].offset, e->fields[k].size,
			    e->fields[k].is_signed);
		printf("print: %s\n", e->print_fmt);
	}
}

static void
show(const struct show *s)
{
	const struct cp_info *in = &s->info;

	for (size_t i = 0; i < in->facts.len; i++)
		printf(
		    "%s: %s\n", in->facts.data[i].key, in->facts.data[i].value);
	if (in->cmdline.n != 0)
		printf("cmdline:");
	for (uint32_t i = 0; i < in->cmdline.n; i++)
		printf(" %s", in->cmdline.item[i]);
	putchar('\n');
	show_events(in);
	show_cpus(in);
	show_bpf(in);
	show_build_ids(in);
	show_objects(in);
	show_formats(&s->tp);
	for (size_t i = 0; i < s->tp.comms.len; i++)
		printf("saved-comm: %" PRIu32 " %s\n", s->tp.comms.data[i].pid,
		    s->tp.comms.data[i].comm);
	for (int id = 0; id < CP_D_COUNT; id++)
		for (uint64_t i = 0;
		     i < CP_MIN(s->diags.count[id], CP_MAX_PLACES); i++)
			printf("diag: %s: %s\n", cp_diag_table[id].slug,
			    s->diags.place[id][i].tail);
}

int
main(int argc, char **argv)
{
	static struct show s;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;
	uint8_t *p;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0)
		return 2;
	p = cp_xmalloc((size_t)st.st_size);
	if (read(fd, p, (size_t)st.st_size) != st.st_size)
		return 2;
	close(fd);
	cp_info_init(&s.info);
	cp_diags_init(&s.diags);
	if (!sections_each(p, (size_t)st.st_size, section, &s))
		return 2;
	free(p);
	show(&s);
	cp_info_free(&s.info);
	cp_tracepoints_free(&s.tp);
	return 0;
}
