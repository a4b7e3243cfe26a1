/* SPDX-License-Identifier: MIT */
/*
 * base/archive/libarchive.h: libarchive's calls, found at run time.  Only for
 * base/archive/read.c, base/archive/write.c and base/archive/bzip2.c.
 */
#ifndef CP_BASE_ARCHIVE_LIBARCHIVE_H
#define CP_BASE_ARCHIVE_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#define CP_ARCHIVE_CALLS(X)                                                    \
	X(archive_read_new)                                                    \
	X(archive_read_support_filter_bzip2)                                   \
	X(archive_read_support_filter_gzip)                                    \
	X(archive_read_support_filter_xz)                                      \
	X(archive_read_support_filter_zstd)                                    \
	X(archive_read_support_filter_rpm)                                     \
	X(archive_read_support_format_tar)                                     \
	X(archive_read_support_format_ar)                                      \
	X(archive_read_support_format_cpio)                                    \
	X(archive_read_support_format_zip_streamable)                          \
	X(archive_read_support_format_raw)                                     \
	X(archive_read_support_format_empty)                                   \
	X(archive_read_set_read_callback)                                      \
	X(archive_read_set_skip_callback)                                      \
	X(archive_read_set_callback_data)                                      \
	X(archive_read_open1)                                                  \
	X(archive_read_next_header2)                                           \
	X(archive_read_header_position)                                        \
	X(archive_read_data_block)                                             \
	X(archive_read_free)                                                   \
	X(archive_errno)                                                       \
	X(archive_error_string)                                                \
	X(archive_set_error)                                                   \
	X(archive_format)                                                      \
	X(archive_filter_count)                                                \
	X(archive_filter_bytes)                                                \
	X(archive_entry_new)                                                   \
	X(archive_entry_clear)                                                 \
	X(archive_entry_free)                                                  \
	X(archive_entry_filetype)                                              \
	X(archive_entry_pathname)                                              \
	X(archive_entry_pathname_utf8)                                         \
	X(archive_entry_hardlink)                                              \
	X(archive_entry_symlink)                                               \
	X(archive_entry_size)                                                  \
	X(archive_entry_perm)                                                  \
	X(archive_entry_set_pathname)                                          \
	X(archive_entry_set_filetype)                                          \
	X(archive_entry_set_perm)                                              \
	X(archive_entry_set_size)                                              \
	X(archive_entry_set_mtime)                                             \
	X(archive_entry_set_symlink)                                           \
	X(archive_entry_sparse_add_entry)                                      \
	X(archive_write_new)                                                   \
	X(archive_write_set_format_pax_restricted)                             \
	X(archive_write_add_filter_gzip)                                       \
	X(archive_write_add_filter_xz)                                         \
	X(archive_write_add_filter_zstd)                                       \
	X(archive_write_set_filter_option)                                     \
	X(archive_write_set_bytes_in_last_block)                               \
	X(archive_write_open)                                                  \
	X(archive_write_header)                                                \
	X(archive_write_data)                                                  \
	X(archive_write_close)                                                 \
	X(archive_write_free)

struct cp_libarchive {
#define X(call) __typeof__(&call) call;
	CP_ARCHIVE_CALLS(X)
#undef X
};

/* Returns the calls; NULL: libarchive is not installed. */
const struct cp_libarchive *cp_libarchive(void);

#endif
