libcoldperf_a_SOURCES += \
	%D%/attr-agree.c %D%/attr-agree.h \
	%D%/attr-decode.c %D%/attr-decode.h %D%/attrs.c %D%/attrs.h %D%/copies.c %D%/copies.h \
	%D%/feature-bpf.c %D%/feature-events.c %D%/feature-host.c \
	%D%/feature-read.c %D%/feature-read.h %D%/feature-simpleperf.c \
	%D%/features.c %D%/features.h %D%/guess.c %D%/header.c %D%/header.h \
	%D%/ids.c %D%/ids.h %D%/magic.h %D%/section.c %D%/table.c %D%/table.h %D%/section.h \
	%D%/tracing-field.c %D%/tracing-field.h %D%/tracing.c %D%/tracing.h \
	%D%/workload.c
