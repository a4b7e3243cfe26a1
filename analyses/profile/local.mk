libcoldperf_a_SOURCES += \
	%D%/code.c %D%/code.h %D%/contexts.c %D%/contexts.h %D%/events.c %D%/events.h %D%/marks.c \
	%D%/marks.h %D%/samples.c %D%/samples.h %D%/states.c %D%/states.h %D%/threads.c %D%/threads.h
