libcoldperf_a_SOURCES += \
	%D%/cpus.c %D%/cpus.h %D%/spans.c %D%/spans.h %D%/waits.c %D%/waits.h
