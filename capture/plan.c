/* SPDX-License-Identifier: MIT */
/*
 * plan: takes the row of the table of advice, replaces what the host lacks or
 * forbids, and chooses call graph and scope by the target.
 */
#include "capture/plan.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/shell-word.h"

#define RING_MOST (64u << 20) /* bytes of a CPU's ring */
#define RING_LEAST (1u << 18)
#define PLAIN_BYTES 300      /* of a sample, with a chain of addresses */
#define STACK_BYTES 8192     /* of a user stack that is copied */
#define STACK_HZ 299         /* samples with such copies */
#define SWITCH_BYTES 1500000 /* a second, of a CPU that often switches */
/*
 * Of a CPU's buffer, where each event counts.  With perf's own 512 KiB, 9 % of
 * the events of `perf bench sched messaging' were lost, with these none.
 */
#define BUFFER (4u << 20)
#define BUFFER_COPIES (16u << 20)
#define BUFFERS_MOST (256u << 20) /* of all CPUs */

struct planner {
	struct cp_plan *p;
	const struct cp_host *h;
	const struct cp_capture_ask *ask;
	bool clock;  /* cpu-clock instead of cycles */
	bool user;   /* no code of the kernel */
	bool all;    /* the whole machine */
	bool copies; /* user stacks are copied: no frame pointers */
};

