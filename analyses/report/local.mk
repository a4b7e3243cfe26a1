libcoldperf_a_SOURCES += \
	%D%/callees.c %D%/callees.h %D%/cpus.c %D%/cpus.h %D%/findings.c \
	%D%/findings.h %D%/heavy.c %D%/hot-object.c \
	%D%/hot-object.h %D%/heavy.h %D%/recorded.c %D%/pauses.c %D%/pauses.h %D%/sample-load.c %D%/sample-load.h \
	%D%/symbols.c %D%/symbols.h %D%/threads.c %D%/threads.h \
	%D%/unnamed-objects.c \
	%D%/unnamed-objects.h
