/* SPDX-License-Identifier: MIT */
/*
 * folded: the call tree as "frame;frame;frame weight" lines.
 *
 * Frames are spelled as stackcollapse-perf.pl spells them, so that its users'
 * filters and goldens keep working: blanks of a comm are "_", an unnamed
 * frame is its object's last component in brackets, argument lists are cut,
 * quotes dropped, inlined frames end in "_[i]", names joined by "->" are
 * such, too (all but the first), and under a comm that begins with "java" the
 * L of a class signature goes.  Knowingly different: a frame whose name begins
 * with "(anonymous namespace)" stays, "operator->" is not torn in two, and
 * ";" in a comm becomes ":".
 *
 * Lines are sorted by their bytes; equal stacks are one line.  The root is
 * not printed.  A tree that compares two captures has two weights a line,
 * "stack before after", as difffolded.pl writes them.  Shows the report's
 * first tree and nothing else.
 */
#include "base/hash.h"
#include "base/limits.h"
#include "render/common/escape.h"
#include "render/common/tree-order.h"
#include "render/render.h"

/*
 * A line shares its beginning with the line before; only the rest is stored,
 * which takes a tenth of the memory.
 */
struct line {
	const char *tail;
	uint32_t n;
	uint32_t same; /* leading bytes that equal those of the line before */
	uint64_t before, weight;
};

/* The place of a name within `tidy`. */
struct name {
	size_t at, n;
};

struct fold {
	const struct cp_tree *tree;
	struct cp_kids kids;
	struct cp_arena arena;
	struct cp_buf path;
	struct cp_buf last;  /* the last line, whole */
	CP_VEC(size_t) ends; /* end of each name of the path, by depth */
	CP_VEC(struct line) lines;
	size_t bytes; /* size of all lines, written out */
	/* leading bytes of the path that are unchanged since the last line */
	size_t same;
	bool unordered;        /* lines are out of order and must be sorted */
	struct cp_map64 known; /* name -> its index in names + 1 */
	CP_VEC(struct name) names;
	struct cp_buf tidy; /* the names as they are printed */
	struct cp_buf copy; /* scratch for the current name */
	bool java;
	bool full;
};

/* Go methods look like "net/http.(*Client).Do": their parentheses stay. */
static bool
is_go_method(const char *name)
{
	const char *open = strstr(name, ".(");

	return open != NULL && strstr(open + 2, ").") != NULL;
}

/*
 * Returns the length up to the argument list.  An object in place of a function
 * has none: "[memfd:name (deleted)]".
 */
static size_t
without_arguments(const char *name, size_t n)
{
	static const char anon[] = "(anonymous namespace)";

	if (n > 1 && name[0] == '[' && name[n - 1] == ']')
		return n;
	for (size_t i = 0; i < n; i++)
		if (name[i] == '(' &&
		    (n - i < sizeof(anon) - 1 ||
			memcmp(name + i, anon, sizeof(anon) - 1) != 0))
			return i;
	return n;
}

/* Returns the mark that an option of `flame` added to the name, or "". */
static const char *
suffix_of(const char *name, size_t n)
{
	static const char *const suffix[] = { "_[k]", "_[g]" };

	for (size_t i = 0; i < CP_ARRAY_LEN(suffix); i++)
		if (n > 4 && memcmp(name + n - 4, suffix[i], 4) == 0)
			return suffix[i];
	return "";
}

/* One name, n bytes long, made tidy. */
static void
add_tidy(struct fold *f, const char *name, size_t n, bool inlined)
{
	const char *suffix = suffix_of(name, n);
	size_t out = 0;
	char *copy;

	n -= strlen(suffix);
	cp_buf_reset(&f->copy);
	cp_buf_add(&f->copy, name, n);
	copy = f->copy.data;
	if (!is_go_method(copy))
		n = without_arguments(copy, n);
	for (size_t i = 0; i < n; i++)
		if (copy[i] != '"' && copy[i] != '\'')
			copy[out++] = copy[i];
	copy[out] = '\0';
	name = copy;
	if (f->java && *name == 'L' && strchr(name, '/') != NULL)
		name++;
	cp_escape(&f->path, CP_ESCAPE_FOLDED, name);
	cp_buf_str(&f->path, suffix);
	if (inlined)
		cp_buf_str(&f->path, "_[i]");
}

