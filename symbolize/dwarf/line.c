/* SPDX-License-Identifier: MIT */
/*
 * Line table headers and the paths of their files.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/dwarf/line.h"

#define MAX_PATH 8192

struct format {
	uint64_t content;
	struct dw_spec spec;
};

/* Reads one entry of a DWARF 5 directory or file table. */
static struct dw_line_file
read_entry(struct cp_bytes *b, const struct dw_unit *u, const struct format *f,
    unsigned n)
{
	struct dw_line_file out = { 0 };

	for (unsigned i = 0; i < n; i++) {
		const uint8_t *at = b->at;
		struct dw_value v = dw_form_read(b, &f[i].spec, u);

		if (f[i].content == DW_LNCT_path)
			out.name = v;
		else if (f[i].content == DW_LNCT_directory_index)
			out.dir = v.u;
		else if (f[i].content == DW_LNCT_MD5 &&
			 v.form == DW_FORM_data16 && f[i].spec.form == v.form &&
			 !b->failed)
			out.md5 = at;
	}
	return out;
}

static unsigned
read_formats(struct cp_bytes *b, const struct dw_unit *u, struct format *f)
{
	unsigned n = cp_bytes_u8(b);

	if (n > CP_MAX_LINE_COLUMNS)
		b->failed = true;
	for (unsigned i = 0; i < n && !b->failed; i++) {
		f[i].content = cp_bytes_uleb(b);
		f[i].spec.form = dw_code(b);
		f[i].spec.size = dw_form_size(f[i].spec.form, u);
	}
	return b->failed ? 0 : n;
}

static void
read_tables5(struct dw_lines *l, struct cp_bytes *b)
{
	struct format f[CP_MAX_LINE_COLUMNS] = { 0 };
	unsigned n = read_formats(b, &l->as, f);
	uint64_t count = cp_bytes_uleb(b);

	for (uint64_t i = 0; i < count && !b->failed && n != 0; i++) {
		if (i >= CP_MAX_LINE_FILES)
			b->failed = true;
		else
			*cp_vec_push(&l->dirs) =
			    read_entry(b, &l->as, f, n).name;
	}
	n = read_formats(b, &l->as, f);
	count = cp_bytes_uleb(b);
	for (uint64_t i = 0; i < count && !b->failed && n != 0; i++) {
		if (i >= CP_MAX_LINE_FILES)
			b->failed = true;
		else
			*cp_vec_push(&l->files) = read_entry(b, &l->as, f, n);
	}
}

static struct dw_value
text(const char *s)
{
	return (struct dw_value){ .form = DW_FORM_string, .s = s };
}

/*
 * Up to DWARF 4: strings that end with an empty one.  Both tables count from 1.
 */
static void
read_tables2(struct dw_lines *l, struct cp_bytes *b)
{
	const char *s;

	*cp_vec_push(&l->dirs) = text(l->as.dir);
	while ((s = cp_bytes_str(b)) != NULL && *s != '\0') {
		*cp_vec_push(&l->dirs) = text(s);
		if (l->dirs.len > CP_MAX_LINE_FILES)
			b->failed = true;
	}
	*cp_vec_push(&l->files) = (struct dw_line_file){ 0 };
	while ((s = cp_bytes_str(b)) != NULL && *s != '\0') {
		struct dw_line_file f = { .name = text(s),
			.dir = cp_bytes_uleb(b) };

		cp_bytes_uleb(b);
		cp_bytes_uleb(b);
		*cp_vec_push(&l->files) = f;
		if (l->files.len > CP_MAX_LINE_FILES)
			b->failed = true;
	}
}

static bool
read_sizes(struct dw_lines *l, struct cp_bytes *b, struct cp_bytes *tables)
{
	uint64_t n;
	const uint8_t *in;

	l->as.version = dw_version(b);
	if (l->as.version < 2 || l->as.version > 5)
		return false;
	if (l->as.version >= 5) {
		l->as.addr_size = cp_bytes_u8(b);
		cp_bytes_u8(b); /* segment selector size */
	}
	n = dw_word(b, l->as.offset_size);
	in = cp_bytes_take(b, (size_t)n);
	if (in == NULL)
		return false;
	*tables = cp_bytes_of(in, (size_t)n, b->swap);
	/* Any number of units may have the same table. */
	return dw_spend(l->as.file->dwarf, n);
}

