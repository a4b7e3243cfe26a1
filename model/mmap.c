/* SPDX-License-Identifier: MIT */
/*
 * mmap: turns mapping records into objects and mappings.
 *
 * Names decide, as in perf: the kernel's brackets, [vdso], the many ways to say
 * "no file".
 */
#include "model/thread.h"

#include "base/bytes.h"
#include "base/limits.h"

enum { PROT_EXECUTE = 4, MAP_HUGE_TLB = 0x40000, MAP_KINDS = 3, PRIVATE = 2 };

static bool
starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool
is_bytecode(const char *name)
{
	static const char *const ends[] = { ".vdex", ".dex", ".jar", ".apk" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < CP_ARRAY_LEN(ends); i++)
		if (strcmp(dot, ends[i]) == 0)
			return true;
	return false;
}

bool
cp_mmap_is_code(const struct cp_event *ev)
{
	const struct cp_ev_mmap *e = &ev->u.mmap;
	bool told = e->v2 && (e->prot != 0 || e->flags != 0);
	bool runs = told ? (e->prot & PROT_EXECUTE) != 0
			 : (ev->misc & CP_MISC_DATA) == 0;

	return runs || is_bytecode(e->filename);
}

static bool
no_file(const char *name, uint32_t flags)
{
	return strcmp(name, "//anon") == 0 || starts(name, "/dev/zero") ||
	       starts(name, "/anon_hugepage") || starts(name, "[heap]") ||
	       starts(name, "[stack") || starts(name, "/SYSV") ||
	       (flags & MAP_HUGE_TLB) != 0;
}

/* ---------------------------------------------------------------- objects */

static struct cp_dso_info *
dso_get(struct cp_session *s, struct cp_dso_key *k)
{
	bool own = k->build_id_size != 0, several = false;
	const struct cp_dso_key file = *k;
	struct cp_dso_info *d;

	if (k->kind == CP_DSO_FILE || k->kind == CP_DSO_KERNEL ||
	    k->kind == CP_DSO_VDSO)
		several = cp_session_id_of_name(s, k);
	if (k->build_id_size != 0) {
		k->maj = k->min = 0;
		k->ino = k->gen = 0;
	}
	d = cp_dsos_get(&s->dsos, &s->strings, k);
	if (d == NULL) {
		cp_diag(s->diags, CP_D_LIMIT, "over %u objects", CP_MAX_DSOS);
		return NULL;
	}
	if (!own && k->build_id_size != 0) {
		d->several |= several;
		cp_dso_note_file(d, &file);
	}
	return d;
}

static void
key_of(struct cp_session *s, const struct cp_ev_mmap *e, const char *name,
    enum cp_level level, enum cp_dso_kind kind, struct cp_dso_key *k)
{
	*k = (struct cp_dso_key){ .level = (uint8_t)level,
		.kind = (uint8_t)kind,
		.build_id_size = e->build_id_size,
		.maj = e->maj,
		.min = e->min,
		.ino = e->ino,
		.gen = e->gen };
	k->name = cp_strings_add(&s->strings, name);
	memcpy(k->build_id, e->build_id, sizeof(k->build_id));
	if (cp_is_zero(k->build_id, k->build_id_size))
		k->build_id_size = 0;
}

/* ----------------------------------------------------------------- kernel */

static void
kernel_insert(struct cp_session *s, const struct cp_map *m)
{
	bool changed;

	if (cp_aspace_insert(s->kernel, m, &changed) != CP_OK)
		cp_diag(s->diags, CP_D_LIMIT, "kernel mappings");
	else if (changed)
		s->kernel_generation++;
	if (changed)
		cp_aspace_renew(s->kernel, s->kernel->generation);
}

/* Gaps between modules are not the kernel's. */
static void
slack_end_at(struct cp_session *s, uint64_t module)
{
	if (module < s->slack_start || module >= s->slack_end)
		return;
	if (cp_aspace_remove(s->kernel, module, s->slack_end))
		s->kernel_generation++;
	s->slack_end = module;
}

/*
 * perf 6.18 to 7.0-rc3 gave the build ID of the first module to all.  It is
 * that one's; nothing is known of the others.
 */
