/* SPDX-License-Identifier: MIT */
#include "analyses/common/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *
cp_word_object(const struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = dso != 0 ? cp_run_dso(run, dso) : NULL;

	return d != NULL ? cp_run_string(run, d->short_name) : "[unknown]";
}

const char *
cp_word_path(const struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = dso != 0 ? cp_run_dso(run, dso) : NULL;

	return d != NULL ? cp_run_string(run, d->name) : "[unknown]";
}

const char *
cp_word_level(uint8_t level)
{
	switch (level) {
	case CP_LEVEL_KERNEL: return "[k]";
	case CP_LEVEL_USER: return "[.]";
	case CP_LEVEL_GUEST_KERNEL: return "[g]";
	case CP_LEVEL_GUEST_USER: return "[u]";
	case CP_LEVEL_HYPERVISOR: return "[H]";
	default: return "[?]";
	}
}

/* Rust's older names are such of C++ that end in a hash. */
static bool
is_cxx(const char *raw)
{
	if (strncmp(raw, "_Z", 2) != 0)
		return false;
	for (const char *s = raw; (s = strstr(s, "17h")) != NULL; s++)
		if (strspn(s + 3, "0123456789abcdef") == 16 && s[19] == 'E')
			return false;
	return true;
}

static enum cp_kind
kind_of_user(const struct cp_run *run, const struct cp_frame *f,
    const struct cp_symbol *sym)
{
	const struct cp_dso *d = f->dso != 0 ? cp_run_dso(run, f->dso) : NULL;

	if (d != NULL && (d->kind == CP_DSO_ANON || d->kind == CP_DSO_JIT))
		return CP_KIND_JIT;
	if (sym == NULL)
		return CP_KIND_UNKNOWN;
	if (sym->source == CP_SOURCE_JITDUMP ||
	    sym->source == CP_SOURCE_PERF_MAP)
		return CP_KIND_JIT;
	return is_cxx(sym->raw) ? CP_KIND_CXX : CP_KIND_USER;
}

enum cp_kind
cp_word_kind(const struct cp_run *run, const struct cp_frame *f,
    const struct cp_symbol *sym)
{
	if (f == NULL)
		return CP_KIND_UNKNOWN;
	if ((f->flags & CP_FRAME_INLINED) != 0)
		return CP_KIND_INLINED;
	switch (f->level) {
	case CP_LEVEL_KERNEL: return CP_KIND_KERNEL;
	case CP_LEVEL_HYPERVISOR: return CP_KIND_HYPERVISOR;
	case CP_LEVEL_GUEST_KERNEL:
	case CP_LEVEL_GUEST_USER: return CP_KIND_GUEST;
	default: return kind_of_user(run, f, sym);
	}
}

const char *
cp_word_source(uint8_t source)
{
	static const char *const words[] = { "none", "capture", "bundle",
		"cache", "debuginfod", "local", "kallsyms", "jitdump",
		"perf-map", "gopclntab", "simpleperf", "perf-script", "profile",
		"bounds" };

	return source < sizeof(words) / sizeof(words[0]) ? words[source]
							 : "unknown";
}

const char *
cp_word_trust(uint8_t trust)
{
	static const char *const words[] = { "unnamed", "build ID equal",
		"absent", "mismatch", "recorded" };

	return trust < sizeof(words) / sizeof(words[0]) ? words[trust]
							: "unknown";
}

const char *
cp_word_build_id(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = dso != 0 ? cp_run_dso(run, dso) : NULL;
	char *hex;

	if (d == NULL)
		return "";
	hex = cp_run_alloc(run, 2 * sizeof(d->build_id) + 1);
	for (unsigned i = 0; i < d->build_id_size && i < sizeof(d->build_id);
	     i++)
		snprintf(hex + (size_t)2 * i, 3, "%02x", d->build_id[i]);
	return hex;
}

const char *
cp_word_unnamed(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = dso != 0 ? cp_run_dso(run, dso) : NULL;
	struct cp_dso_state s;

	if (d == NULL)
		return "in no known mapping";
	s = cp_run_dso_state(run, dso);
	if (s.symbolizer != NULL)
		return s.symbols != 0 ? "no symbol at these addresses"
				      : "no symbols inside";
	if (s.mismatch)
		return "only a file of another build";
	if (s.damaged)
		return "the file is damaged";
	if (d->kind == CP_DSO_FILE && cp_run_dso_files(run, dso).code != NULL)
		return "no symbols inside";
	return d->kind == CP_DSO_ANON ? "no jitdump or perf map" : "not found";
}

