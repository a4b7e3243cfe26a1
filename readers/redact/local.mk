libcoldperf_a_SOURCES += \
	%D%/addresses.c %D%/addresses.h %D%/features.c %D%/features.h %D%/learn.c %D%/learn.h \
	%D%/letters.c %D%/letters.h \
	%D%/record.c %D%/record.h \
	%D%/redact.c %D%/redact.h %D%/sample.c %D%/sample.h %D%/state.h \
	%D%/tracing.c %D%/tracing.h
