libcoldperf_a_SOURCES += \
	%D%/banned.h %D%/base.h %D%/limits.h %D%/bytes.h %D%/vec.h \
	%D%/mem.c %D%/mem.h \
	%D%/hash.c %D%/hash.h \
	%D%/strings.c %D%/strings.h \
	%D%/buf.c %D%/buf.h \
	%D%/guess.c \
	%D%/diag.c %D%/diag.h \
	%D%/pool.c %D%/pool.h %D%/block.h \
	%D%/tally.c %D%/tally.h \
	%D%/report.c %D%/report.h %D%/charts.c \
	%D%/archive.c %D%/archive.h %D%/libarchive.c %D%/libarchive.h \
	%D%/archivewrite.c %D%/archivewrite.h \
	%D%/library.c %D%/library.h \
	%D%/manifest.c %D%/manifest.h %D%/cachefile.c %D%/cachefile.h \
	%D%/md5.c %D%/md5.h \
	%D%/sha256.c %D%/sha256.h
