# Analyses, and so the tests of them alone, ask what threads did.
libcoldperf_a_SOURCES += \
	%D%/cpus.c %D%/dense-ids.c %D%/ends.c %D%/events.c %D%/forget.c %D%/held.c \
	%D%/facts.h %D%/losses.c %D%/percentiles.c %D%/repeats.c %D%/skew.c %D%/spans.c \
	%D%/states.c %D%/switch-states.c %D%/threads.c