static bool
read_header(struct dw_lines *l, struct cp_bytes *b)
{
	struct cp_bytes h;

	if (!read_sizes(l, b, &h))
		return false;
	l->program = *b;
	l->min_inst = cp_bytes_u8(&h);
	if (l->as.version >= 4)
		cp_bytes_u8(&h); /* maximum operations per instruction */
	cp_bytes_u8(&h);         /* default of is_stmt */
	l->line_base = (int8_t)cp_bytes_u8(&h);
	l->line_range = cp_bytes_u8(&h);
	l->opcode_base = cp_bytes_u8(&h);
	for (unsigned i = 1; i < l->opcode_base; i++)
		l->operands[i] = cp_bytes_u8(&h);
	if (h.failed || l->line_range == 0 || l->opcode_base == 0)
		return false;
	if (l->as.version >= 5)
		read_tables5(l, &h);
	else
		read_tables2(l, &h);
	return true;
}

struct dw_lines *
dw_lines_of(struct dw_unit *u)
{
	struct cp_bytes b;
	struct dw_lines *l;
	uint64_t n;

	if (u->lines != NULL || !u->has_lines)
		return u->lines;
	b = dw_section_at(u->file, DW_LINE, u->stmt_list + u->line_add);
	l = cp_xcalloc(1, sizeof(*l));
	l->as = *u;
	n = dw_length(&b, &l->as.offset_size);
	/* Reads a truncated table as far as it goes. */
	if (!b.failed && n <= cp_bytes_left(&b))
		b.end = b.at + n;
	else
		u->file->dwarf->damaged = true;
	if (b.failed || !read_header(l, &b)) {
		u->file->dwarf->damaged = true;
		u->has_lines = false;
		free(l);
		return NULL;
	}
	u->lines = l;
	return l;
}

void
dw_lines_drop(struct dw_unit *u)
{
	if (u->lines == NULL)
		return;
	cp_vec_free(&u->lines->dirs);
	cp_vec_free(&u->lines->files);
	cp_vec_free(&u->lines->paths);
	free(u->lines);
	u->lines = NULL;
}

/* ---------------------------------------------------------------- paths */

static void
add_part(struct cp_buf *b, const char *s)
{
	if (s == NULL || *s == '\0')
		return;
	cp_buf_str(b, s);
	if (s[strlen(s) - 1] != '/')
		cp_buf_str(b, "/");
}

void
dw_remember_md5(struct cp_dwarf *d, cp_string_id file, const uint8_t *md5)
{
	uint32_t *at = cp_map64_put(&d->md5_of, file);

	if (*at != 0)
		return;
	memcpy(cp_vec_push(&d->md5s)->sum, md5, 16);
	*at = (uint32_t)d->md5s.len;
}

static cp_string_id
path_of(struct dw_lines *l, const struct dw_line_file *f)
{
	struct dw_unit *u = &l->as;
	const char *name = dw_value_string(u, &f->name), *dir = NULL;
	struct cp_buf b;
	cp_string_id id;

	if (name != NULL && *name == '\0')
		u->file->dwarf->damaged = true;
	if (name == NULL || *name == '\0')
		return 0;
	if (f->dir < l->dirs.len)
		dir = dw_value_string(u, &l->dirs.data[f->dir]);
	cp_buf_init(&b, MAX_PATH);
	if (*name != '/') {
		/* Folder 0 is the unit's own. */
		if (dir == NULL || (*dir != '/' && f->dir != 0))
			add_part(&b, u->dir);
		add_part(&b, dir);
	}
	cp_buf_str(&b, name);
	id = dw_keep(u->file->dwarf, cp_buf_text(&b));
	cp_buf_free(&b);
	if (f->md5 != NULL)
		dw_remember_md5(u->file->dwarf, id, f->md5);
	return id;
}

cp_string_id
dw_lines_file(struct dw_unit *u, uint64_t index)
{
	struct dw_lines *l = dw_lines_of(u);

	if (l == NULL || index >= l->files.len)
		return 0;
	if (l->paths.len == 0) {
		dw_remember_root(u->file->dwarf, &l->as);
		cp_vec_reserve(&l->paths, l->files.len);
		memset(l->paths.data, 0, l->files.len * sizeof(*l->paths.data));
		l->paths.len = l->files.len;
	}
	if (index >= l->paths.len)
		return path_of(l, &l->files.data[index]);
	if (l->paths.data[index] == 0)
		l->paths.data[index] = path_of(l, &l->files.data[index]) + 1;
	return l->paths.data[index] - 1;
}