static void
unshare_id(struct cp_session *s, struct cp_dso_key *k, const char *name)
{
	cp_string_id module = cp_strings_add(&s->strings, name);
	uint32_t *owner;

	if (k->build_id_size == 0)
		return;
	owner = cp_map64_put(&s->module_ids,
	    cp_hash_bytes(k->build_id, CP_MIN(k->build_id_size, 20)));
	if (*owner == 0)
		*owner = module;
	if (*owner == module)
		return;
	k->build_id_size = 0;
	memset(k->build_id, 0, sizeof(k->build_id));
}

static void
module_mmap(struct cp_session *s, const struct cp_ev_mmap *e)
{
	char name[256];
	struct cp_dso_key k;
	struct cp_dso_info *d;

	/*
	 * The module's address was hidden, as the kernel's: the record covers
	 * all addresses.
	 */
	if (e->addr == 0) {
		cp_diag(s->diags, CP_D_RESTRICTED, NULL);
		return;
	}
	cp_dso_module_name(e->filename, name, sizeof(name));
	/* perf keeps a module's path only if the table of build IDs has it. */
	key_of(s, e, e->filename, CP_LEVEL_KERNEL, CP_DSO_MODULE, &k);
	cp_session_id_of_name(s, &k);
	if (k.build_id_size == 0)
		k.name = cp_strings_add(&s->strings, name);
	unshare_id(s, &k, name);
	d = dso_get(s, &k);
	if (d == NULL)
		return;
	d->start = e->addr;
	d->end = e->addr + e->len;
	slack_end_at(s, e->addr);
	kernel_insert(s, &(struct cp_map){ .start = e->addr,
			     .end = e->addr + e->len,
			     .delta = -e->addr,
			     .dso = d->pub.id });
}

/*
 * The record covers the kernel's text, but code runs after it too (init text).
 * Addresses there that no module has are the kernel's.
 */
static uint64_t
kernel_end(const struct cp_session *s, uint64_t start, uint64_t end)
{
	const uint64_t slack = 64u << 20;
	uint64_t far = end > UINT64_MAX - slack ? UINT64_MAX : end + slack;

	if (start == 0 && end == 0)
		return UINT64_MAX;
	return CP_MIN(far, cp_aspace_next(s->kernel, end));
}

/* The build ID of a kernel read from a vmlinux is under that file's name. */
static void
kernel_name(struct cp_session *s, struct cp_dso_key *k)
{
	const struct cp_info *info = &s->rec->info;

	cp_session_id_of_name(s, k);
	for (; s->vmlinux == 0 && s->vmlinux_seen < info->build_ids.len;
	     s->vmlinux_seen++) {
		const struct cp_build_id *b =
		    &info->build_ids.data[s->vmlinux_seen];

		if (b->size != 0 && b->cpumode == CP_LEVEL_KERNEL &&
		    b->filename != NULL &&
		    strstr(b->filename, "vmlinux") != NULL)
			s->vmlinux = cp_strings_add(&s->strings, b->filename);
	}
	if (k->build_id_size == 0 && s->vmlinux != 0) {
		k->name = s->vmlinux;
		cp_session_id_of_name(s, k);
	}
}

/*
 * In "[kernel.kallsyms]_text" the text after the bracket is the symbol whose
 * run-time address is pgoff.
 */
static void
kernel_mmap(struct cp_session *s, const struct cp_ev_mmap *e)
{
	const char *bracket = strchr(e->filename, ']');
	struct cp_dso_key k;
	struct cp_dso_info *d;
	uint64_t end = kernel_end(s, e->addr, e->addr + e->len);

	key_of(s, e, "[kernel.kallsyms]", CP_LEVEL_KERNEL, CP_DSO_KERNEL, &k);
	kernel_name(s, &k);
	d = dso_get(s, &k);
	if (d == NULL)
		return;
	d->pub.short_name = cp_strings_add(&s->strings, "[kernel.kallsyms]");
	d->start = e->addr;
	d->end = end;
	d->ref_addr = e->pgoff;
	d->text_end = e->pgoff != 0 ? e->addr + e->len : 0;
	d->ref_name = cp_strings_add(&s->strings,
	    bracket != NULL && bracket[1] != '\0' ? bracket + 1 : "_text");
	if (e->pgoff == 0)
		cp_diag(s->diags, CP_D_RESTRICTED, NULL);
	kernel_insert(s,
	    &(struct cp_map){ .start = e->addr, .end = end, .dso = d->pub.id });
	if (e->addr != 0) {
		s->slack_start = e->addr + e->len;
		s->slack_end = end;
	}
}

