libcoldperf_a_SOURCES += \
	%D%/addresses.c %D%/features.c %D%/learn.c \
	%D%/letters.c \
	%D%/record.c \
	%D%/redact.c %D%/redact.h %D%/sample.c %D%/state.h \
	%D%/tracing.c