static const char *CP_PRINTF(2, 3)
    text_of(struct cp_plan *p, const char *fmt, ...)
{
	const char *text;
	struct cp_buf b;
	va_list ap;

	cp_buf_init(&b, 1 << 16);
	va_start(ap, fmt);
	cp_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	text = cp_arena_strndup(&p->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return text;
}

static void
word(struct planner *x, const char *s)
{
	*cp_vec_push(&x->p->argv) = s;
}

static void
why(struct planner *x, const char *s)
{
	*cp_vec_push(&x->p->why) = s;
}

/* ------------------------------------------------- what the host lets record
 */

/* Is the word of n letters at s? */
static bool
is(const char *s, size_t n, const char *name)
{
	return n == strlen(name) && memcmp(s, name, n) == 0;
}

/*
 * Goes through the events of a row.  Returns the first that cannot be recorded
 * and why; a clock can stand for cycles alone.
 */
static enum cp_host_says
look(
    struct planner *x, const struct cp_advice *a, const char **event, size_t *n)
{
	bool group = strchr(a->options, '{') != NULL;

	for (unsigned i = 0; (*event = cp_advice_event(a, i, n)) != NULL; i++) {
		enum cp_host_says says = cp_host_event(x->h, *event, *n);

		if (says == CP_HOST_LACKS && is(*event, *n, "cycles") && !group)
			x->clock = true;
		else if (says != CP_HOST_CAN)
			return says;
	}
	*event = "branch stacks";
	*n = strlen(*event);
	return strstr(a->options, "-b") == a->options && !x->h->counters
		   ? CP_HOST_LACKS
		   : CP_HOST_CAN;
}

/* What an administrator can do. */
static const char *
request(const struct planner *x, const char *event)
{
	if (memchr(event, ':', strcspn(event, " ,")) == NULL)
		return "sysctl kernel.perf_event_paranoid=1";
	return x->h->tracefs == NULL
		   ? "sysctl kernel.perf_event_paranoid=-1; mount -o "
		     "remount,mode=755 /sys/kernel/tracing"
		   : "sysctl kernel.perf_event_paranoid=-1";
}

/* Goes on to the row of the question that this host answers. */
static const char *
choose(struct planner *x)
{
	const char *event = "";
	size_t n = 0;

	for (enum cp_advice_id id = x->ask->id;; id = cp_advice[id].instead) {
		const struct cp_advice *a = &cp_advice[id];
		enum cp_host_says says = look(x, a, &event, &n);
		const char *line;

		x->p->id = id;
		if (says == CP_HOST_CAN)
			break;
		line = says == CP_HOST_LACKS
			   ? text_of(x->p,
				 "%s needs %.*s, which this kernel or CPU has "
				 "not got%s",
				 a->name, (int)n, event,
				 x->h->counters ? ""
						: " (no counters: as in "
						  "many virtual machines)")
			   : text_of(x->p,
				 "%s needs %.*s, which this user may not "
				 "record; ask the administrator for: %s",
				 a->name, (int)n, event, request(x, event));
		if (a->instead == id)
			return line;
		if (a->question != NULL)
			why(x, line);
	}
	if (x->p->id != x->ask->id)
		why(x, text_of(x->p, "instead: what --for %s records",
			   cp_advice[x->p->id].name));
	return NULL;
}

/* ---------------------------------------------------------------- the target
 */

static void
choose_graph(struct planner *x)
{
	const struct cp_capture_ask *a = x->ask;
	char path[4096] = "";
	enum cp_frames frames;

	if (strstr(cp_advice[x->p->id].options, "-g") == NULL)
		return;
	if (a->plain) {
		why(x, "no call graph: --budget");
		return;
	}
	x->p->graph = true;
	if (a->command != NULL)
		(void)cp_host_program(a->command[0], path, sizeof(path));
	else if (a->pids != NULL)
		(void)snprintf(path, sizeof(path), "/proc/%d/exe",
		    (int)strtol(a->pids, NULL, 10));
	frames = path[0] != '\0' ? cp_target_frames(path, sizeof(path))
				 : CP_FRAMES_UNKNOWN;
	x->copies = frames == CP_FRAMES_NONE && a->ring == 0 && !a->all;
	why(x, frames == CP_FRAMES_UNKNOWN
		   ? "call graph by frame pointers, the cheapest: not known "
		     "whether the code keeps them"
	       : frames == CP_FRAMES_KEPT
		   ? text_of(x->p,
			 "call graph by frame pointers: %.200s sets them up; "
			 "leaf functions and libraries may not, and hide "
			 "their caller",
			 path)
	       : x->copies ? text_of(x->p,
				 "call graph by copies of the stack: %.200s "
				 "keeps no frame pointers",
				 path)
			   : text_of(x->p,
				 "call graph by frame pointers, which %.200s "
				 "does not keep: copies of all stacks cost too "
				 "much here",
				 path));
}

static void
choose_scope(struct planner *x)
{
	const struct cp_capture_ask *a = x->ask;

	x->all = a->all || a->cgroup != NULL;
	if (x->all || a->pids != NULL || !cp_advice[x->p->id].all)
		return;
	if (!cp_host_all(x->h))
		why(x, "of this program alone: the whole machine, which says "
		       "who had the CPU, needs sysctl "
		       "kernel.perf_event_paranoid=0");
	else if (x->copies)
		why(x, "of this program alone, because its stacks are copied: "
		       "--all records what others did");
	else {
		x->all = true;
		why(x, "of the whole machine: what others did decides how long "
		       "this program waits");
	}
}

/* ------------------------------------------------------------ the words */

/* An event of this user and host: cpu-clock for cycles, :u without the kernel.
 */
static void
put_events(struct planner *x, const char *value)
{
	struct cp_buf b;
	size_t n = strcspn(value, "/");

	cp_buf_init(&b, 8192);
	if (x->clock && strcmp(value, "cycles") == 0)
		value = "cpu-clock";
	if (x->ask->frequency != 0 && strncmp(value + n, "/freq=", 6) == 0)
		cp_buf_printf(
		    &b, "%.*s/freq=%u/", (int)n, value, x->ask->frequency);
	else
		cp_buf_str(&b, value);
	if (x->user && strchr(value, ':') == NULL)
		cp_buf_str(&b, b.data[b.len - 1] == '/' ? "u" : ":u");
	word(x, "-e");
	word(x, text_of(x->p, "%s", cp_buf_text(&b)));
	cp_buf_free(&b);
}

static unsigned
to_number(const char *s)
{
	return s != NULL ? (unsigned)strtoul(s, NULL, 10) : 0;
}

static void
put_frequency(struct planner *x, unsigned hz)
{
	if (x->ask->frequency != 0)
		hz = x->ask->frequency;
	else if (x->copies && hz > STACK_HZ) {
		hz = STACK_HZ;
		why(x,
		    text_of(x->p, "%u samples a second: copies are large", hz));
	}
	x->p->frequency = hz;
	word(x, "-F");
	word(x, text_of(x->p, "%u", hz));
}

/* Copies the options of the row, word by word. */
static void
put_options(struct planner *x, const char *options)
{
	char *all = cp_arena_strndup(&x->p->arena, options, strlen(options)),
	     *s;

	while ((s = strsep(&all, " ")) != NULL) {
		if (strcmp(s, "-g") == 0) {
			if (!x->p->graph)
				continue;
			word(x, x->copies ? "--call-graph" : "-g");
			if (x->copies)
				word(x, text_of(x->p, "dwarf,%d", STACK_BYTES));
		} else if (strcmp(s, "-F") == 0) {
			put_frequency(x, to_number(strsep(&all, " ")));
		} else if (strcmp(s, "-e") == 0) {
			s = strsep(&all, " ");
			if (strstr(s, "/freq=") != NULL && x->p->frequency == 0)
				x->p->frequency =
				    to_number(strstr(s, "/freq=") + 6);
			s += strspn(s, "'");
			s[strcspn(s, "'")] = '\0';
			put_events(x, s);
		} else
			word(x, s);
	}
	if (x->p->frequency != 0 && x->ask->frequency != 0)
		x->p->frequency = x->ask->frequency;
	x->p->switches = strstr(options, "sched:sched_switch") != NULL;
}

/* Events of tracepoints come in bursts; a row may have its own size. */
static void
put_buffer(struct planner *x, const char *options)
{
	unsigned bytes = x->copies ? BUFFER_COPIES : BUFFER;

	if (strchr(options, ':') == NULL || strchr(options, '{') != NULL ||
	    strstr(options, "-m ") != NULL ||
	    (!x->h->privileged && x->h->paranoid >= 0))
		return;
	while (bytes > RING_LEAST && bytes > BUFFERS_MOST / x->h->cpus)
		bytes /= 2;
	word(x, "-m");
	word(x, text_of(x->p, "%uK", bytes >> 10));
}

/* The pages of a ring that holds the seconds, a power of two. */
static void
put_ring(struct planner *x)
{
	uint64_t bytes = RING_LEAST,
		 wanted = (uint64_t)x->ask->ring *
			  ((uint64_t)x->p->frequency * PLAIN_BYTES +
			      (x->p->switches ? SWITCH_BYTES : 0) + 20000);
	long mlock =
	    cp_host_number("/proc/sys/kernel/perf_event_mlock_kb", 516);
	uint64_t most = x->h->privileged ? RING_MOST : (uint64_t)mlock << 10;

	while (bytes < wanted && bytes * 2 <= most)
		bytes *= 2;
	word(x, "--overwrite");
	word(x, "-m");
	word(x, text_of(x->p, "%" PRIu64 "K", bytes >> 10));
	why(x, text_of(x->p, "a ring of %" PRIu64 " KiB for each CPU%s",
		   bytes >> 10,
		   bytes < wanted ? ": it may hold less than asked for" : ""));
}

static void
put_target(struct planner *x)
{
	const struct cp_capture_ask *a = x->ask;

	if (x->all)
		word(x, "-a");
	if (a->cgroup != NULL) {
		word(x, "-G");
		word(x, a->cgroup);
	}
	if (a->pids != NULL || (a->attach && !x->all)) {
		word(x, "-p");
		x->p->pid_at = a->pids == NULL ? x->p->argv.len : 0;
		word(x, a->pids != NULL ? a->pids : "PID");
	}
	word(x, "-o");
	word(x, a->output);
	if (a->command == NULL || a->attach)
		return;
	word(x, "--");
	for (char *const *s = a->command; *s != NULL; s++)
		word(x, *s);
}

const char *
cp_plan_make(struct cp_plan *p, const struct cp_host *h,
    const struct cp_capture_ask *ask)
{
	struct planner x = { .p = p, .h = h, .ask = ask };
	const char *refused;

	*p = (struct cp_plan){ .id = ask->id };
	if (h->perf[0] == '\0')
		return "perf is not installed, or not in $PATH";
	refused = choose(&x);
	if (refused != NULL)
		return refused;
	if ((ask->all || ask->cgroup != NULL) && !cp_host_all(h))
		return "this user may not record the whole machine; ask the "
		       "administrator for: sysctl kernel.perf_event_paranoid=0";
	x.user = !cp_host_kernel(h);
	if (x.user)
		why(&x, "the kernel's code is left out: that needs sysctl "
			"kernel.perf_event_paranoid=1");
	if (x.clock)
		why(&x, "cpu-clock: there are no counters of cycles here");
	if (h->kptr_restrict > 1 || (h->kptr_restrict == 1 && !h->privileged))
		why(&x,
		    "the kernel's functions get no names: that needs sysctl "
		    "kernel.kptr_restrict=0");
	choose_graph(&x);
	choose_scope(&x);
	word(&x, h->perf);
	word(&x, "record");
	word(&x, "-q");
	put_options(&x, cp_advice[p->id].options);
	/* A tracepoint of a task tells when it leaves the CPU, not its return.
	 */
	if (p->switches && !x.all)
		word(&x, "--switch-events");
	if (ask->ring != 0)
		put_ring(&x);
	else
		put_buffer(&x, cp_advice[p->id].options);
	put_target(&x);
	return NULL;
}

void
cp_plan_print(struct cp_buf *b, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cp_buf_str(b, i != 0 ? " " : "");
		cp_shell_word(b, words[i]);
	}
}

void
cp_plan_free(struct cp_plan *p)
{
	cp_vec_free(&p->argv);
	cp_vec_free(&p->why);
	cp_arena_free(&p->arena);
}
