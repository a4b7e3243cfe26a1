libcoldperf_a_SOURCES += \
	%D%/events.c %D%/events.h %D%/spans.c %D%/spans.h \
	%D%/switch-states.c %D%/switch-states.h
