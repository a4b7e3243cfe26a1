libcoldperf_a_SOURCES += \
	%D%/bundle.c %D%/byte-account.c %D%/byte-account.h \
	%D%/capture-cache.c %D%/capture-cache.h %D%/directory.c %D%/series.c %D%/events.c %D%/events.h %D%/file.c \
	%D%/input.c %D%/input.h %D%/jitdump-blank.c %D%/jitdump.c %D%/jitdump.h %D%/labels.c %D%/labels.h %D%/list.c \
	%D%/list.def %D%/list.h %D%/no-capture.c %D%/pipe.c %D%/profile.c %D%/reader.c %D%/reader.h \
	%D%/record-head.c %D%/record-head.h \
	%D%/rules.c %D%/rules.def %D%/rules.h
include readers/formats/local.mk
include readers/header/local.mk
include readers/record/local.mk
include readers/redact/local.mk
include readers/rewrite/local.mk
