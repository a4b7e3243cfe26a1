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

/* A name, or one of a chain of names; it begins at `at' in the tidy names. */
struct name {
	uint32_t at, n;
	uint32_t next; /* of the chain, + 1; 0: none */
};

/* The lines that end at one frame of a node, or those that go on below it. */
struct step {
	uint32_t node, name;
	uint32_t depth;
	uint32_t above; /* bytes of the path before the name */
	bool below;
	bool java;
};

struct key {
	const char *text;
	size_t n;
	struct step step;
};

struct fold {
	const struct cp_tree *tree;
	struct cp_out *out;
	struct cp_kids kids;
	struct cp_buf path;
	CP_VEC(struct step) steps; /* to be done, the next one last */
	CP_VEC(struct step) group; /* those of one line */
	CP_VEC(struct key) keys;
	size_t bytes;          /* of all lines */
	struct cp_map64 known; /* name and its spelling: its index + 1 */
	CP_VEC(struct name) names;
	struct cp_buf tidy; /* the names as they are printed */
	struct cp_buf copy; /* scratch for the current name */
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

/* The marks that options of `flame` add to names. */
static const char *const suffixes[] = { "", "_[k]", "_[g]" };

static size_t
suffix_of(const char *name, size_t n)
{
	for (size_t i = 1; i < CP_ARRAY_LEN(suffixes); i++)
		if (n > 4 && memcmp(name + n - 4, suffixes[i], 4) == 0)
			return i;
	return 0;
}

/* One name of a chain, n bytes long, made tidy. */
static void
add_tidy(struct fold *f, const char *name, size_t n, bool inlined, bool java)
{
	const char *suffix = suffixes[suffix_of(name, n)];
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
	if (java && *name == 'L' && strchr(name, '/') != NULL)
		name++;
	cp_escape(&f->tidy, CP_ESCAPE_FOLDED, name);
	cp_buf_str(&f->tidy, suffix);
	if (inlined)
		cp_buf_str(&f->tidy, "_[i]");
}

/* Ends the name that begins at `from', and adds another to its chain. */
static void
end_name(struct fold *f, size_t from, bool more)
{
	uint32_t next = more ? (uint32_t)f->names.len + 2 : 0;

	*cp_vec_push(&f->names) = (struct name){ (uint32_t)from,
		(uint32_t)(f->tidy.len - from), next };
	f->full |= f->tidy.full;
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
add_chain(struct fold *f, const char *name, bool java)
{
	bool inlined = false;
	const char *arrow;
	size_t n, from;

	for (; (arrow = chain_arrow(name)) != NULL; name = arrow + 2) {
		if (arrow == name)
			continue;
		from = f->tidy.len;
		add_tidy(f, name, (size_t)(arrow - name), inlined, java);
		end_name(f, from, true);
		inlined = true;
	}
	n = without_mark(name, &inlined);
	from = f->tidy.len;
	add_tidy(f, name, n, inlined, java);
	end_name(f, from, false);
}

static void
add_comm(struct fold *f, const char *comm)
{
	size_t from = f->tidy.len;

	cp_escape(&f->tidy, CP_ESCAPE_FOLDED, comm);
	for (size_t i = from; i < f->tidy.len; i++)
		if (f->tidy.data[i] == ' ')
			f->tidy.data[i] = '_';
	end_name(f, from, false);
}

static void
add_unnamed(struct fold *f, const char *object, const char *suffix)
{
	const char *slash = strrchr(object, '/');
	size_t from = f->tidy.len;

	if (slash != NULL)
		object = slash + 1;
	cp_buf_char(&f->tidy, '[');
	cp_escape(&f->tidy, CP_ESCAPE_FOLDED,
	    *object != '\0' && strcmp(object, "[unknown]") != 0 ? object
								: "unknown");
	cp_buf_char(&f->tidy, ']');
	cp_buf_str(&f->tidy, suffix);
	end_name(f, from, false);
}

/* How a text is spelled. */
enum { COMM, NAME, JAVA_NAME, UNNAMED /* + the suffix */ };

/* Returns the node's first name.  A symbol is at many places of the tree. */
static uint32_t
name_of(struct fold *f, const struct cp_tree_node *node, bool java)
{
	const char *text = node->name;
	unsigned as = java ? JAVA_NAME : NAME;
	uint32_t *known, first = (uint32_t)f->names.len;

	if (node->kind == CP_KIND_NONE) {
		as = COMM;
	} else if (node->kind == CP_KIND_UNKNOWN || *text == '\0') {
		as = UNNAMED + (unsigned)suffix_of(text, strlen(text));
		text = node->detail;
	}
	known = cp_map64_put(&f->known, (uint64_t)(uintptr_t)text << 3 | as);
	if (*known != 0)
		return *known - 1;
	*known = first + 1;
	if (as == COMM)
		add_comm(f, text);
	else if (as >= UNNAMED)
		add_unnamed(f, text, suffixes[as - UNNAMED]);
	else
		add_chain(f, text, as == JAVA_NAME);
	return first;
}

/* ------------------------------------------------------------------ lines */

static inline bool
has_weight(const struct cp_tree *t, const struct cp_tree_node *node)
{
	return node->self != 0 || cp_tree_beside(t, node)->before != 0;
}

/* Adds the steps of one name of a node. */
static void
add_steps(struct fold *f, struct step step)
{
	const struct cp_tree_node *node = &f->tree->nodes.data[step.node];
	bool last = f->names.data[step.name].next == 0;

	if (last && has_weight(f->tree, node))
		*cp_vec_push(&f->steps) = step;
	step.below = true;
	if (!last || f->kids.first[step.node] != f->kids.first[step.node + 1])
		*cp_vec_push(&f->steps) = step;
}

static void
add_kids(struct fold *f, const struct step *of)
{
	const struct cp_kids *kids = &f->kids;

	for (uint32_t i = kids->first[of->node]; i < kids->first[of->node + 1];
	     i++) {
		const struct cp_tree_node *node =
		    &f->tree->nodes.data[kids->node[i]];
		bool java = of->depth == 0
				? node->kind == CP_KIND_NONE &&
				      strncmp(node->name, "java", 4) == 0
				: of->java;

		add_steps(f, (struct step){ .node = kids->node[i],
				 .name = name_of(f, node, java),
				 .depth = of->depth + 1,
				 .above = (uint32_t)f->path.len,
				 .java = java });
	}
}

/* By the bytes of their lines: ";" follows the name of those below. */
static int
compare_keys(const void *va, const void *vb)
{
	const struct key *a = va, *b = vb;
	int c = memcmp(a->text, b->text, CP_MIN(a->n, b->n));
	char ea = a->step.below ? ';' : '\0', eb = b->step.below ? ';' : '\0';

	if (a->n < b->n)
		eb = b->text[a->n];
	else if (a->n > b->n)
		ea = a->text[b->n];
	return c != 0 ? c : (unsigned char)ea - (unsigned char)eb;
}

/* Sorts the steps from number `from' on, the first one last. */
static void
sort_steps(struct fold *f, size_t from)
{
	size_t n = f->steps.len - from;
	struct step *step = n != 0 ? f->steps.data + from : NULL;
	bool one = n < 2 || (n == 2 && step[0].node == step[1].node);

	f->keys.len = 0;
	cp_vec_reserve(&f->keys, n);
	for (size_t i = 0; i < n; i++) {
		const struct name *name = &f->names.data[step[i].name];

		f->keys.data[i] =
		    (struct key){ cp_buf_text(&f->tidy) + name->at, name->n,
			    step[i] };
	}
	/* Those of one node are in order. */
	if (!one)
		qsort(f->keys.data, n, sizeof(*f->keys.data), compare_keys);
	for (size_t i = 0; i < n; i++)
		step[n - 1 - i] = f->keys.data[i].step;
}

static bool
same_line(const struct fold *f, const struct step *a, const struct step *b)
{
	const struct name *na = &f->names.data[a->name];
	const struct name *nb = &f->names.data[b->name];

	return a->depth == b->depth && a->below == b->below &&
	       (a->name == b->name ||
		   (na->n == nb->n &&
		       memcmp(cp_buf_text(&f->tidy) + na->at,
			   cp_buf_text(&f->tidy) + nb->at, na->n) == 0));
}

/* Takes the next step and all that have the same line. */
static void
next_steps(struct fold *f)
{
	const struct name *name;

	f->group.len = 0;
	do
		*cp_vec_push(&f->group) = f->steps.data[--f->steps.len];
	while (f->steps.len != 0 && same_line(f, &f->group.data[0],
					&f->steps.data[f->steps.len - 1]));
	name = &f->names.data[f->group.data[0].name];
	f->path.len = f->group.data[0].above;
	cp_buf_add(&f->path, cp_buf_text(&f->tidy) + name->at, name->n);
	f->full |= f->path.full;
	f->path.full = false;
}

static void
print_line(struct fold *f)
{
	uint64_t before = 0, weight = 0;

	for (size_t i = 0; i < f->group.len; i++) {
		const struct cp_tree_node *node =
		    &f->tree->nodes.data[f->group.data[i].node];

		before += cp_tree_beside(f->tree, node)->before;
		weight += node->self;
	}
	if (f->bytes + f->path.len > CP_MAX_FOLDED) {
		f->full = true;
		return;
	}
	f->bytes += f->path.len + 1;
	cp_out_add(f->out, cp_buf_text(&f->path), f->path.len);
	cp_out_char(f->out, ' ');
	if (f->tree->compared) {
		cp_out_u64(f->out, before);
		cp_out_char(f->out, ' ');
	}
	cp_out_u64(f->out, weight);
	cp_out_char(f->out, '\n');
}

/* Adds what is below the group: the next name of a chain, or the children. */
static void
go_down(struct fold *f)
{
	size_t from = f->steps.len;

	cp_buf_char(&f->path, ';');
	for (size_t i = 0; i < f->group.len; i++) {
		struct step step = f->group.data[i];

		if (f->names.data[step.name].next == 0) {
			add_kids(f, &step);
			continue;
		}
		step.name = f->names.data[step.name].next - 1;
		step.above = (uint32_t)f->path.len;
		step.depth++;
		step.below = false;
		add_steps(f, step);
	}
	sort_steps(f, from);
}

static void
fold_tree(const struct cp_tree *tree, struct cp_out *out, struct cp_left *left)
{
	struct fold f = { .tree = tree, .out = out };

	cp_buf_init(&f.path, CP_MAX_FOLDED_LINE);
	cp_buf_init(&f.tidy, CP_MAX_FOLDED);
	cp_buf_init(&f.copy, SIZE_MAX / 2);
	cp_kids_init(&f.kids, tree, CP_KIDS_AS_ADDED, 0);
	add_kids(&f, &(struct step){ 0 });
	sort_steps(&f, 0);
	while (f.steps.len != 0) {
		next_steps(&f);
		if (f.group.data[0].below)
			go_down(&f);
		else
			print_line(&f);
	}
	if (f.full)
		left->limit = "folded stacks (CP_MAX_FOLDED)";
	cp_kids_free(&f.kids);
	cp_vec_free(&f.steps);
	cp_vec_free(&f.group);
	cp_vec_free(&f.keys);
	cp_buf_free(&f.path);
	cp_buf_free(&f.tidy);
	cp_buf_free(&f.copy);
	cp_vec_free(&f.names);
	cp_map64_free(&f.known);
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
