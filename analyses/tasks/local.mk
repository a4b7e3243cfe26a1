libcoldperf_a_SOURCES += \
	%D%/cpus.c %D%/ends.c %D%/events.c %D%/events.h %D%/held.c \
	%D%/losses.c %D%/parts.h %D%/spans.c %D%/spans.h \
	%D%/switch-states.c %D%/switch-states.h %D%/threads.c