void
cp_session_ksymbol(struct cp_session *s, const struct cp_ev_ksymbol *e)
{
	struct cp_dso_key k = { .level = CP_LEVEL_KERNEL, .kind = CP_DSO_BPF };
	struct cp_dso_info *d;

	if (e->len == 0 || e->addr + e->len < e->addr)
		return;
	if (e->flags & 1) {
		if (cp_aspace_remove(s->kernel, e->addr, e->addr + e->len))
			s->kernel_generation++;
		return;
	}
	k.name = cp_strings_add(&s->strings, e->name);
	k.ino = e->addr; /* a program that is loaded again is another object */
	d = dso_get(s, &k);
	if (d == NULL)
		return;
	if (d->symbols.len == 0)
		*cp_vec_push(&d->symbols) =
		    (struct cp_capture_symbol){ .start = e->addr,
			    .end = e->addr + e->len,
			    .name = k.name };
	d->start = e->addr;
	d->end = e->addr + e->len;
	kernel_insert(s,
	    &(struct cp_map){
		.start = e->addr, .end = e->addr + e->len, .dso = d->pub.id });
}

/* ------------------------------------------------------------------- user */

void
cp_session_namespaces(struct cp_session *s, const struct cp_ev_namespaces *e)
{
	enum { PID = 3 }; /* index of the PID namespace in the record */
	const uint64_t initial = 0xeffffffc; /* PROC_PID_INIT_INO */
	struct cp_process *p = cp_session_thread(s, e->pid, e->tid)->process;

	if (p == NULL || e->n <= PID || e->ino[PID] == 0)
		return;
	p->pid_ns = e->ino[PID] == initial ? CP_NS_INITIAL : CP_NS_OTHER;
	if (p->code != NULL)
		p->code->pid_ns = p->pid_ns;
}

/*
 * Code in a memfd that a runtime makes, which it writes by another mapping: so
 * both are shared.  A program or library there is mapped privately, as any
 * other, or has a build ID.
 */
static bool
memory_code(struct cp_session *s, const struct cp_ev_mmap *e)
{
	struct cp_dso_key k;

	if (!starts(e->filename, "/memfd:") ||
	    (e->v2 && (e->flags & MAP_KINDS) == PRIVATE))
		return false;
	key_of(s, e, e->filename, CP_LEVEL_USER, CP_DSO_FILE, &k);
	cp_session_id_of_name(s, &k);
	return k.build_id_size == 0;
}

static bool
is_narrow(const struct cp_ev_mmap *e)
{
	return e->addr >> 32 == 0;
}

static struct cp_dso_info *
user_object(struct cp_session *s, const struct cp_ev_mmap *e,
    struct cp_process *p, uint32_t prot, struct cp_map *m)
{
	bool runs = (prot & PROT_EXECUTE) != 0;
	struct cp_dso_key k;

	m->delta = e->pgoff - e->addr;
	if (no_file(e->filename, e->flags)) {
		m->delta = 0;
		return cp_session_anon(
		    s, p, runs ? NULL : e->filename, runs, m);
	} else if (runs && memory_code(s, e)) {
		m->delta = 0;
		return cp_session_anon(s, p, e->filename, true, m);
	} else if (strcmp(e->filename, "[vdso]") == 0) {
		m->delta = -e->addr;
		/*
		 * A 32-bit program on a 64-bit kernel has its own vdso.  The
		 * kernel gives it the same name; perf's table of build IDs says
		 * [vdso32].
		 */
		key_of(s, e, "[vdso]", CP_LEVEL_USER, CP_DSO_VDSO, &k);
		if (is_narrow(e)) {
			k.name = cp_strings_add(&s->strings, "[vdso32]");
			cp_session_id_of_name(s, &k);
			k.name = cp_strings_add(&s->strings, "[vdso]");
		}
	} else {
		key_of(s, e, e->filename, CP_LEVEL_USER, CP_DSO_FILE, &k);
	}
	return dso_get(s, &k);
}

/*
 * Returns a private space.  A shared one is copied and gets a new generation.
 */
