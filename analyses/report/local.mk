libcoldperf_a_SOURCES += \
	%D%/branches.c %D%/busy.c %D%/callees.c %D%/cpus.c %D%/families.c %D%/faults.c \
	%D%/heavy.c %D%/host.c %D%/hot-object.c %D%/modes.c %D%/others.c \
	%D%/pauses.c %D%/payloads.c %D%/recorded.c %D%/report.h %D%/sample-load.c \
	%D%/symbols.c %D%/threads.c %D%/trust.c %D%/unnamed-objects.c
