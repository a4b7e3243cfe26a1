libcoldperf_a_SOURCES += \
	%D%/cpus.c %D%/cpus.h %D%/ends.c %D%/ends.h %D%/events.c %D%/events.h \
	%D%/forget.c %D%/forget.h %D%/held.c %D%/held.h %D%/losses.c \
	%D%/losses.h %D%/pools.c %D%/pools.h \
	%D%/skew.c %D%/skew.h %D%/spans.c %D%/spans.h %D%/switch-states.c %D%/switch-states.h \
	%D%/task-state.h %D%/threads.c %D%/threads.h