static struct cp_aspace *
aspace_of(struct cp_session *s, struct cp_process *p)
{
	bool shared = p->aspace->refs > 1;

	p->aspace->copies = &s->map_copies;
	if (shared && s->map_copies + p->aspace->maps.len > CP_MAX_COPIES) {
		cp_diag(s->diags, CP_D_LIMIT,
		    "mappings that pid %" PRIu32 " inherited", p->pid);
		cp_aspace_unref(p->aspace);
		p->aspace = cp_aspace_new();
	}
	p->aspace = cp_aspace_own(p->aspace);
	if (shared) {
		cp_aspace_renew(p->aspace, ++s->generations);
	}
	return p->aspace;
}

/* Notes where the code of a file was mapped. */
static void
note_code(
    struct cp_aspace *a, struct cp_dso_info *d, const struct cp_ev_mmap *e)
{
	if (a->program == 0 && d->pub.kind == CP_DSO_FILE)
		a->program = d->pub.id;
	if (d->map_size == 0) {
		d->map_addr = e->addr;
		d->map_offset = e->pgoff;
		d->map_size = e->len;
	}
	d->map_parts |= d->map_offset != e->pgoff &&
			e->addr - e->pgoff == d->map_addr - d->map_offset;
}

static void
user_insert(struct cp_session *s, struct cp_aspace *a, uint32_t pid,
    const struct cp_map *m)
{
	bool changed;

	if (cp_aspace_insert(a, m, &changed) != CP_OK)
		cp_diag(s->diags, CP_D_LIMIT, "mappings of pid %" PRIu32, pid);
	else if (changed)
		cp_aspace_renew(a, ++s->generations);
}

static void
user_mmap(struct cp_session *s, const struct cp_event *ev)
{
	const struct cp_ev_mmap *e = &ev->u.mmap;
	struct cp_thread *t = cp_session_thread(s, e->pid, e->tid);
	uint32_t prot = e->prot;
	struct cp_map m = { .start = e->addr, .end = e->addr + e->len }, copy;
	const bool listed = ev->time == 0;
	struct cp_dso_info *d;
	struct cp_aspace *a;

	if (!e->v2)
		prot = ev->misc & CP_MISC_DATA ? 0 : PROT_EXECUTE;
	if (t->process == NULL || m.end <= m.start)
		return;
	a = aspace_of(s, t->process);
	if (no_file(e->filename, e->flags) &&
	    cp_text_copied(s, a, &m, listed)) {
		user_insert(s, a, e->pid, &m);
		return;
	}
	d = user_object(s, e, t->process, prot, &m);
	if (d == NULL)
		return;
	d->pub.runs |= (prot & PROT_EXECUTE) != 0;
	if ((prot & PROT_EXECUTE) != 0)
		note_code(a, d, e);
	m.dso = d->pub.id;
	m.code = cp_mmap_is_code(ev);
	if (d->pub.kind == CP_DSO_VDSO)
		a->narrow = is_narrow(e);
	if (d->pub.kind != CP_DSO_ANON)
		cp_session_jit_forget(s, t->process, m.start, m.end);
	if (prot & PROT_EXECUTE)
		cp_session_jit_mmap(s, t->process, ev);
	if (d->pub.kind == CP_DSO_FILE &&
	    cp_text_goes_on(s, a, &m, listed, &copy))
		user_insert(s, a, e->pid, &copy);
	user_insert(s, a, e->pid, &m);
}

void
cp_session_mmap(struct cp_session *s, const struct cp_event *ev)
{
	const struct cp_ev_mmap *e = &ev->u.mmap;
	enum cp_level level = ev->misc & CP_MISC_CPUMODE;

	if (level == CP_LEVEL_GUEST_KERNEL)
		cp_session_guest_mmap(s, e);
	if (level == CP_LEVEL_GUEST_KERNEL || level == CP_LEVEL_GUEST_USER)
		return;
	if (level != CP_LEVEL_KERNEL)
		user_mmap(s, ev);
	else if (starts(e->filename, "[kernel.kallsyms") ||
		 starts(e->filename, "[kernel.vmlinux"))
		kernel_mmap(s, e);
	else if (e->addr + e->len > e->addr)
		module_mmap(s, e);
}