/* Finds the "->" after the first of a chain of names, or NULL. */
static const char *
chain_arrow(const char *name)
{
	static const char op[] = "operator";
	const size_t n = sizeof(op) - 1;
	const char *at = name;

	while ((at = strstr(at, "->")) != NULL) {
		if ((size_t)(at - name) < n || memcmp(at - n, op, n) != 0)
			return at;
		at += 2;
	}
	return NULL;
}

/* Returns the length without the mark of inlined functions. */
static size_t
without_mark(const char *name, bool *inlined)
{
	static const char mark[] = " (inlined)";
	size_t n = strlen(name), m = sizeof(mark) - 1;

	if (n < m || strcmp(name + n - m, mark) != 0)
		return n;
	*inlined = true;
	return n - m;
}

static void
tidy_name(struct fold *f, const char *name)
{
	bool inlined = false;
	const char *arrow;
	size_t n;

	while ((arrow = chain_arrow(name)) != NULL) {
		if (arrow > name) {
			add_tidy(f, name, (size_t)(arrow - name), inlined);
			cp_buf_char(&f->path, ';');
			inlined = true;
		}
		name = arrow + 2;
	}
	n = without_mark(name, &inlined);
	add_tidy(f, name, n, inlined);
}

/* Names are cached: a symbol is at many places of the tree. */
static void
add_name(struct fold *f, const char *name)
{
	const uint64_t key = (uint64_t)(uintptr_t)name << 1 | f->java;
	uint32_t known = cp_map64_get(&f->known, key);
	size_t from = f->path.len, n;

	if (known != 0) {
		const struct name *tidy = &f->names.data[known - 1];

		cp_buf_add(&f->path, f->tidy.data + tidy->at, tidy->n);
		return;
	}
	tidy_name(f, name);
	n = f->path.len - from;
	cp_buf_add(&f->tidy, f->path.data + from, n);
	if (f->path.full || f->tidy.full)
		return;
	*cp_vec_push(&f->names) = (struct name){ f->tidy.len - n, n };
	*cp_map64_put(&f->known, key) = (uint32_t)f->names.len;
}

static void
add_comm(struct fold *f, const char *comm)
{
	size_t at = f->path.len;

	cp_escape(&f->path, CP_ESCAPE_FOLDED, comm);
	for (size_t i = at; i < f->path.len; i++)
		if (f->path.data[i] == ' ')
			f->path.data[i] = '_';
	f->java = strncmp(comm, "java", 4) == 0;
}

static void
add_unnamed(struct fold *f, const char *object, const char *name)
{
	const char *slash = strrchr(object, '/');

	if (slash != NULL)
		object = slash + 1;
	cp_buf_char(&f->path, '[');
	cp_escape(&f->path, CP_ESCAPE_FOLDED,
	    *object != '\0' && strcmp(object, "[unknown]") != 0 ? object
								: "unknown");
	cp_buf_char(&f->path, ']');
	cp_buf_str(&f->path, suffix_of(name, strlen(name)));
}

static void
add_frame(struct fold *f, const struct cp_tree_node *node, uint32_t depth)
{
	if (depth == 1)
		f->java = false;
	if (node->kind == CP_KIND_NONE)
		add_comm(f, node->name);
	else if (node->kind == CP_KIND_UNKNOWN || *node->name == '\0')
		add_unnamed(f, node->detail, node->name);
	else
		add_name(f, node->name);
}

static inline bool
has_weight(const struct cp_tree_node *node)
{
	return node->self != 0 || node->before != 0;
}

/* Siblings are sorted by name, so lines are nearly always in order. */
static void
add_line(struct fold *f, const struct cp_tree_node *node)
{
	const char *tail = cp_buf_text(&f->path) + f->same;
	size_t n = f->path.len - f->same;

	f->unordered |= f->lines.len != 0 &&
			strcmp(cp_buf_text(&f->last) + f->same, tail) >= 0;
	f->last.len = f->same;
	cp_buf_add(&f->last, tail, n);
	f->bytes += f->path.len + 1;
	*cp_vec_push(&f->lines) =
	    (struct line){ cp_arena_strndup(&f->arena, tail, n), (uint32_t)n,
		    (uint32_t)f->same, node->before, node->self };
	f->same = f->path.len;
}