const char *
cp_word_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *
cp_word_count(struct cp_word *w, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);
	char *out = w->text;

	for (int i = 0; i < n; i++) {
		if (i != 0 && (n - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return w->text;
}

const char *
cp_word_address(struct cp_word *w, uint64_t address)
{
	snprintf(w->text, sizeof(w->text), "0x%016" PRIx64, address);
	return w->text;
}

const char *
cp_word_id(struct cp_word *w, uint32_t id)
{
	if (id == CP_NO_ID)
		return "-";
	snprintf(w->text, sizeof(w->text), "%" PRIu32, id);
	return w->text;
}

const char *
cp_word_time(struct cp_word *w, uint64_t ns)
{
	double v = (double)ns;

	if (v >= 1e9)
		snprintf(w->text, sizeof(w->text), "%.3f s", v / 1e9);
	else if (v >= 1e6)
		snprintf(w->text, sizeof(w->text), "%.3f ms", v / 1e6);
	else if (v >= 1e3)
		snprintf(w->text, sizeof(w->text), "%.3f us", v / 1e3);
	else
		snprintf(w->text, sizeof(w->text), "%" PRIu64 " ns", ns);
	return w->text;
}

const char *
cp_word_percent(struct cp_word *w, double part, double whole)
{
	double p = cp_share(part, whole) * 100;

	if (p == 0 || p == 100)
		snprintf(w->text, sizeof(w->text), "%.0f %%", p);
	else if (p < 0.01)
		return "below 0.01 %";
	else if (p > 99.99)
		return "over 99.99 %";
	else if (p < 1 || p > 99)
		snprintf(w->text, sizeof(w->text), "%.2f %%", p);
	else
		snprintf(w->text, sizeof(w->text), "%.1f %%", p);
	return w->text;
}

double
cp_share(double part, double whole)
{
	double share = whole > 0 ? part / whole : 0;

	/* Sums of hostile periods may have wrapped around. */
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

int
cp_word_compare(const struct cp_run *run, uint64_t samples_a, uint32_t a,
    uint64_t samples_b, uint32_t b)
{
	int c = (samples_a < samples_b) - (samples_a > samples_b);

	if (c == 0)
		c = strcmp(cp_word_path(run, a), cp_word_path(run, b));
	return c != 0 ? c : (a > b) - (a < b);
}

struct cp_whole
cp_counted(uint64_t all, double dispersion)
{
	return (struct cp_whole){ .mass = { all, (double)all },
		.dispersion = dispersion };
}

struct cp_cell
cp_count_cell(uint64_t part, struct cp_whole all)
{
	return cp_cell_share((struct cp_mass){ part, (double)part }, all);
}

double
cp_mass_samples(struct cp_mass m)
{
	double w = (double)m.weight;

	return m.weight_sq > 0 ? w * w / m.weight_sq : 0;
}

/* ---------------------------------------------------------- control groups */

/* What stands before the id of a container in the last part of a path. */
static const char *const runtimes[][2] = { { "cri-containerd-", "containerd" },
	{ "docker-", "docker" }, { "crio-", "crio" }, { "libpod-", "podman" },
	{ "containerd-", "containerd" }, { "nerdctl-", "nerdctl" },
	{ "lxc.payload.", "lxc" }, { "lxc-", "lxc" } };
#define N_RUNTIMES (sizeof(runtimes) / sizeof(runtimes[0]))

/* Returns where the 64 hexadecimal digits of a container begin; NULL: none. */
static const char *
container_id(const char *part)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t n; *part != '\0'; part += n != 0 ? n : 1) {
		n = strspn(part, digits);
		if (n == 64)
			return part;
	}
	return NULL;
}

/* Writes "pod1234abcd " of a path of Kubernetes; "": it is none. */
static void
put_pod(char *text, size_t size, const char *path)
{
	const char *pod = NULL;

	text[0] = '\0';
	for (const char *at = path; (at = strstr(at, "pod")) != NULL; at += 3)
		if (at != path && (at[-1] == '/' || at[-1] == '-') &&
		    strspn(at + 3, "0123456789abcdef") >= 8)
			pod = at;
	if (pod != NULL && strstr(path, "kubepods") != NULL)
		snprintf(text, size, "%.11s ", pod);
}

const char *
cp_cgroup_label(struct cp_run *run, uint64_t group)
{
	const char *path = group != 0 ? cp_run_cgroup(run, group) : "-";
	char text[300], pod[16];
	const char *part, *id;

	if (path == NULL) {
		snprintf(text, sizeof(text), "%" PRIu64, group);
		return cp_run_string(run, cp_run_intern(run, text));
	}
	part = strrchr(path, '/');
	part = part != NULL ? part + 1 : path;
	id = container_id(part);
	if (id == NULL)
		return path;
	put_pod(pod, sizeof(pod), path);
	for (size_t i = 0; i < N_RUNTIMES; i++)
		if (strncmp(part, runtimes[i][0], strlen(runtimes[i][0])) ==
		    0) {
			snprintf(text, sizeof(text), "%s%s:%.12s", pod,
			    runtimes[i][1], id);
			return cp_run_string(run, cp_run_intern(run, text));
		}
	/* "/docker/ID": the folder is the runtime's, or Kubernetes' pod. */
	if (part - path > 1 && pod[0] == '\0') {
		const char *folder = part - 1;

		while (folder > path && folder[-1] != '/')
			folder--;
		snprintf(text, sizeof(text), "%.*s:%.12s",
		    (int)(part - 1 - folder < 100 ? part - 1 - folder : 100),
		    folder, id);
	} else
		snprintf(text, sizeof(text), "%scontainer:%.12s", pod, id);
	return cp_run_string(run, cp_run_intern(run, text));
}
