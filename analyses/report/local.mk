libcoldperf_a_SOURCES += \
	%D%/callees.c %D%/cpus.c %D%/families.c %D%/findings.c %D%/heavy.c %D%/hot-object.c \
	%D%/pauses.c %D%/recorded.c %D%/report.h %D%/sample-load.c \
	%D%/symbols.c %D%/threads.c %D%/unnamed-objects.c
