linux_sources += %D%/port-linux.c
darwin_sources += %D%/port-darwin.c
libcoldperf_a_SOURCES += \
	%D%/banned.h %D%/base.h %D%/buf.c %D%/buf.h %D%/bytes.h %D%/diag.c \
	%D%/diag.h %D%/digest.c %D%/digest.h %D%/disk-cache.c \
	%D%/disk-cache.h %D%/elf.h %D%/hash.c %D%/hash.h \
	%D%/inflated.c %D%/inflated.h %D%/leb128.h %D%/library.c \
	%D%/library.h %D%/limits.h %D%/manifest.c %D%/manifest.h %D%/mem.c %D%/pprof.h \
	%D%/mem.h %D%/pool.c %D%/pool.h %D%/port.h %D%/radix.c %D%/radix.h \
	%D%/retry.h %D%/snapshot-columns.h %D%/snapshot-meta.h %D%/safe-file.c %D%/safe-file.h %D%/shell-word.c %D%/shell-word.h %D%/strings.c %D%/strings.h \
	%D%/tally.c %D%/tally.h %D%/temp-file.c %D%/temp-file.h \
	%D%/tuning.h %D%/vec.h
include base/archive/local.mk
include base/parquet/local.mk
include base/caps/local.mk
include base/match/local.mk
include base/open/local.mk
include base/redact/local.mk
include base/sandbox/local.mk
include base/spill/local.mk