static void
fold_node(struct fold *f, const struct cp_tree_step *at)
{
	const struct cp_tree_node *node = &f->tree->nodes.data[at->node];

	f->ends.len = at->depth - 1;
	f->path.len = at->depth > 1 ? f->ends.data[at->depth - 2] : 0;
	f->same = CP_MIN(f->same, f->path.len);
	if (at->depth > 1)
		cp_buf_char(&f->path, ';');
	add_frame(f, node, at->depth);
	*cp_vec_push(&f->ends) = f->path.len;
	f->full |= f->path.full;
	f->path.full = false;
	if (!has_weight(node))
		return;
	if (f->bytes + f->path.len > CP_MAX_FOLDED) {
		f->full = true;
		return;
	}
	add_line(f, node);
}

static int
line_cmp(const void *a, const void *b)
{
	return strcmp(
	    ((const struct line *)a)->tail, ((const struct line *)b)->tail);
}

/* Makes the path that of the next line in the order they were added. */
static void
next_line(struct fold *f, const struct line *line)
{
	f->path.len = line->same;
	cp_buf_add(&f->path, line->tail, line->n);
}

static void
fold_sort(struct fold *f)
{
	for (size_t i = 0; i < f->lines.len; i++) {
		struct line *line = &f->lines.data[i];

		next_line(f, line);
		line->tail = cp_arena_strndup(
		    &f->arena, cp_buf_text(&f->path), f->path.len);
		line->n = (uint32_t)f->path.len;
		line->same = 0;
	}
	qsort(f->lines.data, f->lines.len, sizeof(*f->lines.data), line_cmp);
}

static void
fold_print(struct fold *f, struct cp_out *out)
{
	if (f->unordered)
		fold_sort(f);
	for (size_t i = 0, end; i < f->lines.len; i = end) {
		uint64_t weight = f->lines.data[i].weight;
		uint64_t before = f->lines.data[i].before;

		for (end = i + 1;
		     f->unordered && end < f->lines.len &&
		     line_cmp(&f->lines.data[i], &f->lines.data[end]) == 0;
		     end++) {
			weight += f->lines.data[end].weight;
			before += f->lines.data[end].before;
		}
		next_line(f, &f->lines.data[i]);
		cp_out_add(out, cp_buf_text(&f->path), f->path.len);
		cp_out_char(out, ' ');
		if (f->tree->compared) {
			cp_out_u64(out, before);
			cp_out_char(out, ' ');
		}
		cp_out_u64(out, weight);
		cp_out_char(out, '\n');
	}
}

/*
 * Reserves at once: growing an array leaves holes in memory that stay unused.
 */
static void
lines_reserve(struct fold *f)
{
	const struct cp_tree_node *node = f->tree->nodes.data;
	size_t n = 0;

	for (size_t i = 0; i < f->tree->nodes.len; i++)
		n += has_weight(&node[i]);
	cp_vec_reserve(&f->lines, n);
}

static void
fold_tree(const struct cp_tree *tree, struct cp_out *out, struct cp_left *left)
{
	struct fold f = { .tree = tree };
	struct cp_tree_walk walk = { 0 };
	struct cp_tree_step at;

	cp_buf_init(&f.path, CP_MAX_FOLDED_LINE);
	cp_buf_init(&f.last, CP_MAX_FOLDED_LINE);
	cp_buf_init(&f.tidy, CP_MAX_FOLDED);
	cp_buf_init(&f.copy, SIZE_MAX / 2);
	cp_kids_init(&f.kids, tree, CP_KIDS_BY_NAME, 0);
	lines_reserve(&f);
	cp_tree_walk_down(&walk, &f.kids, 0, 1);
	while (cp_tree_walk_next(&walk, &at)) {
		fold_node(&f, &at);
		cp_tree_walk_down(&walk, &f.kids, at.node, at.depth + 1);
	}
	fold_print(&f, out);
	if (f.full)
		left->limit = "folded stacks (CP_MAX_FOLDED)";
	cp_kids_free(&f.kids);
	cp_vec_free(&f.ends);
	cp_vec_free(&f.lines);
	cp_buf_free(&f.path);
	cp_buf_free(&f.last);
	cp_buf_free(&f.tidy);
	cp_buf_free(&f.copy);
	cp_vec_free(&f.names);
	cp_map64_free(&f.known);
	cp_arena_free(&f.arena);
}

static void
folded_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	bool done = false;

	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (done || s->type != CP_SECTION_TREE) {
			cp_left_add(left, s);
			continue;
		}
		fold_tree(&s->tree, out, left);
		done = true;
	}
}

const struct cp_renderer cp_renderer_folded = {
	.name = "folded",
	.suffix = ".folded",
	.shows = CP_SHOWS(CP_SECTION_TREE),
	.write = folded_write,
};
