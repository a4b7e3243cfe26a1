coldperf_SOURCES += \
	%D%/analyse.c %D%/browse.c %D%/bundle.c %D%/bundle.h %D%/command.h %D%/dump.c \
	%D%/merge.c %D%/names.c %D%/names-input.c %D%/names-input.h \
	%D%/names-output.c %D%/names-output.h \
	%D%/pack.c %D%/pack-objects.c %D%/pack-objects.h %D%/pack-unwound.c \
	%D%/pack-unwound.h %D%/pack-weights.c \
	%D%/packlist.c %D%/packlist.h %D%/redact.c %D%/repair.c \
	%D%/sql.c %D%/symbols.c \
	%D%/symbols-fetch.c %D%/symbols-fetch.h %D%/symbols-tables.c \
	%D%/symbols-tables.h %D%/unpack.c %D%/verify.c \
	%D%/write-snapshot.c %D%/write-snapshot.h
linux_commands = %D%/capture.c %D%/run.c %D%/selftest.c
darwin_commands = %D%/elsewhere.c
include %D%/check/local.mk
include %D%/script/local.mk
include %D%/snapshot/local.mk
